"""The runs of `compilelint trace` that are timed, next to the same programs alone and torch's own ways to be watched.

The programs are in programs/ and need some 20 seconds. They are copied into a project that holds a package, which is
the user's own then: the check that goes on beside the program has as much to do as in a project of that size. What
torch has compiled is in its caches, except where it is said.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.speed.check_works import PROGRAM
from benchmarks.speed.measuring import Command, Work

ALONE = "alone"
LOGS = "`TORCH_LOGS=graph_breaks,recompiles`"
TRACE_LOG = "`TORCH_TRACE`"
RECORDED = "`compilelint trace --no-check`"
TRACED = "`compilelint trace`"
TRACED_FIRST = "`compilelint trace`, nothing remembered"

PROGRAMS = {
    "training": "train.py",
    "cheap calls": "cheap_calls.py",
    "compilations": "compilations.py",
}
"""Files in programs/."""
_SOURCES = Path(__file__).parent / "programs"


def works(program: str, folder: Path, rounds: int) -> tuple[Work, ...]:
    """All ways to run one of PROGRAMS, in the project in `folder`."""
    shutil.copy(_SOURCES / PROGRAMS[program], folder)
    script = str(folder / PROGRAMS[program])
    caches, memory = folder.parent / "caches", folder.parent / "memory"
    environment = {"TORCHINDUCTOR_CACHE_DIR": str(caches), "COMPILELINT_CACHE_DIR": str(memory)}
    session = str(folder.parent / "session.jsonl")
    traced = (*PROGRAM, "trace", "--session", session)

    def work(name: str, *words: str, forgotten: Path | None = None, **more: str) -> Work:
        exit_codes = (0, 1) if words[0] == PROGRAM[0] else (0,)

        @contextmanager
        def setting(number: int) -> Iterator[Command]:
            if forgotten is not None:
                shutil.rmtree(forgotten, ignore_errors=True)
            yield Command(words, folder, {**environment, **more}, exit_codes)

        return Work(name, setting, rounds)

    return (
        work(ALONE, sys.executable, script),
        work(LOGS, sys.executable, script, TORCH_LOGS="graph_breaks,recompiles"),
        work(TRACE_LOG, sys.executable, script, TORCH_TRACE=str(folder.parent / "torch trace")),
        work(RECORDED, *traced, "--no-check", script),
        work(TRACED_FIRST, *traced, script, forgotten=memory),
        work(TRACED, *traced, script),
    )
