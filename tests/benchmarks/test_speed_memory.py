"""The memory of a process tree, of real processes."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

pytest.importorskip("psutil")

from benchmarks.speed.memory import in_tree, peak_while

MEGABYTES = 10**6
HOLDS = "held = bytearray(40_000_000); print('holds', flush=True); input()"
STARTS = f"import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-c', {HOLDS!r}]))"


def test_what_a_child_holds_counts_and_nothing_once_it_is_over() -> None:
    process = subprocess.Popen([sys.executable, "-c", STARTS], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdout.readline()
    try:
        assert in_tree(process.pid) > 40 * MEGABYTES
    finally:
        process.communicate(b"\n")
    assert in_tree(process.pid) == 0


def test_the_peak_is_told_after_what_had_it_is_over() -> None:
    process = subprocess.Popen([sys.executable, "-c", STARTS], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def wait() -> str:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.2)
        process.communicate(b"\n")
        return "over"

    result, peak = peak_while(process.pid, wait)
    assert result == "over"
    assert 40 * MEGABYTES < peak < 400 * MEGABYTES
