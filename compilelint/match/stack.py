"""Room on Python's stack for what calls deep, and returns, very often."""

from __future__ import annotations

import functools
import struct
from collections.abc import Callable
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")
_ROOM = 1 << 20
"""Bytes. Frames of Python functions take some hundred bytes each, and Python allows for a thousand of them."""


def with_room(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """The same function; what it calls finds a stack that need not grow.

    CPython 3.11 and later keep the frames of Python functions in chunks of 16 KiB, and give a chunk back to the system
    as soon as the last frame in it returns: who calls, again and again, from the end of one chunk into the next has
    memory mapped and unmapped each time (https://github.com/python/cpython/issues/142183). For a frame that is larger
    than that a chunk is made that is large enough: the least power of two, of which those that are called have the
    rest. So this calls the function from a frame that claims to need more than half of such a chunk. Memory of the
    system's is only taken where something is written to.
    """

    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        return function(*args, **kwargs)

    call.__code__ = call.__code__.replace(co_stacksize=_ROOM // struct.calcsize("P"))
    return functools.update_wrapper(call, function)
