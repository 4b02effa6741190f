"""What a class compiles by methods that it inherits: a base class says `self.step = torch.compile(self.step)`, and each
class below it has a `step` of its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.calling.compilations import Compilation
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import ProjectClass
from compilelint.inspect.members import classes
from compilelint.regions.starts.outside import compiling_calls, walk_outside_of_regions
from compilelint.regions.starts.overriding import chosen_methods
from compilelint.source.model import ClassInfo, Key, ModuleIndex
from compilelint.source.watched import says

_OFFERED = {"forward", "__call__"}
"""Of a module these are roots anyway."""


class _CompilesOwn(Struct, frozen=True):
    """A method that compiles methods of its own object."""

    name: str
    key: Key
    compiled: frozenset[str]
    """Under which names it takes them."""


def inherited_compilations(inspector: Inspector, module: ModuleIndex) -> Iterator[tuple[ClassInfo, Compilation]]:
    """What the methods that classes of a file inherit compile for them, with the class whose own method that may be.

    What a class only fills in for a compiled method of its base does not count: a base that offers to compile its
    `step` does so for those below that can be, and the others are never asked.
    """
    for info in list(module.classes.values()):
        cls = ProjectClass(info.key, info.name)
        compiling = [each for each in _inherited(inspector, cls) if _has_any(inspector, info, each.compiled)]
        if not compiling:
            continue
        inspector.forget_compilations()
        with inspector.seeking_effects():
            for each in compiling:
                method = inspector.tree.function(each.key)
                if method is not None:
                    walk_outside_of_regions(inspector, method, cls)
        yield from ((info, compilation) for compilation in inspector.compilations if not compilation.given)


def is_own(info: ClassInfo, function: kinds.Function) -> bool:
    """Whether a function is a method that stands in this class, of an object of it."""
    receiver = function.receiver
    return (
        isinstance(receiver, kinds.Instance) and receiver.cls.key == info.key and function.key in info.methods.values()
    )


def _has_any(inspector: Inspector, info: ClassInfo, names: frozenset[str]) -> bool:
    cls = ProjectClass(info.key, info.name)
    meant = names.union(*(chosen_methods(inspector, cls, name) for name in names))
    return not meant.isdisjoint(info.methods)


def _inherited(inspector: Inspector, cls: ProjectClass) -> Iterator[_CompilesOwn]:
    """Of the methods that a class inherits, and runs, those that compile some of its object."""
    nearer: list[classes.Members] = []
    for base in classes.lineage(inspector, cls).own:
        if nearer:
            yield from (each for each in _compiling(inspector, base) if _is_reached(inspector, each.name, nearer))
        nearer.append(base)


def _is_reached(inspector: Inspector, name: str, nearer: list[classes.Members]) -> bool:
    """Whether no class before that of a method has another one of its name, but those that call the one above them."""
    return all(_calls_that_above(inspector, each.methods[name], name) for each in nearer if name in each.methods)


def _calls_that_above(inspector: Inspector, key: Key, name: str) -> bool:
    info, module = inspector.tree.function(key), inspector.tree.module(key[0])
    return info is not None and module is not None and says(info.node, module.lines, f".{name}(")


def _compiling(inspector: Inspector, base: classes.Members) -> tuple[_CompilesOwn, ...]:
    return inspector.derived(("compiles own", base.key), lambda: _compiling_methods(inspector, base))


def _compiling_methods(inspector: Inspector, base: classes.Members) -> tuple[_CompilesOwn, ...]:
    module = inspector.tree.module(base.key[0])
    if module is None or "compile" not in inspector.tree.text_of(module):
        return ()
    found: list[_CompilesOwn] = []
    for name, key in base.methods.items():
        info = inspector.tree.function(key)
        receiver = first_parameter(info.node) if info is not None else None
        if info is None or receiver is None or isinstance(info.node, ast.Lambda):
            continue
        compiled = {_own(receiver, call) for call in compiling_calls(module, info.node)} - {""} - _OFFERED
        if compiled:
            found.append(_CompilesOwn(name, key, frozenset(compiled)))
    return tuple(found)


def _own(receiver: str, call: ast.Call) -> str:
    """The method of its own object that a call is handed first; an empty text if it is none."""
    match call.args or [keyword.value for keyword in call.keywords if keyword.arg == "model"]:
        case [ast.Attribute(value=ast.Name(id=owner), attr=name), *_] if owner == receiver:
            return name
        case _:
            return ""
