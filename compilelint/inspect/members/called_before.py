"""Modules that code calls before it compiles them: `model(example)`, `model = torch.compile(model)`.

What their first call makes, of them and of the modules that they hold, is there when the first compiled call comes; so
is what a method of theirs makes that is called before: `model.build_tables(1024)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Const, Instance, Kind
from compilelint.inspect.members import classes
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
    spelled, called = ast.unparse(owner), set[str]()
    for statement, surely in _before(body, owner.lineno, spelled):
        match statement:
            case ast.Assign(targets=[target], value=value) if ast.unparse(target) == spelled:
                called.clear()
            case ast.Assign(value=value) | ast.Expr(value=value):
                found = filter(None, (_called(frame, instance, part, spelled) for part in walk(value)))
                called.update(each for each in found if surely or each != _CALLED)
    return dict.fromkeys(sorted(called), Const(True))


def was_called(instance: Instance, method: str = "") -> bool:
    """Whether it was called before it was compiled, or this method of it."""
    return bool(instance.settled) and any(name in (_CALLED, f"{method}()") for name, _ in instance.settled)


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


def _before(body: list[ast.stmt], line: int, spelled: str, surely: bool = True) -> Iterator[tuple[ast.stmt, bool]]:
    """The statements that run before a line is reached, and whether they surely do: not so under a condition that says
    nothing of the object, for a script may call its model under an option."""
    for statement in body:
        if statement.lineno >= line:
            return
        if isinstance(statement, _BLOCKS):
            yield from _before(statement.body, line, spelled, surely)
        elif isinstance(statement, ast.If):
            reached = next((each for each in (statement.body, statement.orelse) if _holds(each, line)), None)
            if reached is not None:
                yield from _before(reached, line, spelled, surely)
            else:
                asked = spelled in ast.unparse(statement.test)
                yield from _before(statement.body, line, spelled, surely and asked)
        else:
            yield statement, surely


def _holds(block: list[ast.stmt], line: int) -> bool:
    return bool(block) and block[0].lineno <= line <= (block[-1].end_lineno or 0)


def _called(frame: Frame, instance: Instance, node: ast.AST, spelled: str) -> str | None:
    """What stands for the call of an object, `model(…)` or `model.forward(…)` with something, or of a method that its
    class defines."""
    match node:
        case (
            ast.Call(func=ast.Attribute(value=called, attr="forward"), args=[_, *_])
            | ast.Call(func=(ast.Name() | ast.Attribute()) as called, args=[_, *_])
        ) if ast.unparse(called) == spelled:
            return _CALLED
        case ast.Call(func=ast.Attribute(value=called, attr=name)) if ast.unparse(called) == spelled:
            return f"{name}()" if classes.find_method(frame.inspector, instance.cls, name) is not None else None
        case _:
            return None
