"""What a function is to its region."""

from __future__ import annotations

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.events import Event, Mode, Place, Span
from compilelint.match.detectors.functions import made_in_region, outlives_the_call


def event(*args: kinds.Kind) -> Event:
    return Event("call", Span(1, 1, 1, 2), Place("a.py", "f", ("r", "f"), Mode()), args=args)


def test_a_function_with_a_closure_is_made_in_the_region() -> None:
    assert made_in_region(event(kinds.Function(("a.py", 1, 0), "same", closure={})))


def test_a_function_of_the_module_is_made_outside() -> None:
    assert not made_in_region(event(kinds.Function(("a.py", 1, 0), "same")))


def test_no_argument_and_another_kind_are_no_function() -> None:
    assert not made_in_region(event())
    assert not made_in_region(event(kinds.TENSOR))


def test_what_the_root_writes_to_outlives_the_call() -> None:
    assert outlives_the_call(event())


def test_of_what_it_calls_only_a_global_does() -> None:
    deeper = replace(event(), place=Place("a.py", "g", ("r", "f", "g"), Mode()))
    assert not outlives_the_call(deeper)
    assert outlives_the_call(replace(deeper, outside=True))
