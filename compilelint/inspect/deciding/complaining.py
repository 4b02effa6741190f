"""Blocks that only complain: of a use that most programs do not make, or before they give up."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from compilelint.inspect.syntax.raising import never_returns
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame

_OF_LEGACY = {"DeprecationWarning", "PendingDeprecationWarning", "FutureWarning"}
_COMPLAINTS = {"error", "exception", "critical", "deprecate"}


def reports_trouble(frame: Frame, body: Sequence[ast.stmt]) -> bool:
    """Whether a block prepares an error, or warns and leaves: what is in it does not happen when all goes well."""
    match body:
        case [*_, ast.Expr(value=call)] if never_returns(frame, call):
            return True
        case [*_, ast.Raise() | ast.Assert(test=ast.Constant(value=False))]:
            return True
        case [*_, ast.Expr(value=ast.Call(func=ast.Attribute(attr="_assert"), args=[ast.Constant(value=False), *_]))]:
            return True
        case [*before, ast.Return(value=None | ast.Constant() | ast.Name())] if before:
            return only_warns(before)
        case _:
            return False


def only_warns(body: Sequence[ast.stmt]) -> bool:
    """Whether a block does nothing but warn: of a use that most programs do not make.

    Of 82 such branches whose condition the models of docs/accuracy.md came to one was taken
    (benchmarks/accuracy/warning_branches.py).
    """
    before, last = body[:-1], body[-1:]
    return any(map(_is_warning, last)) and all(_is_warning(each) or _is_text(each) for each in before)


def says_deprecated(body: Sequence[ast.stmt]) -> bool:
    """Whether a block warns of a use that is no longer meant, and only hands on what was given so.

    Of 51 such branches (some only warn) whose condition the models of docs/accuracy.md came to one was taken
    (benchmarks/accuracy/warning_branches.py). One that computes something may be what everybody comes to: the loss.
    """
    return (
        any(map(_is_warning, body))
        and any(map(_is_of_legacy, body))
        and all(_is_warning(each) or _hands_on(each) for each in body)
    )


def _hands_on(statement: ast.stmt) -> bool:
    """`mask = attention_mask`, `ids = ids[0]`, `is_adapter = True`."""
    match statement:
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            return not any(isinstance(part, ast.Call) for part in walk(value))
        case _:
            return False


def _is_of_legacy(statement: ast.stmt) -> bool:
    """`deprecate(…)`, `warnings.warn(…, FutureWarning)`, `logger.warning("… is deprecated")`, or such a text."""
    if not (_is_warning(statement) or _is_text(statement)):
        return False
    return any(_names_legacy(part) for part in walk(statement))


def _names_legacy(part: ast.AST) -> bool:
    match part:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in _OF_LEGACY or name == "deprecate"
        case ast.Constant(value=str(text)):
            return "deprecat" in text.lower()
        case _:
            return False


def _is_warning(statement: ast.stmt) -> bool:
    """`warnings.warn(…)`, `logger.warning(…)`, `rank_zero_warn(…)`, `deprecate(…)`, as far as spelling tells."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name))):
            return "warn" in name or name in _COMPLAINTS
        case _:
            return False


def _is_text(statement: ast.stmt) -> bool:
    """`message = f"…"`: what is said by the next statement."""
    match statement:
        case ast.Assign(targets=[ast.Name()], value=ast.JoinedStr() | ast.Constant(value=str())):
            return True
        case _:
            return False
