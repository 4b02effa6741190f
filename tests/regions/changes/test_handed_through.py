"""What functions only hand through, and what they look at."""

from __future__ import annotations

import ast

import pytest

from compilelint.regions.changes.handed_through import handed_through, named_idly
from tests.regions.constructs import constructs_around


def idle(body: str, of_callee: bool = False) -> list[str]:
    node = ast.parse(f"def f(x, batch, name):\n    {body}").body[0]
    assert isinstance(node, ast.FunctionDef)
    found = named_idly(node) if of_callee else handed_through(node)
    return sorted(ast.unparse(part) for part in ast.walk(node) if isinstance(part, ast.expr) and id(part) in found)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("same = name", ["name"]),
        ("path = batch['path']\n    return x", ["batch['path']", "x"]),
        ("return x * 2, name", ["name", "x * 2"]),
        ("return {'y': x, 'path': [name]}", ["name", "x"]),
        ("path = batch['path']\n    return x, path", ["batch['path']", "path", "x"]),
    ],
)
def test_what_is_handed_through(body: str, expected: list[str]) -> None:
    assert idle(body) == expected


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("it is looked at under its new name", "same = name\n    print(same)"),
        ("it is a key", "y = {name: x}\n    print(y)"),
        ("it is kept", "x.same = name"),
        ("another function gives it back", "def inner():\n        return name\n    print(inner)"),
    ],
)
def test_what_is_not_only_handed_through(why: str, body: str) -> None:
    assert not idle(body), why


def test_what_a_callee_gives_back_its_caller_may_look_at() -> None:
    assert idle("return name", of_callee=True) == []


CALLS = """
import torch

def name_of(batch):
    return batch["name"]

@torch.compile
def f(x, batch):
    {}

for i in range(9):
    f(x, {})
"""
NAMED = "{'name': f'h{i}'}"


@pytest.mark.parametrize(
    ("why", "body", "given"),
    [
        ("it is given a name that nobody reads", "name = batch['name']\n    return x * 2", NAMED),
        ("nobody reads what is unpacked", "scale, name = batch\n    return x * scale", "(2, f'h{i}')"),
        ("it is given back", "return x * 2, batch['name']", NAMED),
        ("it is given back in a dict", "return {'y': x * 2, 'name': batch['name']}", NAMED),
        ("it is given back as it came", "return x * 2, batch", "f'h{i}'"),
        ("a flag is given back", "return x * 2, batch", "i % 2 == 0"),
    ],
)
def test_what_nobody_looks_at_is_not_compiled_for(why: str, body: str, given: str) -> None:
    assert not constructs_around(CALLS.format(body, given)), why


@pytest.mark.parametrize(
    ("body", "given", "construct"),
    [
        ("return {batch['name']: x * 2}", NAMED, "str-argument"),
        ("return {name_of(batch): x * 2}", NAMED, "str-argument"),
        ("name = batch['name']\n    return {name: x * 2}", NAMED, "str-argument"),
        ("return x * 2, batch", "[x] * i", "length-of-argument"),
        ("return x * 2, batch", "x if i else None", "none-argument"),
    ],
)
def test_what_is_looked_at_is_compiled_for(body: str, given: str, construct: str) -> None:
    assert constructs_around(CALLS.format(body, given)) == [construct]


SPREAD = """
import torch

@torch.compile
def total(**parts):
    return sum(parts.values())

@torch.compile
def ignoring(x, **parts):
    return x * 2

parts = {{"a": x}}
for i in range(9):
    parts[{}] = x
    {}
"""


def test_a_dict_that_is_spread_gets_more_keys() -> None:
    assert constructs_around(SPREAD.format("f'k{i}'", "total(**parts)")) == ["keys-of-argument"]


@pytest.mark.parametrize(
    ("why", "key", "call"),
    [
        ("nobody goes through them", "f'k{i}'", "ignoring(x, **parts)"),
        ("it has the same keys each time", "'a'", "total(**parts)"),
    ],
)
def test_a_dict_that_is_spread_costs_nothing(why: str, key: str, call: str) -> None:
    assert not constructs_around(SPREAD.format(key, call)), why
