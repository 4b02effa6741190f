"""The memory of a process and of all that it started, at its peak."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import psutil

Result = TypeVar("Result")

_PAUSE = 0.01
"""Seconds between two looks."""
_SHARE = 50
"""Between two looks is at least so many times as long as a look keeps a processor busy."""


def peak_while(pid: int, wait: Callable[[], Result]) -> tuple[Result, int]:
    """What `wait()` returns, and the most bytes that the process and its descendants were seen to have until then."""
    peak, over = 0, threading.Event()

    def look() -> None:
        nonlocal peak
        while not over.is_set():
            started = time.thread_time()
            peak = max(peak, in_tree(pid))
            over.wait(max(_PAUSE, _SHARE * (time.thread_time() - started)))

    watching = threading.Thread(target=look, daemon=True)
    watching.start()
    try:
        result = wait()
    finally:
        over.set()
        watching.join()
    return result, peak


def in_tree(pid: int) -> int:
    """Bytes that a process and its descendants have now; 0 if it is over.

    Pages that several of them share count once where the system tells (Linux: PSS), else once for each (RSS).
    """
    try:
        process = psutil.Process(pid)
        tree = [process, *process.children(recursive=True)]
    except psutil.Error:
        return 0
    return sum(_all_told(tree))


def _all_told(processes: Iterable[Any]) -> Iterable[int]:
    for process in processes:
        try:
            memory = process.memory_full_info()
        except (psutil.Error, OSError):
            continue  # over meanwhile
        yield getattr(memory, "pss", memory.rss)
