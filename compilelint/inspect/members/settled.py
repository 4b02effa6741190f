"""What code settles of an object right before it compiles it: `model.checks = False`, `torch.compile(model)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar, cast

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame, path_of
from compilelint.inspect.kinds import Const, Instance, Kind, ProjectClass
from compilelint.inspect.members import classes
from compilelint.inspect.members.called_before import as_called_before
from compilelint.source.index import flat_statements
from compilelint.source.watched import stores

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector
    from compilelint.source.model import ModuleIndex


_K = TypeVar("_K", bound=Kind)


def as_settled(frame: Frame, target: ast.expr | None, kind: _K) -> _K:
    """What is compiled, a module or a method of an object, with what the code before says of its flags."""
    match target, kind:
        case ast.Attribute(value=owner), kinds.Function(receiver=Instance() as receiver):
            return cast(_K, replace(kind, receiver=_settled(frame, owner, receiver)))
        case ast.Name() | ast.Attribute(), Instance():
            return cast(_K, _settled(frame, target, kind))
    return kind


def _settled(frame: Frame, owner: ast.expr, instance: Instance) -> Instance:
    path = path_of(owner)
    if path is None:
        return instance
    flags = dict(_flags(frame, path))
    known: dict[str, Kind] = {**as_called_before(frame, owner, instance), **dict(_functions(frame, path))}
    known |= {
        name: value
        for name, value in flags.items()
        if is_all_that_is_set(frame.inspector, instance.cls, frame.module, name, value.value)
    }
    return replace(instance, settled=tuple((dict(instance.settled) | known).items())) if known else instance


def _flags(frame: Frame, path: str) -> Iterator[tuple[str, Const]]:
    for attribute, kind in _set_on(frame, path):
        if attribute != "training" and isinstance(kind, Const) and isinstance(kind.value, bool):
            yield attribute, kind


def _functions(frame: Frame, path: str) -> Iterator[tuple[str, Kind]]:
    """What code puts in the place of methods, or gives to be called: `model.callback = save`,
    `model.hooks.append(save)`."""
    for attribute, kind in _set_on(frame, path):
        is_its_own = isinstance(kind, kinds.Function) and kind.name.rpartition(".")[2] == attribute
        if attribute != "forward" and not is_its_own and _runs(kind):
            yield attribute, kind


def _runs(kind: Kind) -> bool:
    match kind:
        case kinds.Function():
            return True
        case kinds.Sequence():
            return any(map(_runs, kinds.options(kinds.element(kind))))
        case kinds.Dictionary(value=value, entries=entries):
            return any(map(_runs, (*kinds.options(value), *(kind for _, kind in entries))))
        case _:
            return False


def _set_on(frame: Frame, path: str) -> Iterator[tuple[str, Kind]]:
    for name, kind in frame.env.items():
        owner, _, attribute = name.rpartition(".")
        if owner == path:
            yield attribute, kind


def is_all_that_is_set(inspector: Inspector, cls: ProjectClass, user: ModuleIndex, name: str, value: object) -> bool:
    """Whether neither the file that compiles nor those of the class give the attribute another value, but for
    `__init__`: what is set anew may be so before any call."""
    modules = (inspector.tree.module(file) for file in files_of(inspector, cls, user))
    given = (set_in(inspector, module) for module in modules if module is not None)
    return all(found.get(name, frozenset()) <= {value} for found in given)


def files_of(inspector: Inspector, cls: ProjectClass, user: ModuleIndex) -> list[str]:
    """The files that may set what objects of a class hold: its own, and that of who makes them."""
    return sorted({user.name, cls.key[0], *(info.key[0] for info in classes.methods(inspector, cls))})


def set_in(inspector: Inspector, module: ModuleIndex) -> dict[str, frozenset[object]]:
    """What a file gives to attributes, by name; `...` stands for all that is no constant."""
    return inspector.derived(("settled in", module.name), lambda: _find(module))


def _find(module: ModuleIndex) -> dict[str, frozenset[object]]:
    found: dict[str, frozenset[object]] = {}
    for statement in _statements(module):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
        given = value.value if isinstance(value, ast.Constant) and isinstance(value.value, bool) else ...
        for target in targets:
            for each in ast.walk(target):
                if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store):
                    found[each.attr] = found.get(each.attr, frozenset()) | {given}
    return found


def _statements(module: ModuleIndex) -> Iterator[ast.Assign | ast.AnnAssign | ast.AugAssign]:
    bodies = [module.tree.body]
    for function in module.functions.values():
        node = function.node
        if not isinstance(node, ast.Lambda) and node.name != "__init__" and stores(node):
            bodies.append(node.body)
    for body in bodies:
        for statement in flat_statements(body):
            if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
                yield statement
