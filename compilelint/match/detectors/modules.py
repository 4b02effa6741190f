"""What is done to modules."""

from __future__ import annotations

from compilelint.inspect import kinds
from compilelint.inspect.events import Event
from compilelint.inspect.kinds import Kind
from compilelint.inspect.signatures.calls import DTYPES


def casts_dtype(event: Event) -> bool:
    """A dtype that a module does not have by default is among the arguments."""
    return any(_is_dtype(arg) for arg in (*event.args, *(value for _, value in event.keywords)))


def _is_dtype(kind: Kind) -> bool:
    match kind:
        case kinds.Reference(name="torch.float32" | "torch.float"):
            return False
        case kinds.Reference(name=name):
            return name.startswith("torch.") and name.removeprefix("torch.") in DTYPES
        case _:
            return False
