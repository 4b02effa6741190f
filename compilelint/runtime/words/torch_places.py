"""What to do about a break inside torch, where Dynamo's words are about a line that nobody can change."""

from __future__ import annotations

import re

from compilelint.report.stack import StackFrame

_COUNTS_ITS_CALLS = (
    "With `momentum=None` a batch norm reads how often it was called: give it a momentum. What sets None for a while, "
    "as `torch.optim.swa_utils.update_bn` does, give the model that is not compiled."
)
_PLACES = ((r"torch/nn/modules/batchnorm\.py$", r"Unsupported Tensor\.item\(\) call|Tensor\.item", _COUNTS_ITS_CALLS),)
"""The end of a path, the type of the break, and what to do."""


def advice(place: StackFrame, title: str) -> str:
    """What to do about a break of this type there; empty where nothing more is known than Dynamo says."""
    path = place.path.replace("\\", "/")
    return next((told for file, type_, told in _PLACES if re.search(file, path) and re.match(type_, title)), "")
