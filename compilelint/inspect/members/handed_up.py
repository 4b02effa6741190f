"""What a class hands to the `__init__` of its base: `super().__init__(Net(), start=self.zero)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import either, first_parameter
from compilelint.inspect.frame import Frame, Route
from compilelint.inspect.kinds import UNKNOWN, Instance, Kind, ProjectClass
from compilelint.inspect.members import made_with
from compilelint.inspect.members.base_inits import calls_of_init, init_below, is_name, own_init
from compilelint.inspect.syntax import statements
from compilelint.source.model import ClassInfo, FunctionInfo, FunctionNode
from compilelint.source.nodes import is_none, positional_names, walk

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector


def given(inspector: Inspector, instance: Instance, base: ProjectClass) -> Mapping[str, Kind]:
    """What the `__init__` of a class, or of a base of it, is given that tells what attributes are, by parameter."""
    below = init_below(inspector, instance.cls, base)
    own = own_init(inspector, inspector.tree.class_(base.key))
    if below is None:
        return dict(instance.given)
    module, owner = inspector.tree.module(below.key[0]), below.owner
    if own is None or module is None or owner is None or isinstance(below.node, ast.Lambda):
        return {}
    above = inspector.tree.class_(owner)
    known = given(inspector, instance, ProjectClass(owner, above.name)) if above is not None else {}
    handed = list(_handed(below.node, own.node))
    passed_on = _passed_on(below.node, own.node, known)
    if not handed and not passed_on:
        return {}
    receiver, stored = first_parameter(below.node) or "self", frozenset(_stored(below.node))
    env = {**_before(inspector, below, instance, stored), **known, receiver: instance}
    frame = Frame(inspector, module, below, Route(), env, receiver=instance, owner=owner)
    if prepared := _prepared(below.node, [value for _, value in handed], stored):
        with inspector.silently():
            statements.execute(frame, prepared)
    found = passed_on | {name: inspector.evaluate_silently(frame, value) for name, value in handed}
    declared = inspector.declared(kinds.Function(own.key, own.qualname, instance))
    return {name: kind for name, kind in found.items() if made_with.says_more(kind, declared.get(name, UNKNOWN))}


def hands_up_own_methods(inspector: Inspector, info: ClassInfo) -> bool:
    """Whether a class hands methods of its own to the `__init__` of its base."""
    init = own_init(inspector, info)
    if init is None or isinstance(init.node, ast.Lambda):
        return False
    receiver = first_parameter(init.node)
    return any(
        isinstance(value, ast.Attribute)
        and isinstance(value.value, ast.Name)
        and value.value.id == receiver
        and value.attr in info.methods
        for call in calls_of_init(init.node)
        for value in (*call.args, *(keyword.value for keyword in call.keywords))
    )


def _before(inspector: Inspector, below: FunctionInfo, instance: Instance, stored: frozenset[str]) -> dict[str, Kind]:
    """What the names that an `__init__` is given, or computes, are as far as declarations and defaults tell."""
    declared = inspector.declared(kinds.Function(below.key, below.qualname, instance))
    env = {name: UNKNOWN if kind == kinds.NONE else either(kind) for name, kind in declared.items()}
    return env | dict.fromkeys(stored, UNKNOWN)


def _prepared(node: FunctionNode, handed: Sequence[ast.expr], stored: frozenset[str]) -> list[ast.stmt]:
    """What comes before `super().__init__(layers)`, if it makes something that is handed: `layers = ModuleList(…)`."""
    names = {value.id for value in handed if isinstance(value, ast.Name)}
    if isinstance(node, ast.Lambda) or not names or names.isdisjoint(stored):
        return []
    start = min(call.lineno for call in calls_of_init(node))
    return [statement for statement in node.body if (statement.end_lineno or statement.lineno) < start]


def _stored(node: FunctionNode) -> Iterator[str]:
    return (part.id for part in walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))


def _handed(below: FunctionNode, own: FunctionNode) -> Iterator[tuple[str, ast.expr]]:
    """What may be a function, or an object, in the calls of the base's `__init__`, with the parameters that it is
    given to."""
    names = positional_names(own.args)[1:]
    for call in calls_of_init(below):
        given = [
            *zip(names, call.args, strict=False),
            *((keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg is not None),
        ]
        yield from ((name, value) for name, value in given if isinstance(value, _MAY_TELL) or is_none(value))


def _passed_on(below: FunctionNode, own: FunctionNode, known: Mapping[str, Kind]) -> dict[str, Kind]:
    """What the base's `__init__` gets of `*args` and `**kwargs`, which are handed on as they are."""
    spec = below.args
    rest = {int(name[1:]): kind for name, kind in known.items() if name.startswith("*")}
    parameters = {arg.arg for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}
    others = {name: kind for name, kind in known.items() if name not in parameters and not name.startswith("*")}
    found: dict[str, Kind] = {}
    for call in calls_of_init(below) if rest or others else ():
        before = sum(not isinstance(argument, ast.Starred) for argument in call.args)
        placed = {before + place: kind for place, kind in rest.items()} if before < len(call.args) else {}
        is_handed_on = any(each.arg is None and is_name(each.value, spec.kwarg) for each in call.keywords)
        found |= made_with.by_parameter(own.args, placed, others if is_handed_on else {})
    return found


_MAY_TELL = (ast.Attribute, ast.Name, ast.Lambda, ast.IfExp, ast.Call)
