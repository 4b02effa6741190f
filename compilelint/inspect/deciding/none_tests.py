"""What stands between code and what it asks whether it is None: small functions of the project (`exists(self.cache)`),
properties that only give an attribute (`self.index` for `self._index`)."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.frame import Frame
from compilelint.inspect.members import attributes, classes
from compilelint.source.nodes import is_none

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Is: ast.IsNot, ast.IsNot: ast.Is}


def spelled_out(frame: Frame, test: ast.expr) -> ast.expr:
    """The comparison with None that such a call or comparison stands for, in place of it; else the test itself.

    `self.cache is not None` for `exists(self.cache)`, `self.cache is None` for `not exists(self.cache)`, and
    `self._index is None` for `self.index is None`.
    """
    match test:
        case ast.Compare(left=ast.Attribute() as read, ops=[ast.Is() | ast.IsNot() as asked], comparators=[other]) if (
            is_none(other) and (name := _read_by(frame, read)) is not None
        ):
            attribute = ast.copy_location(ast.Attribute(read.value, name, ast.Load()), read)
            return ast.copy_location(ast.Compare(attribute, [asked], [other]), test)
        case ast.UnaryOp(op=ast.Not(), operand=ast.Call() as call):
            op = _asked(frame, call)
            return test if op is None else spelled_out(frame, _comparison(call, _OPPOSITES[op]))
        case ast.Call():
            op = _asked(frame, test)
            return test if op is None else spelled_out(frame, _comparison(test, op))
        case _:
            return test


def _read_by(frame: Frame, node: ast.Attribute) -> str | None:
    """The attribute that the property gives that is read, if it is one that does nothing else."""
    owner = frame.inspector.peek(frame, node.value)
    if not isinstance(owner, kinds.Instance):
        return None
    method = classes.find_method(frame.inspector, owner.cls, node.attr)
    return read_by_property(frame.inspector, method) if method is not None else None


def read_by_property(inspector: Inspector, method: kinds.FunctionKey) -> str | None:
    """The attribute that a property gives as it is, if it does nothing else: `return self._index`."""
    info = inspector.tree.function(method)
    if info is None or isinstance(info.node, ast.Lambda) or not attributes.is_property_itself(inspector, method):
        return None
    match info.node.body:
        case [ast.Return(value=ast.Attribute(value=ast.Name(id=name), attr=attr))] | [
            ast.Expr(value=ast.Constant()),
            ast.Return(value=ast.Attribute(value=ast.Name(id=name), attr=attr)),
        ] if name == first_parameter(info.node):
            return attr
        case _:
            return None


def _comparison(call: ast.Call, op: type[ast.cmpop]) -> ast.expr:
    return ast.copy_location(ast.Compare(call.args[0], [op()], [ast.Constant(None)]), call)


def _asked(frame: Frame, call: ast.Call) -> type[ast.cmpop] | None:
    """What a function asks of its only argument, if it does nothing else: `return val is not None`."""
    match call:
        case ast.Call(func=ast.Name() as func, args=[ast.Attribute() | ast.Name()], keywords=[]):
            callee = frame.inspector.peek(frame, func)
        case _:
            return None
    info = frame.inspector.tree.function(callee.key) if isinstance(callee, kinds.Function) else None
    if info is None or isinstance(info.node, ast.Lambda) or info.node.decorator_list:
        return None
    match info.node:
        case ast.FunctionDef(
            args=ast.arguments(posonlyargs=[], args=[ast.arg(arg=name)]),
            body=[
                ast.Return(
                    value=ast.Compare(left=ast.Name(id=asked), ops=[ast.Is() | ast.IsNot() as op], comparators=[other])
                )
            ],
        ) if asked == name and is_none(other):
            return type(op)
        case _:
            return None
