"""Counts calls of a compiled function without a frame of Python: a call that compiles nothing is to cost nothing."""

from __future__ import annotations

import itertools
import operator
import sys
from collections.abc import Callable


class CallCounter:
    """How often `count` was called. It returns what is to be called when the counted call is over.

    That does nothing, but knows the number of its call (`number_of`). All of it is made of functions written in C: what
    is returned for the third call is `(3).bit_length`.
    """

    def __init__(self) -> None:
        self._left = itertools.repeat(1, sys.maxsize)
        numbers = itertools.accumulate(self._left)
        self.count: Callable[[], Callable[[], object]] = map(operator.attrgetter("bit_length"), numbers).__next__

    @property
    def calls(self) -> int:
        return sys.maxsize - operator.length_hint(self._left)


def number_of(over: object) -> int | None:
    """The number of the call for which `CallCounter.count` returned this; None if it is something else."""
    number = getattr(over, "__self__", None)
    return number if type(number) is int else None
