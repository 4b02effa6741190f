"""Nobody reads of a text what the tree does not note."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import compilelint

_WALKING = ("inspect", "regions", "match")
_SHOW_NODES = {"inspect/frame.py"}
"""What stands in nodes that were walked."""
_OF_THE_UNIT = {"regions/starts/prose.py", "regions/changes/training.py"}
"""Of a unit's own file all of the text is asked for."""
_NOTED = "says"


def reading(tree: ast.Module, attribute: str) -> Iterator[ast.Attribute]:
    """The places where a module reads an attribute, but to hand it to who notes that."""
    noted = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == _NOTED
        for part in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == attribute and id(node) not in noted:
            yield node


def readers(attribute: str) -> set[str]:
    """The modules of the rooms that walk which read an attribute of this name."""
    package = Path(compilelint.__file__).parent
    files = [file for room in _WALKING for file in sorted((package / room).rglob("*.py"))]
    trees = {file.relative_to(package).as_posix(): ast.parse(file.read_text(encoding="utf-8")) for file in files}
    return {name for name, tree in trees.items() if any(reading(tree, attribute))}


def test_lines_of_functions_that_nobody_looked_into_are_not_read() -> None:
    assert readers("lines") == _SHOW_NODES | _OF_THE_UNIT


def test_texts_are_asked_of_the_tree() -> None:
    package = Path(compilelint.__file__).parent
    past_the_tree = [
        f"{file.name}:{node.lineno}"
        for room in _WALKING
        for file in (package / room).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "texts"
    ]
    assert past_the_tree == []
