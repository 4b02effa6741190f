"""Where values come from."""

from __future__ import annotations

from compilelint.inspect import kinds
from compilelint.inspect.events import Event
from compilelint.report.confidence import Confidence


def made_outside(event: Event) -> bool:
    """What is entered, iterated or advanced was made before the region starts, be it by who calls it.

    Keys of a dict Dynamo makes anew since torch 2.7, unlike its values and items."""
    if event.outside:
        return not (isinstance(event.receiver, kinds.Sequence) and event.receiver.type == kinds.KEYS)
    advanced = event.args[0] if event.type == "call" and event.args else event.receiver
    return advanced is not None and any(
        isinstance(option, kinds.Sequence) and option.given for option in kinds.options(advanced)
    )


def held_by_module(event: Event) -> bool:
    """What is written to is an object that a module holds, and no global, which is another matter."""
    return event.held == "module" and not event.outside


def held_by_global(event: Event) -> bool:
    """What is written to is an object that a global holds, by a method of it."""
    return event.held == "global" and not event.outside


def is_function_made_outside(event: Event) -> bool:
    """What is written to is a function that was made before the region starts: no method, nothing can be set on one."""
    return event.outside and not isinstance(event.receiver, kinds.Method)


def is_hook_handle(event: Event) -> bool:
    """What is written is the handle of a hook."""
    return bool(event.args) and any(
        isinstance(option, kinds.External) and option.cls == "torch.utils.hooks.RemovableHandle"
        for option in kinds.options(event.args[0])
    )


def is_path(event: Event) -> bool:
    """The first argument is a `pathlib` path."""
    return bool(event.args) and event.args[0] == kinds.External("pathlib.Path")


def is_fraction(event: Event) -> bool:
    """The first argument is a `fractions.Fraction`."""
    return bool(event.args) and event.args[0] == kinds.External("fractions.Fraction")


def is_count_made_outside(event: Event) -> bool:
    """The first argument is an `itertools.count` that was made before the region starts."""
    return event.outside and event.args[:1] == (kinds.External("itertools.count"),)


def is_sparse_by_the_callee(event: Event) -> Confidence:
    """What a function for sparse tensors is given, which takes dense ones as well: mostly nothing else tells them
    apart."""
    is_known = any(isinstance(kind, kinds.Tensor) and kind.sparse for kind in event.args[:1])
    return Confidence.HIGH if is_known else Confidence.MEDIUM


def may_change_size(event: Event) -> Confidence | None:
    """The first argument is a tensor with dimensions, which may be of another size in the next call: what the region
    computes is mostly of its input, what was there before may be a parameter, which is as large in each."""
    tensor = kinds.tensor_part(event.args[0]) if event.args else None
    if tensor is None or tensor.ndim == 0:
        return None
    return Confidence.LOW if tensor.parameter else Confidence.MEDIUM
