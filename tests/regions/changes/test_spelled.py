"""How a function spells what it is given."""

from __future__ import annotations

import ast

import pytest

from compilelint.regions.around.compiled import Target
from compilelint.regions.changes.spelled import is_rebound, spelling, spellings
from compilelint.source.model import ModuleIndex


@pytest.mark.parametrize(
    ("written", "spelled"),
    [
        ("n", "n"),
        ("options.n", "options.n"),
        ('batch["n"]', "batch['n']"),
        ("batch.get('n', 0)", "batch['n']"),
        ("pair[0].n", "pair[0].n"),
        ("pair[i]", None),
        ("make().n", None),
        ("batch.pop('n')", None),
    ],
)
def test_a_spelling_is_one_for_all_that_give_the_same(written: str, spelled: str | None) -> None:
    assert spelling(ast.parse(written, mode="eval").body) == spelled


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("return x[c['n']]", ()),
        ("k = c['n']\n    return x[k]", ("k",)),
        ("k: int = int(c['n']) + 1\n    return x[k]", ("k",)),
        ("k = x + c['n']\n    return k", ()),
        ("k = c['n']\n    k = 2\n    return x[k]", ()),
        ("x = c['n']\n    return x", ()),
    ],
)
def test_a_name_that_is_given_once_to_what_is_computed_of_it_alone_is_another_spelling(
    body: str, names: tuple[str, ...]
) -> None:
    assert spellings(_function(body), "c['n']") == ("c['n']", *names)


@pytest.mark.parametrize(
    ("body", "rebound"),
    [
        ("return c['n']", False),
        ("c['m'] = 1\n    return c['n']", False),
        ("c['n'] = 1\n    return c['n']", True),
        ("c = {}\n    return c['n']", True),
        ("c['n'] += 1\n    return x", True),
    ],
)
def test_what_is_set_before_it_is_read_is_not_as_given(body: str, rebound: bool) -> None:
    function = _function(body)
    assert is_rebound(function, "c['n']") is rebound
    assert bool(spellings(function, "c['n']")) is not rebound


def _function(body: str) -> Target:
    node = ast.parse(f"def f(x, c):\n    {body}").body[0]
    assert isinstance(node, ast.FunctionDef)
    return Target(node, _NO_MODULE)


_NO_MODULE = ModuleIndex.__new__(ModuleIndex)
