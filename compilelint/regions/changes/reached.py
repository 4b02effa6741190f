"""How many of a loop's rounds come to a call: `if i % 100: continue` and `if i >= 3: break` leave some out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from math import ceil

from msgspec.structs import replace

from compilelint.regions.around.driving import Loop
from compilelint.regions.around.scopes import Statement, start_of
from compilelint.regions.changes.variations import Variation
from compilelint.source.nodes import walk

_LEAVES = ast.Continue | ast.Break | ast.Return | ast.Raise


def reached(statement: Statement, loops: tuple[Loop, ...], value: ast.expr, found: Variation) -> Variation:
    """What is left of the values that a loop gives, at a statement that not every round comes to."""
    names = {part.id for part in walk(value) if isinstance(part, ast.Name)}
    counted = {
        part.id for loop in loops if isinstance(loop, ast.For) for part in walk(loop.target) if type(part) is ast.Name
    }
    if len(names & counted) > 1:
        return found
    left = found.values
    for test, holds in _conditions(statement, loops[-1]) if loops else ():
        left = _left(test, holds, names, left)
    return found if left == found.values else replace(found, values=left)


def _conditions(statement: Statement, loop: Loop) -> Iterator[tuple[ast.expr, bool]]:
    """What is so in each round that comes to the statement."""
    above = [*statement.ancestors, statement.node]
    inside = above[above.index(loop) + 1 :] if loop in above else []
    here = start_of(statement.node)
    for part in inside:
        if isinstance(part, ast.If) and part is not statement.node:
            is_in_body = any(child in inside for child in part.body)
            yield part.test, is_in_body
    for beside in loop.body:
        if not isinstance(beside, ast.If) or beside in inside or beside.orelse:
            continue
        if isinstance(beside.body[-1], _LEAVES) and start_of(beside) < here:
            yield beside.test, False
        if isinstance(beside.body[-1], ast.Break | ast.Return) and (last := _last(beside.test)) is not None:
            yield last, True


def _last(test: ast.expr) -> ast.expr | None:
    """What holds in all rounds of a loop that ends with `if i == 3: break`."""
    match test:
        case ast.Compare(left=ast.Name() as left, ops=[ast.Eq()], comparators=[ast.Constant(value=int()) as bound]):
            return ast.copy_location(ast.Compare(left, [ast.LtE()], [bound]), test)
        case _:
            return None


def _left(test: ast.expr, holds: bool, names: set[str], values: int | None) -> int | None:
    """How many of so many values are left where a test of one of the names holds, or does not."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _left(operand, not holds, names, values)
        case ast.BinOp(left=ast.Name(id=name), op=ast.Mod(), right=ast.Constant(value=int(every))) if name in names:
            return ceil(values / every) if values is not None and not holds and every > 0 else values
        case ast.Compare(
            left=ast.BinOp(left=ast.Name(id=name), op=ast.Mod(), right=ast.Constant(value=int(every))),
            ops=[ast.Eq() | ast.NotEq() as op],
            comparators=[ast.Constant(value=int())],
        ) if name in names:
            is_one = isinstance(op, ast.Eq) is holds
            return ceil(values / every) if values is not None and is_one and every > 0 else values
        case ast.Compare(
            left=ast.Name(id=name), ops=[op], comparators=[ast.Constant(value=int() | str() as bound)]
        ) if name in names:
            most = _most(op, bound, holds)
            return values if most is None else most if values is None else min(values, most)
        case _:
            return values


def _most(op: ast.cmpop, bound: int | str, holds: bool) -> int | None:
    """How many values from 0 on a comparison leaves."""
    if isinstance(op, ast.Eq if holds else ast.NotEq):
        return 1
    if not isinstance(bound, int):
        return None
    if isinstance(op, ast.Lt if holds else ast.GtE):
        return max(bound, 1)
    if isinstance(op, ast.LtE if holds else ast.Gt):
        return max(bound + 1, 1)
    return None
