"""Numbers that change from call to call, where a compiled function puts them into text.

Torch 2.11 to 2.13 cannot: an f-string of such a number and of anything else is a graph break that nothing resumes
after (GB0021), and `%` is an exception that Dynamo takes for the program's own (GB0088). A format in an f-string that
is asked of an expression takes the program down since torch 2.6, unless text takes it as well. Else there is one graph
for each value.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect.sizing.formats import is_for_numbers_only
from compilelint.regions.around.compiled import Target
from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes.specialising import Use
from compilelint.regions.changes.spelled import is_made_of, is_rebound, is_spelled, passed_on


def number_text(scope: Scope, target: Target, parameter: str, depth: int = 2) -> Use | None:
    """The first text of a function, or of one that it hands the number on to, that holds a number it is given."""
    if is_rebound(target, parameter):
        return None
    for node in _unconditional(target):
        word = _word(node, parameter)
        if word is not None:
            return Use(word, node, target)
    for inner, name in passed_on(scope, target, parameter):
        use = number_text(scope, inner, name, depth - 1) if depth else None
        if use is not None:
            return use
    return None


def _word(node: ast.AST, parameter: str) -> str | None:
    match node:
        case ast.JoinedStr(values=parts) if len(parts) > 1:
            return next(filter(None, (_in_f_string(part, parameter) for part in parts)), None)
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod(), right=ast.Tuple(elts=parts)):
            return "percent" if any(is_made_of(part, parameter) for part in parts) else None
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod(), right=number):
            return "percent" if is_made_of(number, parameter) else None
        case _:
            return None


def _in_f_string(part: ast.expr, parameter: str) -> str | None:
    match part:
        case ast.FormattedValue(value=value) if is_spelled(value, parameter):
            return "f_string"
        case ast.FormattedValue(value=value, format_spec=form) if is_made_of(value, parameter):
            return "formatted" if is_for_numbers_only(form) else None
        case _:
            return None


def _unconditional(target: Target) -> Iterator[ast.AST]:
    """The nodes of a function that each call comes to, in the order of the source."""
    body = target.node.body
    if isinstance(body, list):
        yield from _of_statements(body)
    else:
        yield from _evaluated(body)


def _of_statements(body: list[ast.stmt]) -> Iterator[ast.AST]:
    for statement in body:
        match statement:
            case ast.If(test=part) | ast.While(test=part) | ast.Assert(test=part):
                yield from _evaluated(part)
            case ast.For(iter=part, body=inner):
                yield from _evaluated(part)
                yield from _of_statements(inner)
            case ast.With(items=items, body=inner):
                for item in items:
                    yield from _evaluated(item.context_expr)
                yield from _of_statements(inner)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Expr() | ast.Return():
                yield from _evaluated(statement)


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """A node and those below it that are evaluated whenever it is."""
    match node:
        case ast.Lambda():
            return
        case ast.IfExp(test=part):
            yield from _evaluated(part)
        case ast.BoolOp(values=[part, *_]):
            yield from _evaluated(part)
        case _:
            yield node
            for below in ast.iter_child_nodes(node):
                yield from _evaluated(below)
