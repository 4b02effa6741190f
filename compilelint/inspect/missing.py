"""Parameters that are made where they are missing: `if mask is None: mask = torch.ones(n)`."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.environments import Env
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import NONE, UNKNOWN, Kind
from compilelint.inspect.parameters import is_missing_by_default
from compilelint.report.confidence import Confidence


def keep_what_is_made(frame: Frame, test: ast.expr, before: Env, made: Env) -> None:
    """After an `if` that makes a parameter of which nothing else tells: what is passed is what is made, or nothing is
    passed."""
    match test:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            kind = made.get(name, UNKNOWN)
            is_open = before.get(name) == UNKNOWN and kind not in (NONE, UNKNOWN)
            if is_open and frame.function is not None and is_missing_by_default(frame.function.node, name):
                frame.env[name] = _unsure(kind)


def _unsure(kind: Kind) -> Kind:
    if isinstance(kind, kinds.Tensor):
        return replace(kind, confidence=min(kind.confidence, Confidence.MEDIUM))
    return kind
