"""Attributes that mean something to Python itself, and those that only the user's code knows."""

from __future__ import annotations

from compilelint.inspect.events import Event

WRITABLE = frozenset({"data", "grad", "real", "imag", "names", "requires_grad", "retains_grad"})
"""Attributes that every tensor has and that may be written."""


def is_class(event: Event) -> bool:
    """The attribute is `__class__`."""
    return event.callee.endswith(".__class__")


def is_unknown_to_tensors(event: Event) -> bool:
    """An attribute is written that tensors do not have by themselves."""
    owner, _, name = event.callee.rpartition(".")
    return owner == "torch.Tensor" and name not in WRITABLE and not name.startswith("__")
