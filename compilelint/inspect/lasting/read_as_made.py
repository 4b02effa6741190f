"""What an object has computed before: a `cached_property` that its `__init__` reads, or the function itself.

`self.register_buffer("mapping", self.build())`, where `build` reads `self.num_classes`: from then on that is an
attribute like any other, and compiled code that reads it takes no lock.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.members import attributes, classes
from compilelint.inspect.members.base_inits import calls_of_init, own_init

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame
    from compilelint.inspect.inspector import Inspector
    from compilelint.inspect.kinds import Instance, ProjectClass
    from compilelint.source.model import FunctionInfo


def is_read_as_made(inspector: Inspector, owner: Instance, name: str) -> bool:
    """Whether `owner.name` has surely been read before the region; what the region makes itself has not."""
    return not owner.fresh and name in inspector.derived(
        ("read as made", owner.cls.key), lambda: frozenset(_read_as_made(inspector, owner.cls))
    )


def is_read_before(frame: Frame, node: ast.Attribute) -> bool:
    """Whether the function has surely read `self.name` when it comes to this place, which reads it again."""
    function = frame.function
    if function is None or not isinstance(node.value, ast.Name) or node.value.id != first_parameter(function.node):
        return False
    earlier = (read for read, _ in _reads(function) if read.attr == node.attr)
    return any((read.lineno, read.col_offset) < (node.lineno, node.col_offset) for read in earlier)


def _read_as_made(inspector: Inspector, cls: ProjectClass) -> set[str]:
    """What the `__init__`s of a class read of its object, and the methods that they call."""
    found: set[str] = set()
    waiting = [*_inits(inspector, cls)]
    while waiting:
        for name, is_called in _surely_read(waiting.pop()):
            if name in found:
                continue
            found.add(name)
            key = classes.find_method(inspector, cls, name)
            method = inspector.tree.function(key) if key is not None else None
            if method is not None and (is_called or attributes.is_property_itself(inspector, method.key)):
                waiting.append(method)
    return found


def _inits(inspector: Inspector, cls: ProjectClass) -> Iterator[FunctionInfo]:
    for info in classes.infos(inspector, cls):
        init = own_init(inspector, info)
        if init is not None:
            yield init
            if next(calls_of_init(init.node), None) is None:
                return


def _surely_read(method: FunctionInfo) -> Iterator[tuple[str, bool]]:
    """The attributes of its object that each call of a method reads, and whether it calls them."""
    for read, is_called in _reads(method):
        yield read.attr, is_called


def _reads(method: FunctionInfo) -> Iterator[tuple[ast.Attribute, bool]]:
    own = first_parameter(method.node)
    if isinstance(method.node, ast.Lambda) or own is None:
        return
    for part in _run(method.node.body):
        match part:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=receiver)) as read) if receiver == own:
                yield read, True
            case ast.Attribute(value=ast.Name(id=receiver), ctx=ast.Load()) if receiver == own:
                yield part, False


def _run(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """What is computed each time: of conditions and loops only what they ask, and nothing behind a `return`."""
    for statement in body:
        match statement:
            case ast.If(test=asked) | ast.While(test=asked) | ast.For(iter=asked):
                yield from _parts(asked)
            case ast.With():
                yield from _run(statement.body)
            case ast.Expr() | ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Assert() | ast.Return():
                yield from _parts(statement)
            case _:
                continue
        if isinstance(statement, ast.Return):
            return


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    match node:
        case ast.Lambda():
            return
        case ast.IfExp(test=asked) | ast.BoolOp(values=[asked, *_]):
            yield from _parts(asked)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _parts(child)
