"""How code asks whether something is there already, and keeps it if it is."""

from __future__ import annotations

import ast

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame
from compilelint.source.nodes import walk


def asks_whether_missing(test: ast.expr, target: ast.expr) -> bool:
    match test, target:
        case ast.Compare(left=left, ops=[ast.Is()], comparators=[ast.Constant(value=None)]), _:
            return reads(left, target)
        case ast.UnaryOp(
            op=ast.Not(), operand=ast.Call(func=ast.Name(id="hasattr"), args=[owner, name])
        ), ast.Attribute(value=value, attr=attr):
            return isinstance(name, ast.Constant) and name.value == attr and ast.unparse(owner) == ast.unparse(value)
        case ast.Compare(left=key, ops=[ast.NotIn()], comparators=[container]), ast.Subscript():
            return is_item(target, container, key)
        case _:
            return False


def reads(value: ast.expr, target: ast.expr) -> bool:
    """Whether an expression is what a target holds, or None: `self.table`, `getattr(self, "table", None)`."""
    match value, target:
        case ast.Call(
            func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=name), ast.Constant(value=None)]
        ), ast.Attribute(value=holder, attr=attr):
            return name == attr and ast.unparse(owner) == ast.unparse(holder)
        case _:
            return type(value) is type(target) and ast.unparse(value) == ast.unparse(target)


def is_item(target: ast.Subscript, container: ast.expr, key: ast.expr) -> bool:
    return ast.unparse(container) == ast.unparse(target.value) and ast.unparse(key) == ast.unparse(target.slice)


def keeps_what_is_there(frame: Frame, target: ast.Attribute, statement: ast.stmt) -> bool:
    """Whether a statement gives its target a value only if it has none, by what it says itself."""
    if not isinstance(statement, ast.Assign):
        return False
    match statement.value:
        case ast.BoolOp(op=ast.Or(), values=[ast.Attribute() as first, *_]):
            return _is_same(first, target)
        case ast.IfExp(test=test, orelse=ast.Attribute() as kept):
            return _is_same(kept, target) and asks_whether_missing(test, target)
        case ast.IfExp(
            test=ast.Compare(left=asked, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]), body=kept
        ):
            return _is_same(asked, target) and _is_same(kept, target)
        case ast.Call(func=func, args=[ast.Attribute() as first, _]) if _is_same(first, target):
            return _gives_one_of_two(frame, func)
        case _:
            return False


def _is_same(node: ast.expr, target: ast.expr) -> bool:
    return type(node) is type(target) and ast.unparse(node) == ast.unparse(target)


def _gives_one_of_two(frame: Frame, func: ast.expr) -> bool:
    """`default(value, other)`: whether a function of the project gives its first argument, or else its second."""
    callee = frame.inspector.peek(frame, func)
    info = frame.inspector.tree.function(callee.key) if isinstance(callee, kinds.Function) else None
    if info is None or isinstance(info.node, ast.Lambda) or len(info.node.args.args) != 2:
        return False
    first, second = (arg.arg for arg in info.node.args.args)
    match info.node.body[-2:]:
        case [ast.Return(value=ast.IfExp(body=ast.Name(id=name), orelse=other))]:
            pass
        case [ast.If(body=[ast.Return(value=ast.Name(id=name))], orelse=[]), ast.Return(value=ast.expr() as other)]:
            pass
        case _:
            return False
    return name == first and any(isinstance(part, ast.Name) and part.id == second for part in walk(other))
