"""Small functions of the project that ask whether something is None: `exists(self.cache)`."""

from __future__ import annotations

import ast

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame
from compilelint.source.nodes import is_none

_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Is: ast.IsNot, ast.IsNot: ast.Is}


def spelled_out(frame: Frame, test: ast.expr) -> ast.expr:
    """The comparison with None that a call of such a function stands for, in place of the call; else the test itself.

    `self.cache is not None` for `exists(self.cache)`, `self.cache is None` for `not exists(self.cache)`.
    """
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Call() as call):
            op = _asked(frame, call)
            return test if op is None else _comparison(call, _OPPOSITES[op])
        case ast.Call():
            op = _asked(frame, test)
            return test if op is None else _comparison(test, op)
        case _:
            return test


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
