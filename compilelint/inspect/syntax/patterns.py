"""The patterns of `match` statements: what they ask of their subject, and the names that they bind."""

from __future__ import annotations

import ast

from compilelint.inspect.deciding.truth import decide
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import UNKNOWN, Const, Kind
from compilelint.source.nodes import walk

_CONSTRUCTS: dict[type, str] = {ast.MatchClass: "class", ast.MatchMapping: "mapping"}


def bind(frame: Frame, node: ast.expr, pattern: ast.pattern, subject: Kind) -> None:
    """What `case pattern` does with the subject, which is the value of `node`."""
    if isinstance(pattern, ast.MatchValue):
        decide(frame, node, subject, "match")
    for part in walk(pattern):
        construct = _CONSTRUCTS.get(type(part))
        if construct is not None:
            frame.emit("match", part, construct=construct, receiver=subject if part is pattern else UNKNOWN)
        name = getattr(part, "name", None) or getattr(part, "rest", None)
        if name is not None:
            frame.env[name] = UNKNOWN


def matches(pattern: ast.pattern, subject: Kind) -> bool | None:
    """Whether a pattern fits; None where source does not tell."""
    match pattern:
        case ast.MatchAs(pattern=None):
            return True
        case ast.MatchAs(pattern=ast.pattern() as inner):
            return matches(inner, subject)
        case ast.MatchOr(patterns=choices):
            outcomes = [matches(choice, subject) for choice in choices]
            return True if True in outcomes else None if None in outcomes else False
        case ast.MatchSingleton(value=value) if isinstance(subject, Const):
            return subject.value is value
        case ast.MatchValue(value=ast.Constant(value=value)) if isinstance(subject, Const):
            return bool(subject.value == value)
        case _:
            return None
