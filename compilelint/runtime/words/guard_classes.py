"""What Dynamo says of a guard on what something is: its class, and of a tensor its device and sort."""

from __future__ import annotations

from compilelint.runtime.words.guard_names import class_of, is_argument, named
from compilelint.runtime.words.guards import GuardFailure


def of_class(failure: GuardFailure, _: str) -> str:
    """An object that is of another class now."""
    if failure.new == "None":
        return f"optional {named(failure)} is None now, and was not before"
    if is_made_each(failure):
        return f"{named(failure)} is of another class of the same name now ({failure.old})"
    now = class_of(failure.new)
    return f"{named(failure)} is of another class now (it was {failure.old}{f', now {now}' if now else ''})"


def is_made_each(failure: GuardFailure) -> bool:
    """Whether both classes have one name: somebody makes a class for each object."""
    return class_of(failure.new) == failure.old.rpartition(".")[2]


def class_advice(failure: GuardFailure) -> str:
    """What to do about objects of several classes."""
    if ".parametrize." in failure.old and is_made_each(failure):
        return (
            "A parametrization (`weight_norm`, `spectral_norm`) gives each layer a class of its own, and each class is "
            "a graph of its own: compile what holds all these layers, in one graph, or take it off where nothing is "
            "trained (`torch.nn.utils.parametrize.remove_parametrizations`)."
        )
    few = ", else pass tensors only." if is_argument(failure.subject) else " kinds of it."
    return f"Each class is a graph of its own: fine for a few{few}"


def of_tensor(failure: GuardFailure, _: str) -> str:
    """What was a tensor and is of another class now: of the class before Dynamo says only that it is a tensor's."""
    if "torch.nn.parameter." in failure.new:
        now = written(failure.new.replace(".parameter", ""))
        return f"{named(failure)} is {now} now, and was another kind of tensor before"
    if "torch.Tensor" in failure.new:
        return (
            f"{named(failure)} is a plain `torch.Tensor` now, and was of another class before, such as `nn.Parameter`"
        )
    return f"{named(failure)} was a tensor before, and is {written(failure.new)} now"


def of_keys(failure: GuardFailure, _: str) -> str:
    """A tensor with other dispatch keys: they tell its device, and whether it is one of inference mode."""
    lost, gained = _lost_and_gained(failure)
    what = named(failure)
    if _is_of_inference(lost + gained):
        return f"{what} {'is' if lost else 'was'} an inference tensor {'now' if lost else 'before'}"
    if lost and gained:
        return f"{what} is on another device now: {lost[0]} before, now {gained[0]}"
    return f"{what} is another kind of tensor now ({', '.join(lost + gained)})"


def keys_advice(failure: GuardFailure) -> str:
    """What to do about other dispatch keys."""
    lost, gained = _lost_and_gained(failure)
    if _is_of_inference(lost + gained):
        return (
            "One graph for tensors that `torch.inference_mode()` makes and one for all others is normal; to have only "
            "one, make the tensor and call it in the same mode each time (`torch.no_grad()` makes no others)."
        )
    return "Make the tensor the same way, on the same device, for each call."


def _lost_and_gained(failure: GuardFailure) -> tuple[list[str], list[str]]:
    old, new = (
        [key for key in keys.strip().removeprefix("DispatchKeySet(").rstrip(")").split(", ") if key]
        for keys in (failure.old, failure.new)
    )
    return [key for key in old if key not in new], [key for key in new if key not in old]


def _is_of_inference(keys: list[str]) -> bool:
    return all(key.startswith(("Autograd", "ADInplace")) for key in keys)


def written(text: str) -> str:
    """A class as a sentence names it: `<class 'int'>` is "an `int`"."""
    name = text.removeprefix("<class '").removesuffix("'>")
    return "None" if name == "NoneType" else f"{'an' if name[:1] in 'aeio' else 'a'} `{name}`"


_OF_BASE = ("size", "stride", "storage_offset")
"""What Dynamo reads of the tensor that an argument is a view of: `x._base.size()`."""


def unreadable(failure: GuardFailure, _: str) -> str:
    """Something that has no such attribute any more, as no tensor has a base that is no view."""
    read = f"something is {written(failure.new)} now of which `.{failure.index}` was read before"
    if failure.index not in _OF_BASE:
        return read
    return f"a tensor that was a view of a larger one, as slices are, is a tensor of its own now, or missing: {read}"


def unreadable_advice(failure: GuardFailure) -> str:
    """What to do about it."""
    if failure.index not in _OF_BASE:
        return "One graph with it and one without is normal; to have only one, always pass it."
    return (
        "One graph for views and one for other tensors is normal; to have only one, `.clone()` what may be a slice "
        "before the compiled call. Of what may be missing, always pass a tensor."
    )
