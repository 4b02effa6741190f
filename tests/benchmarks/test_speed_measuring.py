"""Works take turns; what each costs is its process's."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("psutil")

from benchmarks.speed.measuring import Command, FailedRun, Work, measure

BUSY = "import time\nwhile time.process_time() < 0.2: pass"


def work(name: str, code: str, folder: Path, rounds: int, log: list[str]) -> Work:
    @contextmanager
    def setting(number: int) -> Iterator[Command]:
        log.append(f"{name} {number}")
        yield Command((sys.executable, "-I", "-c", code), folder)
        log.append(f"{name} over")

    return Work(name, setting, rounds)


def test_works_take_turns_and_what_is_timed_often_has_a_round_before(tmp_path: Path) -> None:
    log: list[str] = []
    works = [work("often", "", tmp_path, 2, log), work("once", "", tmp_path, 1, log)]
    often, once = measure(works, lambda told: None)
    assert [each for each in log if not each.endswith("over")] == ["often 0", "often 1", "once 1", "often 2"]
    assert log.index("often over") == 1, "a round is cleared up before the next begins"
    assert (len(often.costs), len(once.costs)) == (2, 1)


def test_time_of_processors_and_of_the_wall_and_memory(tmp_path: Path) -> None:
    busy, asleep = measure(
        [
            work("busy", BUSY, tmp_path, 1, []),
            work("asleep", "import time; held = bytearray(30_000_000); time.sleep(0.8)", tmp_path, 1, []),
        ],
        lambda told: None,
    )
    assert busy.costs[0].processor >= 0.2
    assert asleep.costs[0].wall >= 0.8
    assert asleep.costs[0].processor < asleep.costs[0].wall
    assert asleep.peak > 30_000_000


def test_what_its_children_use_counts(tmp_path: Path) -> None:
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-I', '-c', {BUSY!r}])"
    (measured,) = measure([work("starts", code, tmp_path, 1, [])], lambda told: None)
    assert measured.costs[0].processor >= 0.2


def test_a_run_that_fails_is_no_fast_run(tmp_path: Path) -> None:
    with pytest.raises(FailedRun, match="exit code 3"):
        measure([work("fails", "raise SystemExit(3)", tmp_path, 1, [])], lambda told: None)
