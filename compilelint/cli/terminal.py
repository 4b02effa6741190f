"""What the terminal can show."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TextIO

_PATIENCE = 1.0
"""Seconds without a progress bar."""


def wants_color(stream: TextIO) -> bool:
    """Whether to write ANSI codes: on a terminal, unless NO_COLOR; elsewhere only with FORCE_COLOR."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Columns of the terminal; 100 where there is none."""
    return shutil.get_terminal_size((100, 24)).columns


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None] | None]:
    """A callback (done, total) that draws a bar on stderr once a second has passed; None off a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    started = time.monotonic()
    update: Callable[[int, int], None] | None = None
    with ExitStack() as stack:

        def advance(done: int, total: int) -> None:
            nonlocal update
            if update is None and time.monotonic() - started >= _PATIENCE:
                update = _bar(label, stack)
            if update is not None:
                update(done, total)

        yield advance


def _bar(label: str, stack: ExitStack) -> Callable[[int, int], None]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    bar = stack.enter_context(Progress(*columns, console=Console(stderr=True), transient=True))
    task = bar.add_task(label, total=None)
    return lambda done, total: bar.update(task, completed=done, total=total)
