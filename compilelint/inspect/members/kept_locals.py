"""Attributes that a helper of `__init__` sets by way of a name: `steps = np.arange(8); self.steps = steps`."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.source.index import flat_statements
from compilelint.source.model import FunctionInfo
from compilelint.source.watched import stores


class Kept(NamedTuple):
    """An attribute, and what it is: the value of a call, or what an unpacking of that has at a place."""

    attribute: str
    value: ast.expr
    targets: list[ast.expr]
    """What the value is unpacked into."""
    place: int | None
    """Which of these targets it is; None if nothing is unpacked."""


def assigned(function: FunctionInfo, init: FunctionInfo | None) -> list[Kept]:
    """What a method keeps of calls: in names that it makes once, and then keeps, or right where it unpacks them.

    Only what `init` calls is asked: others may set in each call anew what was something else before.
    """
    node = function.node
    if isinstance(node, ast.Lambda) or not stores(node):
        return []
    kept = _kept(node)
    return kept if kept and init is not None and node.name in _called_on_self(init) else []


def _kept(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[Kept]:
    own = first_parameter(node)
    kept = list(_unpacked_attributes(node.body, own))
    names = dict(_kept_names(node.body, own))
    if names:
        made = _made_of_calls(node.body)
        bound = _bound(node)
        kept += [made[name]._replace(attribute=to) for to, name in names.items() if name in made and bound[name] == 1]
    return kept


def _called_on_self(init: FunctionInfo) -> set[str]:
    own = first_parameter(init.node)
    called = {each.func for each in ast.walk(init.node) if isinstance(each, ast.Call)}
    return {each.attr for each in called if isinstance(each, ast.Attribute) and _own(each, own)}


def _kept_names(body: list[ast.stmt], own: str | None) -> Iterator[tuple[str, str]]:
    """The attribute and the name of each `self.attribute = name`."""
    for statement in flat_statements(body):
        match statement:
            case ast.Assign(targets=[target], value=ast.Name(id=name)) if attribute := _own(target, own):
                yield attribute, name


def _unpacked_attributes(body: list[ast.stmt], own: str | None) -> Iterator[Kept]:
    for statement in flat_statements(body):
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=ast.Call() as value):
                for place, part in enumerate(parts):
                    if attribute := _own(part, own):
                        yield Kept(attribute, value, parts, place)


def _made_of_calls(body: list[ast.stmt]) -> Mapping[str, Kept]:
    """What statements make of calls, by name: not yet in an attribute."""
    made: dict[str, Kept] = {}
    for statement in flat_statements(body):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as value):
                made[name] = Kept("", value, [], None)
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=ast.Call() as value):
                places = [(part.id, place) for place, part in enumerate(parts) if isinstance(part, ast.Name)]
                made |= {name: Kept("", value, parts, place) for name, place in places}
    return made


def _bound(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Counter[str]:
    """How often a function binds each name, parameters too."""
    bound = Counter(
        each.id for each in ast.walk(node) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)
    )
    bound.update(each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg))
    return bound


def _own(target: ast.expr, own: str | None) -> str:
    match target:
        case ast.Attribute(value=ast.Name(id=receiver), attr=attribute) if receiver == own:
            return attribute
        case _:
            return ""
