"""Formats of an f-string, as Dynamo applies them to a number that it has a symbol for: to the text of the symbol."""

from __future__ import annotations

import ast


def is_for_numbers_only(form: ast.expr | None) -> bool | None:
    """Whether a format is one that text refuses: `03d`, `.2f`, but not `>4`; None where it is computed."""
    match form:
        case None:
            return False
        case ast.JoinedStr(values=[ast.Constant(value=str(written))]):
            try:
                format("", written)
            except ValueError:
                return True
            return False
        case _:
            return None
