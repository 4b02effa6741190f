from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from compilelint.match.stack import with_room

resource = pytest.importorskip("resource", reason="counts page faults as POSIX does")


def page_faults(work: Callable[[], object]) -> int:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    work()
    return int(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)


def calls_at_every_depth(depth: int = 300) -> None:
    """At each depth calls that go a little deeper, and return."""
    for _ in range(500):
        go_deeper(3)
    if depth:
        calls_at_every_depth(depth - 1)


def go_deeper(depth: int) -> None:
    if depth:
        go_deeper(depth - 1)


def test_calls_at_no_depth_take_memory_of_the_system_anew() -> None:
    work = with_room(calls_at_every_depth)
    work()
    assert page_faults(work) < 500


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="in others frames lie elsewhere, or a chunk is kept")
def test_without_room_they_do() -> None:
    calls_at_every_depth()
    assert page_faults(calls_at_every_depth) > 500


def test_what_is_given_and_what_comes_back_are_the_functions_own() -> None:
    @with_room
    def divide(number: int, *, by: int) -> float:
        """Says what it does."""
        return number / by

    assert divide(6, by=3) == 2
    assert (divide.__name__, divide.__doc__) == ("divide", "Says what it does.")
    with pytest.raises(ZeroDivisionError):
        divide(1, by=0)


def test_recursion_still_ends() -> None:
    def endless() -> None:
        endless()

    with pytest.raises(RecursionError):
        with_room(endless)()
