"""The patterns of `match` statements: what they ask of their subject, and the names that they bind."""

from __future__ import annotations

import ast

from compilelint.inspect.deciding.instance_checks import is_instance
from compilelint.inspect.deciding.truth import decide
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import UNKNOWN, Const, Instance, Kind
from compilelint.source.nodes import walk

_CONSTRUCTS: dict[type, str] = {ast.MatchClass: "class", ast.MatchMapping: "mapping"}


def ask(frame: Frame, node: ast.expr, pattern: ast.pattern, subject: Kind) -> None:
    """What `case pattern` asks of the subject, which is the value of `node`, whether it fits or not."""
    if isinstance(pattern, ast.MatchValue):
        decide(frame, node, subject, "match")
    for part in walk(pattern):
        construct = _CONSTRUCTS.get(type(part))
        if construct is not None:
            frame.emit("match", part, construct=construct, receiver=subject if part is pattern else UNKNOWN)


def bind(frame: Frame, pattern: ast.pattern) -> None:
    """The names that a pattern gives to what fits it."""
    for part in walk(pattern):
        name = getattr(part, "name", None) or getattr(part, "rest", None)
        if name is not None:
            frame.env[name] = UNKNOWN


def matches(frame: Frame, pattern: ast.pattern, subject: Kind) -> bool | None:
    """Whether a pattern fits; None where source does not tell."""
    match pattern:
        case ast.MatchAs(pattern=None):
            return True
        case ast.MatchAs(pattern=ast.pattern() as inner):
            return matches(frame, inner, subject)
        case ast.MatchOr(patterns=choices):
            outcomes = [matches(frame, choice, subject) for choice in choices]
            return True if True in outcomes else None if None in outcomes else False
        case ast.MatchSingleton(value=value) if isinstance(subject, Const):
            return subject.value is value
        case ast.MatchValue(value=ast.Constant(value=value)) if isinstance(subject, Const):
            return bool(subject.value == value)
        case ast.MatchClass(cls=cls, patterns=[], kwd_patterns=[]) if isinstance(subject, Instance):
            answer = is_instance(frame, subject, frame.inspector.peek(frame, cls))
            return bool(answer.value) if isinstance(answer, Const) else None
        case ast.MatchClass(cls=cls) if isinstance(subject, Instance):
            # What its parts are is another question.
            return False if is_instance(frame, subject, frame.inspector.peek(frame, cls)) == Const(False) else None
        case _:
            return None
