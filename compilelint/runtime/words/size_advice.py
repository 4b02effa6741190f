"""What to do where a size of a tensor has changed, and what was compiled for it is compiled again."""

from __future__ import annotations

from collections.abc import Sequence

from compilelint.runtime.words.guard_names import is_held, passed
from compilelint.runtime.words.guards import GuardFailure, values_of

_VALUES_OF_WHAT_VARIES = 2
"""For the first value Dynamo makes a graph with a constant, for the second one with what may vary."""
_APART = frozenset({"0", "1"})
OF_CONSTANTS = (
    "Dynamo lets a size vary from its second value on (`dynamic=True`: from the first): something asks for the value "
    "of this one, as a loop does that counts to it, a table that is keyed by it, an option (rules CL522, CL523), or, "
    "for the size of the batch under `torch.vmap`, `cat`, `gather`, `scatter`, a norm or a convolution. Mend that, or "
    "pad to a few sizes."
)
_HELD = "A parameter or a buffer keeps its size: each new one is one more compilation, fine for a few kinds of layer."
_GROWS = "What grows needs its full size from the start."
_PARAMETER = (
    "Of an `nn.Parameter` Dynamo lets no size vary: each is a graph of its own, fine for a few kinds of layer. "
    "Where there are many, set `torch._dynamo.config.force_parameter_static_shapes = False`"
)


def is_constant(failure: GuardFailure, failures: Sequence[GuardFailure]) -> bool:
    """Whether there are more graphs than one for the first size of an input and one for all others, or, where it was
    compiled with `dynamic=True`, than one for all.

    The sizes 0 and 1 are always apart, and so is what comes after one of them: in another mode it may be the first
    that varies. What a layer holds may be of many, and a part after a break has its own reason. Where compiling again
    is forbidden, there is one graph, however often it did not fit.
    """
    if failure.forbidden:
        return False
    is_of_input = not failure.resumed and not is_held(failure.subject)
    varied = values_of(each for each in failures if not is_apart(each))
    if failure.varying and not failure.array:
        return is_of_input and len(varied) > 1
    return is_of_input and len(varied) > _VALUES_OF_WHAT_VARIES


def is_apart(failure: GuardFailure) -> bool:
    """Whether this is about a size of 0 or 1, which Dynamo never lets vary: `mark_dynamic` changes nothing."""
    return failure.cause == "size" and bool({failure.old, failure.new} & _APART)


def of_size(failure: GuardFailure) -> str:
    if failure.subject.startswith("self."):
        return f"{_HELD} Another attribute may vary from its second size on. {_GROWS}"
    if failure.parameter:
        return f"{_PARAMETER}, and leave out `dynamic=False`." if failure.static else f"{_PARAMETER}."
    if is_apart(failure):
        return of_small_size(failure)
    if failure.array:
        return _of_array(failure)
    # `mark_dynamic` raises where Dynamo settles on a size after all, as for an input whose target is not marked.
    dynamic = f"`torch._dynamo.maybe_mark_dynamic({passed(failure)}, {failure.index})`"
    if is_held(failure.subject):
        return f"If an input's size really varies, call {dynamic} before the first compiled call. {_HELD} {_GROWS}"
    if failure.resumed:
        return (
            "The part of the function after a graph break depends on it: mend that break first, or, if it comes in "
            f"with that size, call {dynamic} before the first compiled call, and so for every input of that size."
        )
    return (
        f"If the size really varies, call {dynamic} before the first compiled call, and so for every input that has "
        f"this size; {_else(failure)}"
    )


def _of_array(failure: GuardFailure) -> str:
    # What marks a size writes to an attribute of the tensor: for an array it raises.
    if failure.resumed:
        return "The part of the function after a graph break depends on it: mend that break first."
    return (
        "Once is normal: from its second value on, Dynamo lets the size of an array vary. To have one graph from the "
        "first call on, pass a tensor (`torch.from_numpy(array)`) that "
        f"`torch._dynamo.maybe_mark_dynamic(tensor, {failure.index})` has marked; {_else(failure)}"
    )


def _else(failure: GuardFailure) -> str:
    """What keeps a size the same; the first dimension alone is that of the batch, of which the last one is smaller."""
    if failure.index == "0" and not _grew(failure):
        return "if it is only the last batch, `drop_last=True` in the DataLoader, or pad."
    return "else pad to one size, or to one of a few."


def _grew(failure: GuardFailure) -> bool:
    return failure.old.isdigit() and failure.new.isdigit() and int(failure.new) > int(failure.old)


def of_small_size(failure: GuardFailure) -> str:
    # `mark_unbacked` is no way out: whatever asks for the size then (a convolution, a mask) breaks the graph.
    avoid = "avoid them (`drop_last=True`, or pad)" if failure.index == "0" else "pad"
    return f"Dynamo always compiles the sizes 0 and 1 apart: {avoid}. One more graph each is all that it costs."
