"""What is drawn for a size, `torch.randn(x.shape, generator=None)`: as it is spelled, or handed to a helper."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import UNKNOWN
from compilelint.inspect.sizing import input_sizes, sizes, spelled_sizes
from compilelint.report.confidence import Confidence

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call

DRAWN = ("torch.rand", "torch.randn", "torch.randint")
"""Functions that have no form for a size that varies with a generator, be it None."""


def report_drawn(callee: str, frame: Frame, call: Call) -> None:
    """Report what is drawn for a size with `generator=None`: for one that varies the operator has no such form.

    It fails at the first size that differs, so that what mostly is the same in each call, as a batch, counts.
    """
    if not frame.is_heard or not isinstance(call.node, ast.Call):
        return
    if kinds.NONE not in kinds.options(call.keywords.get("generator", UNKNOWN)):
        return
    written = (*call.node.args, *(each.value for each in call.node.keywords if each.arg == "size"))
    given = [
        part
        for each in written
        for part in _parts(each)
        if _is_handed_size(frame, part) or sizes.is_size_of_local(frame, part)
    ]
    if given:
        is_fixed = all(sizes.is_named_for_count(part) or spelled_sizes.is_width(part) for part in given)
        frame.emit(
            "call",
            call.node,
            callee=callee,
            construct=sizes.OF_SIZE,
            args=call.args,
            keywords=call.keywords,
            confidence=Confidence.LOW if is_fixed else Confidence.MEDIUM,
        )


def _is_handed_size(frame: Frame, node: ast.expr) -> bool:
    """Whether it is a name for a size that the function was given: `noise(x.shape)`."""
    return isinstance(node, ast.Name) and input_sizes.is_whole(frame.env.get(node.id, UNKNOWN))


def _parts(node: ast.expr) -> Sequence[ast.expr]:
    match node:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return [each for part in parts for each in _parts(part)]
        case ast.Starred(value=value):
            return [value]
        case _:
            return [node]
