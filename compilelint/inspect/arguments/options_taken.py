"""What a function does with its `**options`: whether it only asks what is there, or puts more into them."""

from __future__ import annotations

import ast

from compilelint.source.model import FunctionNode
from compilelint.source.nodes import walk

ASKED, PASSED_ON, CHANGED = "asked", "passed on", "changed"
_ASK = frozenset({"get", "pop", "keys", "values", "items"})
_LOOK = frozenset({"len", "bool", "sorted", "list", "set", "tuple", "any"})


def use_of_rest(node: FunctionNode) -> str:
    """Whether a function asks of its `**options` what they hold, hands them on as they are (`f(x, **options)`) and
    does nothing else, or may change them: then a call does not tell what is in them. "" where it has none.

    What takes something out of them is no change: what a call did not give is not there afterwards, either.
    """
    rest = node.args.kwarg
    if rest is None:
        return ""
    uses = {part: "" for part in walk(node) if isinstance(part, ast.Name) and part.id == rest.arg}
    asked = False
    for part in walk(node):
        for use, asks in _uses_in(part):
            if use in uses:
                del uses[use]
                asked = asked or asks
    if uses:
        return CHANGED
    return ASKED if asked else PASSED_ON


def _uses_in(part: ast.AST) -> list[tuple[ast.expr, bool]]:
    """What an expression uses in a way that does not change it, and whether that asks what it holds."""
    match part:
        case ast.keyword(arg=None, value=options):
            return [(options, False)]
        case ast.Call(func=ast.Attribute(value=options, attr=method)) if method in _ASK:
            return [(options, True)]
        case ast.Call(func=ast.Name(id=function), args=[options]) if function in _LOOK:
            return [(options, True)]
        case ast.Subscript(value=options, ctx=ast.Load() | ast.Del()):
            return [(options, True)]
        case ast.Compare(ops=ops, comparators=operands):
            pairs = zip(ops, operands, strict=True)
            return [(options, True) for op, options in pairs if isinstance(op, ast.In | ast.NotIn)]
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) | ast.Assert(test=test):
            return [(options, True) for options in _asked_in(test)]
        case ast.For(iter=options) | ast.comprehension(iter=options):
            return [(options, True)]
        case _:
            return []


def _asked_in(test: ast.expr) -> list[ast.expr]:
    """What a condition asks for its truth, and gives nobody."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _asked_in(operand)
        case ast.BoolOp(values=values):
            return [options for value in values for options in _asked_in(value)]
        case _:
            return [test]
