"""Modules that code calls before it compiles them: `model(example)`, `model = torch.compile(model)`.

What their first call makes, of them and of the modules that they hold, is there when the first compiled call comes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Const, Instance, Kind
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame

_CALLED = "()"
"""Stands for it among what code settles of an object: no attribute has such a name."""
_BLOCKS = (ast.With, ast.AsyncWith, ast.Try, ast.For, ast.While)


def as_called_before(frame: Frame, owner: ast.expr, instance: Instance) -> Mapping[str, Const]:
    """What is to be known of an object that is compiled, spelled like this, if it was called before."""
    body = frame.module.tree.body if frame.function is None else frame.function.node.body
    if not instance.module or not isinstance(body, list):
        return {}
    called = False
    for statement in _before(body, owner.lineno, ast.unparse(owner)):
        match statement:
            case ast.Assign(targets=[target], value=value) if ast.unparse(target) == ast.unparse(owner):
                called = False
            case ast.Assign(value=value) | ast.Expr(value=value):
                called = called or any(_calls(part, ast.unparse(owner)) for part in walk(value))
    return {_CALLED: Const(True)} if called else {}


def was_called(instance: Instance) -> bool:
    """Whether it was called before it was compiled."""
    return bool(instance.settled) and any(name == _CALLED for name, _ in instance.settled)


def held_by(instance: Instance, kind: Kind) -> Kind:
    """What a module holds: modules in it were called with it."""
    if not was_called(instance):
        return kind
    match kind:
        case Instance(module=True):
            return replace(kind, settled=(*kind.settled, (_CALLED, Const(True))))
        case kinds.External(args=layers) if any(isinstance(layer, Instance) for layer in layers):
            return replace(kind, args=tuple(held_by(instance, layer) for layer in layers))
        case _:
            return kind


def _before(body: list[ast.stmt], line: int, spelled: str) -> Iterator[ast.stmt]:
    """The statements that run before a line is reached, but for those under a condition that says nothing of the
    object: a script may call its model under an option."""
    for statement in body:
        if statement.lineno >= line:
            return
        if isinstance(statement, _BLOCKS):
            yield from _before(statement.body, line, spelled)
        elif isinstance(statement, ast.If):
            reached = next((each for each in (statement.body, statement.orelse) if _holds(each, line)), None)
            if reached is not None:
                yield from _before(reached, line, spelled)
            elif spelled in ast.unparse(statement.test):
                yield from _before(statement.body, line, spelled)
        else:
            yield statement


def _holds(block: list[ast.stmt], line: int) -> bool:
    return bool(block) and block[0].lineno <= line <= (block[-1].end_lineno or 0)


def _calls(node: ast.AST, spelled: str) -> bool:
    """Whether this is `model(…)` or `model.forward(…)`, with something."""
    match node:
        case (
            ast.Call(func=ast.Attribute(value=called, attr="forward"), args=[_, *_])
            | ast.Call(func=called, args=[_, *_])
        ):
            return isinstance(called, ast.Name | ast.Attribute) and ast.unparse(called) == spelled
        case _:
            return False
