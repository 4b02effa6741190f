"""What Dynamo says of a failed guard, in plain words: what changed, and what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from compilelint.runtime.words import limits, size_advice
from compilelint.runtime.words.guard_classes import (
    class_advice,
    keys_advice,
    of_class,
    of_keys,
    of_tensor,
    unreadable,
    unreadable_advice,
)
from compilelint.runtime.words.guard_names import (
    COMPREHENDED,
    attribute_added,
    dimension,
    is_argument,
    is_of_another_kind,
    literal_kind,
    named,
    spelled,
)
from compilelint.runtime.words.guard_states import changed_states
from compilelint.runtime.words.guards import GuardFailure, values_of
from compilelint.runtime.words.value_advice import ASKED, OF_ASKED, asked_of_number, kept_or, of_set_or, value_advice

_OF_VIEW = re.compile(r"\._base\.size\(|\.storage_offset\(\)")
_OF_VIEWS = (
    "The argument is a view of a larger tensor (a slice, or one of what `torch.where` gives), and Dynamo guards where "
    "it lies in that: pass a copy (`.clone()`)."
)
_OF_FILLED = of_set_or("A cache that the first call fills is one more compilation: fill it before, without compiling.")
_MANY = 4
"""Values listed before the rest is left out."""


def in_words(failures: Sequence[GuardFailure]) -> str:
    """One sentence on the failures of one topic, given in the order of the recompiles that they caused."""
    first = failures[0]
    varied = values_of(failures)
    words = _CAUSES[first.cause].words(first, _listed(varied) if len(varied) > 2 else "")
    if not first.owner:
        return words
    met = "is compiled, and differs" if len(varied) <= 2 else "after the other is compiled, and each differs"
    return f"{'another' if len(varied) <= 2 else 'one'} `{first.owner}` {met}: {words}"


def advice(failures: Sequence[GuardFailure]) -> str:
    """What to change so that recompiles of one topic do not come back; empty where nothing is known."""
    # What to do about sizes of 0 and 1 does not help with the others, and those are more.
    telling = next((each for each in failures if not size_advice.is_apart(each)), failures[0])
    if telling.is_handed_on:
        return "First mend that break."
    if telling.owner:
        return limits.OF_OBJECTS
    would_vary = _would_vary(telling)
    fixed = [each for each in failures if each.static]
    free = [each for each in failures if not each.static]
    # A function may be compiled both ways: by itself, and as a part of what was compiled with `dynamic=False`.
    if fixed and would_vary and not (free and size_advice.is_constant(telling, free)):
        instead = ", or pass a tensor (`torch.tensor(value)`)" if would_vary == "number" else ""
        return (
            f"It is compiled with `dynamic=False`, so that each {would_vary} is a graph of its own: leave that out"
            f"{instead}."
        )
    if telling.cause == "size" and would_vary and size_advice.is_constant(telling, failures):
        return size_advice.OF_CONSTANTS
    asked = next((each.asked for each in failures if each.asked), "")
    if telling.cause == "value" and would_vary == "number" and asked and not telling.resumed:
        return OF_ASKED.format(asked=asked)
    return _CAUSES[telling.cause].advice(telling)


def _would_vary(failure: GuardFailure) -> str:
    """What Dynamo would let vary from its second value on by default; empty for all else."""
    if failure.subject.startswith("self.") or failure.parameter:
        return ""
    if failure.cause in ("size", "size-condition", "sizes"):
        return "size"
    is_number = failure.cause == "value" and literal_kind(failure.old) in ("int", "float") and failure.new != "None"
    return "number" if is_number or failure.cause in ("number-condition", "numbers") else ""


def _listed(values: Sequence[str]) -> str:
    shown = ", ".join(values[:_MANY])
    return f"{shown}, … {values[-1]}" if len(values) > _MANY else shown


def _changed(failure: GuardFailure, what: str, values: str) -> str:
    """`what` with its values: both, all of them, or the one that is known."""
    if values:
        return f"{what} keeps changing: {values}"
    if failure.old and failure.new:
        return f"{what} was {failure.old}, now {failure.new}"
    if failure.old:
        return f"{what} was {failure.old}, and is no longer"
    return f"{what} changed" + (f": now {failure.new}" if failure.new else "")


def _size(failure: GuardFailure, values: str) -> str:
    return _changed(failure, dimension(failure), values)


def _small_size(failure: GuardFailure, _: str) -> str:
    what = dimension(failure)
    return f"{what} is now {failure.new or '0 or 1'}, for which Dynamo always compiles apart"


def _value(failure: GuardFailure, values: str) -> str:
    if failure.subject.endswith(".training"):
        return (
            f"`{failure.subject}` was {failure.old}: train() or eval() was called in between, or it is another module"
        )
    if is_of_another_kind(failure) and failure.new != "None":
        return f"{named(failure)} was {failure.old} before, and is {failure.new} now"
    kind = literal_kind(failure.old) if failure.new != "None" else ""
    what = f"{named(failure)} is a Python {kind}" if kind else named(failure)
    if values:
        return f"{what} that keeps changing: {values}" if kind else _changed(failure, what, values)
    if kind and failure.new:
        return f"{what} that changes: was {failure.old}, now {failure.new}"
    if kind:
        return f"{what} that changes: was {failure.old}"
    return _changed(failure, what, values)


def _tensor_value(failure: GuardFailure, values: str) -> str:
    return _changed(
        failure, f"the value of tensor `{failure.subject}` is compiled in as a Python number, which", values
    )


def _tensor_value_advice(failure: GuardFailure) -> str:
    return (
        f"An index, a size or a bound must be a number. To index, give the tensor a dimension "
        f"(`table[{failure.subject}[None]][0]`): then any value fits; or pass a Python int."
    )


def _asked(failure: GuardFailure, values: str) -> str:
    what = dimension(failure) if failure.index else named(failure)
    now = f"; it is {values or failure.new} now" if values or failure.new else ""
    return f"a condition on {what} no longer holds: `{failure.condition}`{now}"


def _asked_of_size(failure: GuardFailure) -> str:
    return _OF_VIEWS if _OF_VIEW.search(failure.condition) else ASKED


def _missing_advice(failure: GuardFailure) -> str:
    if failure.subject.endswith(".grad"):
        return "Each set of parameters that have a gradient is a graph of its own: let it be the same in each step."
    if is_argument(failure.subject):
        passed = "one" if literal_kind(failure.new) else "a tensor"
        return f"One graph with it and one without is normal; to have only one, always pass {passed}."
    if failure.subject.startswith("self."):
        return (
            "Set it before the first compiled call, for one in `__init__`. If some modules of the class have it and "
            "others do not, each kind is a graph of its own."
        )
    return "Set it before the first compiled call, for one in `__init__`."


def _length(failure: GuardFailure, values: str) -> str:
    if not failure.subject.endswith("._modules"):
        return _changed(failure, f"the length of {named(failure)}", values)
    holder = replace(failure, subject=failure.subject.removesuffix("._modules"))
    return _changed(failure, f"the number of modules in {named(holder)}", values)


def _length_advice(failure: GuardFailure) -> str:
    if failure.subject.endswith("._modules"):
        return "Each number of modules is a graph of its own: fine for a few models (one and its draft)."
    if failure.subject in ("args", "kwargs"):
        return "Each number of arguments is a graph of its own: pass the same ones in each call, in the same way."
    if failure.subject == COMPREHENDED:
        return "Where the graph breaks in a comprehension, it is compiled by itself: mend that break first."
    if is_argument(failure.subject) and not failure.resumed:
        return "Each length is a graph of its own: keep the number of items the same, or stack them into one tensor."
    return (
        "Each length is a graph of its own. What the first calls fill is normal, and ends; what grows with each call "
        "belongs outside the compiled code."
    )


def _object(failure: GuardFailure, _: str) -> str:
    if failure.subject.endswith(".__code__"):
        return f"{named(replace(failure, subject=failure.subject.removesuffix('.__code__')))} is another function now"
    kind = failure.old.rpartition(".")[2]
    if kind == "bool":
        return f"{named(failure)} is a Python bool that changes"
    return f"{named(failure)} is another object of the same kind now{f' ({kind})' if kind else ''}"


def _added(failure: GuardFailure, _: str) -> str:
    if attribute := attribute_added(failure):
        return f"attribute `{spelled(attribute)}` is the object's own now, and was that of its class before"
    return f"{named(failure)} has {failure.new} in it now, and had not before"


def _layout(failure: GuardFailure, values: str) -> str:
    return _changed(failure, f"{named(failure)} has another memory layout: stride {failure.index}", values)


def _quoted(names: str) -> str:
    return re.sub(r"[\"']([^\"']+)[\"'](?=,|$)", r"`\1`", names)


@dataclass(frozen=True, slots=True)
class _Cause:
    words: Callable[[GuardFailure, str], str]
    """From a failure and, where there are more than two, the values that the thing had."""
    advice: Callable[[GuardFailure], str]


def _says(text: str) -> Callable[[GuardFailure, str], str]:
    return lambda failure, _: text.format(named=named(failure), **_fields(failure))


def _fields(failure: GuardFailure) -> dict[str, str]:
    return {"old": failure.old, "new": failure.new, "subject": failure.subject, "condition": failure.condition}


def _always(text: str) -> Callable[[GuardFailure], str]:
    return lambda failure: text


def _attribute(what: str) -> Callable[[GuardFailure, str], str]:
    return lambda failure, values: _changed(failure, f"{what} of {named(failure)}", values)


def _layout_advice(failure: GuardFailure) -> str:
    if failure.array:
        return "Call `np.ascontiguousarray(…)` on it before the compiled call."
    where = "where it is set" if failure.subject.startswith("self.") else "before the compiled call"
    return (
        f"Call `.contiguous()` on it {where}. Where that changes nothing, as along a dimension of size 1, "
        "`.clone(memory_format=torch.contiguous_format)` does."
    )


_CAUSES: dict[str, _Cause] = {
    "size": _Cause(_size, size_advice.of_size),
    "small-size": _Cause(_small_size, size_advice.of_small_size),
    "rank": _Cause(
        _attribute("the number of dimensions"),
        kept_or("Each number of dimensions is a graph of its own: reshape before the compiled call."),
    ),
    "stride": _Cause(_layout, _layout_advice),
    "dtype": _Cause(_attribute("the dtype"), kept_or("Convert to one dtype before the compiled call.")),
    "requires-grad": _Cause(
        lambda failure, _: (
            f"{named(failure)} {'requires no' if failure.old == '1' else 'requires a'} gradient now, "
            f"and {'did' if failure.old == '1' else 'did not'} before"
        ),
        _always(
            "One graph with a gradient and one without is normal. To have only one, give it the same kind of tensor "
            "each time; `detach()` only what needs no gradient."
        ),
    ),
    "dispatch": _Cause(of_keys, keys_advice),
    "tensor-type": _Cause(
        of_tensor,
        _always("One graph for each case is normal; to have only one, always use the same type."),
    ),
    "none": _Cause(_says("optional {named} was None before, and is not now"), _missing_advice),
    "not-none": _Cause(_says("optional {named} is None now, and was not before"), _missing_advice),
    "made": _Cause(_says("{named} was missing before, and is there now"), _missing_advice),
    "gone": _Cause(_says("{named} was there before, and is missing now"), _missing_advice),
    "type": _Cause(
        of_class,
        lambda failure: _missing_advice(failure) if failure.new == "None" else class_advice(failure),
    ),
    "object": _Cause(
        _object,
        _always(
            "Each object is a graph of its own: fine for a few that stay (two optimizers). Made per call, it never "
            "fits: make it once, and pass that one each time."
        ),
    ),
    "function": _Cause(
        _says("it closes over another function now: `{new}`, before `{old}`"),
        _always(
            "All that one decorator is put around shares its wrapper's code: each function is a graph of its own, and "
            "they count together for one `recompile_limit`. Fine for a few; of more, compile what the decorator is put "
            "around: `decorate(torch.compile(function))`. A transform of `torch.func` runs nothing compiled: for each "
            "`vmap(function)`, compile a function of your own that calls it."
        ),
    ),
    "value": _Cause(_value, value_advice),
    "length": _Cause(_length, _length_advice),
    "keys": _Cause(
        _says("the keys of {named} changed (there was {old})"),
        _always("Use the same keys in the same order for each call."),
    ),
    "key-added": _Cause(
        _added,
        lambda failure: (
            "An attribute that the first call sets is one more compilation: set it in `__init__`, on the object itself."
            if attribute_added(failure)
            else _OF_FILLED(failure)
        ),
    ),
    "key-lost": _Cause(
        _says("{named} had {old} in it before, and has not now"),
        of_set_or("Use the same keys in the same order for each call."),
    ),
    "empty": _Cause(_says("{named} was empty before, and is not now"), _length_advice),
    "state": _Cause(
        lambda failure, _: changed_states(failure.subject),
        _always("Call it in the same mode each time; one graph per mode (training, evaluation) is normal."),
    ),
    "modes": _Cause(
        _says("the stack of torch function modes changed (a default device, or a mode of a library)"),
        _always("Set the default device or enter the mode once, before the first compiled call."),
    ),
    "aliased": _Cause(
        lambda failure, _: f"{_quoted(failure.subject)} are the same tensor now, and were not before",
        _always("Do not pass one tensor twice, or clone it."),
    ),
    "not-aliased": _Cause(
        _says("`{old}` and `{subject}` were the same tensor before, and are not now"),
        _always("Pass one tensor twice always, or never."),
    ),
    "freed": _Cause(
        _says("{named} was freed, and its compiled code with it"),
        _always("Keep the module or tensor alive, and compile it once."),
    ),
    "tensor-value": _Cause(_tensor_value, _tensor_value_advice),
    "size-condition": _Cause(_asked, _asked_of_size),
    "number-condition": _Cause(_asked, asked_of_number),
    "sizes": _Cause(_says("a condition on sizes no longer holds: `{condition}`"), _asked_of_size),
    "numbers": _Cause(_says("a condition on numbers no longer holds: `{condition}`"), _always(ASKED)),
    "shape-condition": _Cause(_says("a condition on sizes no longer holds: `{condition}`"), _always(ASKED)),
    "backend": _Cause(
        _says("the same code was compiled with another backend or other options"),
        _always("Compile it once, with one set of options."),
    ),
    "unreadable": _Cause(unreadable, unreadable_advice),
    "missing": _Cause(
        _says("{named} was there before, and is missing now"),
        _always("Pass the same keys and attributes for each call."),
    ),
    "unexplained": _Cause(
        _says("its checks failed, but all passed when Dynamo looked again, as when threads call it at the same time"),
        _always("If several threads call it, call it once before they start."),
    ),
    "condition": _Cause(_says("what the compiled code relied on no longer holds: `{subject}`"), _always("")),
}
