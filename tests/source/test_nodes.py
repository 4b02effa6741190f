"""Going through syntax trees: as `ast.walk` does."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import compilelint
from compilelint.source.nodes import walk

_LEFT_OUT = (ast.expr_context, ast.operator, ast.boolop, ast.unaryop, ast.cmpop)
HERE = Path(compilelint.__file__).parent


@pytest.mark.parametrize("folder", [HERE / "inspect", Path(ast.__file__).parent / "asyncio"])
def test_it_gives_what_ast_walk_gives_in_its_order(folder: Path) -> None:
    for path in folder.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert list(walk(tree)) == [node for node in ast.walk(tree) if not isinstance(node, _LEFT_OUT)], path


def test_it_goes_into_patterns_and_what_has_gaps() -> None:
    tree = ast.parse(
        "global a, b\nd = {**x, 1: y}\ndef f(*, k, l=1): ...\n"
        "match d:\n    case C(1, key=[z, *rest]) | {'k': None, **more}: pass\nx[1:, ::2]\n"
    )
    assert list(walk(tree)) == [node for node in ast.walk(tree) if not isinstance(node, _LEFT_OUT)]


def test_what_nobody_asks_for_is_not_looked_into() -> None:
    tree = ast.parse("def f():\n    return 1\n")
    nodes = walk(tree)
    assert next(nodes) is tree
    tree.body.clear()
    assert list(nodes) == []
