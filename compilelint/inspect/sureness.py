"""How sure it is what a value is."""

from __future__ import annotations

from compilelint.inspect import kinds
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.report.confidence import Confidence


def is_tensor_like(kind: Kind) -> bool:
    """A tensor, or one of several things of which one is a tensor."""
    return kinds.tensor_part(kind) is not None


def sureness(kind: Kind) -> Confidence:
    """How sure the kind is: that of the tensor in it, HIGH for what is known to be none, LOW where nothing is known."""
    tensor = kinds.tensor_part(kind)
    if tensor is not None:
        return tensor.confidence
    return Confidence.LOW if kind == UNKNOWN else Confidence.HIGH


def confidence_of(base: Kind, option: Kind) -> Confidence:
    """How sure it is that a value of kind `base` is this option of it."""
    if isinstance(option, kinds.Tensor):
        return sureness(base)
    others = [other for other in kinds.options(base) if other not in (option, kinds.NONE)]
    if isinstance(option, kinds.Array) and kinds.tensor_part(base) is not None:
        # A function for tensors and arrays: in a region it is given tensors.
        return Confidence.LOW
    return Confidence.MEDIUM if others else Confidence.HIGH
