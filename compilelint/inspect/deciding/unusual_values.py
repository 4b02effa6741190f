"""What names are that get a tensor only under an option that is off by default: `if self.use_mask: mask = x > 0`; and
what is a tensor only if something of which nothing is known is one: `n.contiguous() if is_tensor(n) else n`.

What is done with them later is as unusual as the branch, though no condition stands before it.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.deciding.conditions import asks_for_tensor
from compilelint.inspect.deciding.expectations import Doubt
from compilelint.inspect.environments import Env
from compilelint.inspect.kinds import Kind
from compilelint.inspect.lasting.memos import once_filled
from compilelint.inspect.lasting.run_as_made import filled_as_made
from compilelint.report.confidence import Confidence

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame


def told_apart(frame: Frame, test: ast.expr, usual: bool | Doubt, there: Env, elsewhere: Env) -> list[Env]:
    """What names are at the end of both branches of a condition that usually comes to one outcome; `there` it holds."""
    if isinstance(usual, Doubt) or once_filled(frame, test) is not None or filled_as_made(frame, test) is not None:
        return [there, elsewhere]
    often, seldom = (there, elsewhere) if usual else (elsewhere, there)
    weak = {
        name: unlikely(kind)
        for name, kind in seldom.items()
        if (known := often.get(name)) is not kind and not _is_path(name) and not _is_tensor(known)
    }
    return [often, seldom | weak]


def is_supposed(frame: Frame, test: ast.expr) -> bool:
    """Whether a condition asks of something of which nothing is known whether it is a tensor."""
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            return any(is_supposed(frame, value) for value in values)
        case ast.Call(args=[subject, *_]) if asks_for_tensor(frame, test):
            return frame.inspector.peek(frame, subject) == kinds.UNKNOWN
        case _:
            return False


def beside_unknown(found: Sequence[Kind], of_supposed: Container[int]) -> Sequence[Kind]:
    """What an expression or a function may give, some of it only if such a condition holds: that are hardly tensors, if
    it may also give what nothing is known of."""
    if not of_supposed or kinds.UNKNOWN not in found:
        return found
    return [unlikely(kind) if place in of_supposed else kind for place, kind in enumerate(found)]


def supposed(there: Env, elsewhere: Env) -> Env:
    """What names are at the end of the branch where such a condition held."""
    weak = {name: unlikely(kind) for name, kind in there.items() if elsewhere.get(name) == kinds.UNKNOWN}
    return there | weak if weak else there


def _is_path(name: str) -> bool:
    return "." in name or "[" in name


def _is_tensor(kind: Kind | None) -> bool:
    return kind is not None and kinds.tensor_part(kind) is not None


def unlikely(kind: Kind) -> Kind:
    """The same with tensors that are hardly ones."""
    match kind:
        case kinds.Tensor():
            return replace(kind, confidence=Confidence.LOW)
        case kinds.Scalar(type=type_):
            return kinds.Python(type_)
        case kinds.Union(options=options):
            return kinds.join(*map(unlikely, options))
        case _:
            return kind
