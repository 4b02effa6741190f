"""Units walked in several processes at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

from compilelint.analysis import forks, spawns
from compilelint.analysis.job import Job, Walked
from compilelint.match.units import Unit

_WORTH_A_COPY = 20_000
"""Characters of source that are worth one more process where it is a copy of this one."""
_WORTH_SHARING = 4
"""So many units are walked sooner by copies if these have what the first of them needed; fewer need not wait for it."""
_WORTH_A_START = 600_000
"""The same where it has to be started: about what is walked in the time that this takes."""


def walk_all(
    job: Job,
    walk: Callable[[Unit], Walked],
    units: Sequence[Unit],
    sizes: Sequence[int],
    jobs: int,
    done: Callable[[int], None],
) -> Iterator[tuple[int, Walked]]:
    """Walk units in up to `jobs` processes, this one included; what each shows, by its position, in any order.

    `walk` is how this process does it: a `walker` of the job. `sizes` are the characters of the units'
    files: the largest are begun first. `done` is called with how many are done. Raises RootError as `walk` does, and
    WorkerError.
    """
    order = sorted(range(len(units)), key=lambda position: -sizes[position])
    for finished, walked in enumerate(_walked(job, walk, units, order, sum(sizes), min(jobs, len(units)) - 1), 1):
        yield walked
        done(finished)


def _walked(
    job: Job, walk: Callable[[Unit], Walked], units: Sequence[Unit], order: list[int], size: int, others: int
) -> Iterator[tuple[int, Walked]]:
    if not forks.are_safe():
        yield from spawns.walk_all(job, walk, units, order, min(others, size // _WORTH_A_START))
        return
    about_torch = [position for position in order if units[position].about_torch]
    if len(about_torch) >= _WORTH_SHARING:
        # A small one, for what many need: it is parsed and walked once then, not by each copy.
        first = about_torch[-1]
        order.remove(first)
        yield first, walk(units[first])
    copies = max(0, min(others, len(order) - 1, size // _WORTH_A_COPY))
    yield from forks.walk_all(walk, units, order, copies)


def processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
