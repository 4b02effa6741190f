"""Options of NumPy that `torch._numpy` has by name only: it raises for all but one value.

Source: torch/_numpy, of torch 2.13.0: `NotImplementedType` in `_funcs_impl.py` and `_reductions_impl.py`, `raise
NotImplementedError` in `_ndarray.py` and in the functions that make rows of numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from compilelint.inspect import kinds
from compilelint.inspect.events import Event
from compilelint.inspect.kinds import Kind
from compilelint.report.confidence import Confidence


class _Option(Struct, frozen=True):
    """An option, where it stands if it is not given by name, and the value that is taken."""

    name: str
    place: int | None
    taken: object


_Options: TypeAlias = Mapping[str, tuple[_Option, ...]]


def refused_order(event: Event) -> Confidence | None:
    """How surely the elements are to lie in memory in another order than torch's."""
    return _refused(event, _ORDER)


def refused_part(event: Event) -> Confidence | None:
    """How surely a part of the array is to be reduced, or from another value on."""
    return _refused(event, _REDUCTIONS)


def refused_spacing(event: Event) -> Confidence | None:
    """How surely a row of numbers is to end before its end, to lie along another axis, or to tell its step."""
    return _refused(event, _SPACING)


def refused_copy(event: Event) -> Confidence | None:
    """How surely it is said whether to copy, how to cast, or what to do with an index that is too large."""
    return _refused(event, _COPIES)


def _order(place: int | None, taken: str) -> tuple[_Option, ...]:
    return (_Option("order", place, taken),)


_ORDER: _Options = {
    "numpy.reshape": _order(2, "C"),
    "numpy.ravel": _order(1, "C"),
    "numpy.ndarray.reshape": _order(None, "C"),
    "numpy.ndarray.ravel": _order(0, "C"),
    "numpy.ndarray.flatten": _order(0, "C"),
    "numpy.ndarray.copy": _order(0, "C"),
    "numpy.copy": _order(1, "K"),
    "numpy.array": _order(None, "K"),
    "numpy.asarray": _order(2, "K"),
    "numpy.zeros": _order(2, "C"),
    "numpy.ones": _order(2, "C"),
    "numpy.empty": _order(2, "C"),
    "numpy.full": _order(3, "C"),
    "numpy.zeros_like": _order(2, "K"),
    "numpy.ones_like": _order(2, "K"),
    "numpy.empty_like": _order(2, "K"),
    "numpy.full_like": _order(3, "K"),
    "numpy.eye": _order(4, "C"),
}

_WHERE = _Option("where", None, None)
_INITIAL = _Option("initial", None, None)
_REDUCTIONS: _Options = {
    f"{owner}.{name}": options
    for owner in ("numpy", "numpy.ndarray")
    for names, options in (
        (("sum", "prod", "max", "min"), (_WHERE, _INITIAL)),
        (("mean", "std", "var", "any", "all"), (_WHERE,)),
    )
    for name in names
} | {"numpy.amax": (_WHERE, _INITIAL), "numpy.amin": (_WHERE, _INITIAL)}

_ENDPOINT = _Option("endpoint", 3, taken=True)
_SPACING: _Options = {
    "numpy.linspace": (_ENDPOINT, _Option("retstep", 4, taken=False), _Option("axis", 6, taken=0)),
    "numpy.logspace": (_ENDPOINT, _Option("axis", 6, taken=0)),
    "numpy.geomspace": (_ENDPOINT, _Option("axis", 5, taken=0)),
}

_COPIES: _Options = {
    "numpy.ndarray.astype": (
        *_order(1, "K"),
        _Option("casting", 2, "unsafe"),
        _Option("subok", 3, taken=True),
        _Option("copy", 4, taken=True),
    ),
    "numpy.nan_to_num": (_Option("copy", 1, taken=True),),
    "numpy.take": (_Option("mode", 4, "raise"),),
    "numpy.ndarray.take": (_Option("mode", 3, "raise"),),
}


def _refused(event: Event, options: _Options) -> Confidence | None:
    found = [_differs(given, option.taken) for option in options[event.callee] for given in _given(event, option)]
    return max((confidence for confidence in found if confidence is not None), default=None)


def _given(event: Event, option: _Option) -> list[Kind]:
    named = [value for name, value in event.keywords if name == option.name]
    return named or ([] if option.place is None else list(event.args[option.place : option.place + 1]))


def _differs(given: Kind, taken: object) -> Confidence | None:
    """How surely an argument is another value than the one that is taken."""
    sure = {_is_other(option, taken) for option in kinds.options(given)}
    if sure == {True}:
        return Confidence.HIGH
    return None if sure == {False} else Confidence.LOW


def _is_other(given: Kind, taken: object) -> bool | None:
    match given:
        case kinds.Const(value=value):
            return bool(value) != taken if isinstance(taken, bool) else value != taken
        case kinds.Array() | kinds.Tensor() | kinds.Sequence():
            return True
        case _:
            return None
