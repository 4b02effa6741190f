"""What a function of a package gives as it is mostly called: nothing, where an option turns on what it is about."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from compilelint.inspect.deciding.expectations import expected
from compilelint.inspect.frame import Frame
from compilelint.source.nodes import walk


def is_usually_none(frame: Frame, body: Sequence[ast.stmt]) -> bool:
    """Whether a function that may give something gives None with default options.

    `if self.group_key is None: return None`, before it looks for groups. What its caller does with groups then is not
    usual either, which `if groups is not None:` there does not tell.
    """
    for index, statement in enumerate(body):
        match statement:
            case ast.Return(value=value):
                return value is None or (isinstance(value, ast.Constant) and value.value is None)
            case ast.If() if _returns(statement):
                usual = expected(frame, statement.test, None)
                if not isinstance(usual, bool):
                    return False
                taken = statement.body if usual else statement.orelse
                if any(map(_returns, taken)):
                    return is_usually_none(frame, [*taken, *body[index + 1 :]])
            case _ if _returns(statement):
                return False
    return True


def _returns(statement: ast.stmt) -> bool:
    return any(isinstance(part, ast.Return) for part in walk(statement))
