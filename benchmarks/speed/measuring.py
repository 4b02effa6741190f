"""Runs whole processes in turns, and says what each cost: time on the wall, time of processors, memory."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.speed.memory import peak_while


@dataclass(frozen=True, slots=True)
class Command:
    """What is started, and what its exit code may be."""

    words: tuple[str, ...]
    folder: Path
    """Where it runs."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Besides the environment that is there."""
    exit_codes: Collection[int] = (0,)
    """Those of a run that did its work."""

    def whole_environment(self) -> dict[str, str]:
        return {**os.environ, **self.environment}


@dataclass(frozen=True, slots=True)
class Work:
    """Something to be timed."""

    name: str
    setting: Callable[[int], AbstractContextManager[Command]]
    """Prepares a round, which is given by its number, gives its command, and clears up after it."""
    rounds: int
    """How often it is timed."""
    tool: str = "compilelint"


@dataclass(frozen=True, slots=True)
class Cost:
    wall: float
    """Seconds from start to end."""
    processor: float
    """Seconds of user and system time, of the process and all that it started and waited for."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What a work cost, round by round, and the peak of memory of all its processes together, in bytes."""

    work: str
    costs: tuple[Cost, ...]
    peak: int


class FailedRun(Exception):
    """A command did not do its work. The message says which, and shows the end of what it said."""


def measure(works: Sequence[Work], tell: Callable[[str], None]) -> tuple[Measured, ...]:
    """Run all works, round by round, so that what else the machine does hits all of them alike.

    The memory is that of a round before the first, which also warms the caches of the system, and is not timed. A work
    that is timed only once has no such round: its memory is looked at meanwhile. Raises FailedRun.
    """
    peaks: dict[str, int] = {}
    costs: dict[str, list[Cost]] = {work.name: [] for work in works}
    for number in range(max(work.rounds for work in works) + 1):
        for work in works:
            if number > work.rounds or (number == 0 and work.rounds == 1):
                continue
            with work.setting(number) as command:
                cost, peak = _run(command, sampled=number == 0 or work.rounds == 1)
            tell(f"{work.name}, round {number}: {cost.wall:.2f} s, {cost.processor:.2f} s of processors")
            if peak is not None:
                peaks[work.name] = peak
            if number:
                costs[work.name].append(cost)
    return tuple(Measured(work.name, tuple(costs[work.name]), peaks[work.name]) for work in works)


def _run(command: Command, *, sampled: bool) -> tuple[Cost, int | None]:
    started = time.perf_counter()
    process = subprocess.Popen(
        command.words,
        cwd=command.folder,
        env=command.whole_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def wait() -> tuple[Cost, int]:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return Cost(time.perf_counter() - started, usage.ru_utime + usage.ru_stime), process.returncode

    (cost, code), peak = peak_while(process.pid, wait) if sampled else (wait(), None)
    if code not in command.exit_codes:
        raise FailedRun(f"exit code {code} in {command.folder}: {' '.join(command.words)}")
    return cost, peak
