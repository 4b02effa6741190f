"""What names are that get a tensor only under an option that is off by default: `if self.use_mask: mask = x > 0`.

What is done with them later is as unusual as the branch, though no condition stands before it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from msgspec.structs import replace

from compilelint.inspect import kinds
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
        name: _unlikely(kind)
        for name, kind in seldom.items()
        if (known := often.get(name)) is not kind and not _is_path(name) and not _is_tensor(known)
    }
    return [often, seldom | weak]


def _is_path(name: str) -> bool:
    return "." in name or "[" in name


def _is_tensor(kind: Kind | None) -> bool:
    return kind is not None and kinds.tensor_part(kind) is not None


def _unlikely(kind: Kind) -> Kind:
    match kind:
        case kinds.Tensor():
            return replace(kind, confidence=Confidence.LOW)
        case kinds.Scalar(type=type_):
            return kinds.Python(type_)
        case kinds.Union(options=options):
            return kinds.join(*map(_unlikely, options))
        case _:
            return kind
