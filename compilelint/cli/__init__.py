"""The command line. What was asked before, of files that are as they were, is told before anything else is imported."""

from __future__ import annotations

import gc
import io
import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from compilelint.recall.answers import Answer


def main() -> None:
    """The `compilelint` command."""
    # The collector would walk over the trees of a whole project again and again, and find nothing to free.
    gc.disable()
    code = run(sys.argv[1:])
    if sys.getprofile() is not None or sys.gettrace() is not None:
        sys.exit(code)
    # The interpreter would free each object of it at the end, which takes as long again.
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def run(arguments: Sequence[str]) -> int:
    """Runs one command; its exit code. Whatever goes wrong ends in one line on stderr and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # File names and sources may hold what the terminal's encoding cannot.
            stream.reconfigure(errors="backslashreplace")
    question, started = None, time.perf_counter()
    if arguments[:1] == ["check"]:
        from compilelint.recall.answers import answer_to
        from compilelint.recall.question import asked

        question = asked(arguments)
        answer = answer_to(question)
        if answer is not None:
            return _told(answer, time.perf_counter() - started)
    from compilelint.cli.commands import run_command
    from compilelint.source.quiet import parser_warnings_ignored

    with parser_warnings_ignored():
        return run_command(arguments, question)


def _told(answer: Answer, seconds: float) -> int:
    """Say again what was said, after so long; the exit code."""
    try:
        sys.stdout.write(answer.output_after(seconds))
        sys.stdout.flush()
    except BrokenPipeError:
        return reader_gone()
    sys.stderr.write(answer.notes)
    return answer.exit_code


def reader_gone() -> int:
    """Nobody reads standard output any more: the exit code."""
    # The interpreter would flush once more at exit, and complain.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 2
