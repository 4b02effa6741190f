"""What a process that walks units answers, and what is told where it cannot."""

from __future__ import annotations

import traceback
from collections.abc import Callable

from msgspec import Struct

from compilelint.analysis.job import Walked
from compilelint.match.units import Unit


class WorkerError(Exception):
    """A worker could not do its work; the message says why."""


class WorkerTraceback(Exception):
    """Where in a worker something was raised: its traceback, as text. It is the cause of what is raised here."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


class Raised(Struct, frozen=True):
    """What a worker answers if a unit cannot be walked: the traceback of an exception does not go through a pipe."""

    error: Exception
    traceback: str


def answer(walk: Callable[[Unit], Walked], unit: Unit) -> Walked | Raised:
    """What a worker answers for a unit."""
    try:
        return walk(unit)
    except Exception as error:
        return Raised(error, traceback.format_exc())


def opened(walked: Walked | Raised | WorkerError) -> Walked:
    """What a worker's answer holds. Raises what the worker raised, or WorkerError."""
    match walked:
        case WorkerError():
            raise walked
        case Raised(error, told):
            raise error from WorkerTraceback(told)
        case _:
            return walked
