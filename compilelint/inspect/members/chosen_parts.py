"""Attributes that `__init__` chooses by a flag which methods ask again: `if deep: self.body = Deep()`, `else:
self.body = Flat()`, and in `forward` `if self.deep: …`, under which `self.body` is the one and not the other.

Only flags and parts of which nothing but that `__init__` says what they are count.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from compilelint.inspect.deciding.asked_again import Asked, asked_about
from compilelint.inspect.frame import path_of
from compilelint.inspect.kinds import Kind, ProjectClass
from compilelint.inspect.members import classes
from compilelint.source.model import FunctionNode, Key
from compilelint.source.nodes import walk
from compilelint.source.watched import stores

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame
    from compilelint.inspect.inspector import Inspector

Parts: TypeAlias = Mapping[tuple[str, Hashable], Mapping[str, tuple[Kind | None, Kind | None]]]
"""By flag, and what is asked about it: what attributes are where the answer is yes, and where it is no."""


class Choices(NamedTuple):
    """What an `__init__` left of the conditions of which both branches were walked."""

    init: Key
    prefix: str
    """What its own attributes begin with: `self.`."""
    asked: Asked


def chosen_parts(
    inspector: Inspector, cls: ProjectClass, choices: tuple[Choices, ...], as_attribute: Callable[[Kind], Kind]
) -> Parts:
    """What these choices come to, in terms of attributes that no other method of the class assigns."""
    found: dict[tuple[str, Hashable], Mapping[str, tuple[Kind | None, Kind | None]]] = {}
    for each in choices:
        init = inspector.tree.function(each.init)
        found |= _in_attributes(init.node, each, as_attribute) if init is not None else {}
    return _only_of_init(inspector, cls, found)


def _in_attributes(init: FunctionNode, choices: Choices, as_attribute: Callable[[Kind], Kind]) -> Parts:
    _, prefix, asked = choices
    stored = [part.id for part in walk(init) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
    given: dict[str, list[str]] = {}
    for attr, path in _kept(init, prefix):
        given.setdefault(path, []).append(attr)
    found: dict[tuple[str, Hashable], dict[str, tuple[Kind | None, Kind | None]]] = {}
    for question, chosen in asked.items():
        if chosen.subject.startswith(prefix):
            flags = [chosen.subject.removeprefix(prefix)]
        else:
            flags = given.get(chosen.subject, []) if chosen.subject.partition(".")[0] not in stored else []
        parts = {
            name.removeprefix(prefix): (_seen(held, as_attribute), _seen(failed, as_attribute))
            for name, (_, held, failed) in chosen.names.items()
            if name.startswith(prefix) and "." not in name.removeprefix(prefix) and "[" not in name
        }
        for flag in flags:
            if "." not in flag and parts:
                found[flag, _but_subject(question)] = parts
    return found


def _seen(kind: Kind | None, as_attribute: Callable[[Kind], Kind]) -> Kind | None:
    return None if kind is None else as_attribute(kind)


def _kept(init: ast.AST, prefix: str) -> Iterator[tuple[str, str]]:
    """The attributes that keep a parameter, or a part of one, as it was given: `self.deep = config.deep`."""
    for part in walk(init):
        match part:
            case ast.Assign(targets=[ast.Attribute() as target], value=ast.Name() | ast.Attribute() as value):
                path, kept = path_of(target), path_of(value)
                if path is not None and kept is not None and path.startswith(prefix):
                    yield path.removeprefix(prefix), kept


def _but_subject(question: Hashable) -> Hashable:
    """What is asked, without of what: `asked_about` puts that first, or says nothing else."""
    return question[1:] if isinstance(question, tuple) else ()


def recall_parts(frame: Frame, test: ast.expr, outcome: bool) -> None:
    """Let attributes be what `__init__` made them where `test` has this outcome."""
    asked = asked_about(test) if _asks_for_attribute(test) else None
    if asked is None or asked[0] in frame.env:
        return
    subject, question, wanted = asked
    owner, _, flag = subject.rpartition(".")
    if not owner or "." in owner:
        return
    receiver = frame.receiver_instance
    if receiver is None or frame.function is None or frame.env.get(owner) != frame.receiver:
        return
    parts = frame.inspector.chosen_parts(receiver).get((flag, _but_subject(question)))
    for name, (held, failed) in parts.items() if parts is not None else ():
        kind = held if outcome is wanted else failed
        path = f"{owner}.{name}"
        if kind is not None and path not in frame.env:
            frame.env[path] = kind


def _asks_for_attribute(test: ast.expr) -> bool:
    """Whether a condition begins with an attribute: most do not."""
    while type(test) is ast.UnaryOp:
        test = test.operand
    return type(test.left if type(test) is ast.Compare else test) is ast.Attribute


def _only_of_init(inspector: Inspector, cls: ProjectClass, parts: Parts) -> Parts:
    """Those whose flags and attributes no other method of the class assigns."""
    if not parts:
        return parts
    others = inspector.derived(("stored by others", cls.key), lambda: _stored_by_others(inspector, cls))
    left = {
        key: {name: kinds for name, kinds in found.items() if name not in others}
        for key, found in parts.items()
        if key[0] not in others
    }
    return {key: found for key, found in left.items() if found}


def _stored_by_others(inspector: Inspector, cls: ProjectClass) -> frozenset[str]:
    return frozenset(
        part.attr
        for method in classes.methods(inspector, cls)
        if not method.qualname.endswith(".__init__") and stores(method.node)
        for part in walk(method.node)
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)
    )
