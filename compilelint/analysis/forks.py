"""Units walked by copies of this process: they have all that it has read and parsed, and take next to no time to start.

All take the next unit from one list, the largest first, so that they have done at about the same time.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO, NoReturn, TypeAlias

from compilelint.analysis.answers import Raised, WorkerError, answer, opened
from compilelint.analysis.job import Walked
from compilelint.match.units import Unit

_BYTES = 8
"""Of a position in the list."""


@dataclass(slots=True)
class _Copy:
    process: int
    answers: BinaryIO
    has_ended: bool = False


_Answer: TypeAlias = tuple[int, Walked | Raised | WorkerError] | None
"""A position with what was walked there, or what went wrong; None where no more comes."""
_Answers: TypeAlias = SimpleQueue[tuple[_Copy, _Answer]]


def are_safe() -> bool:
    """Whether this process may be copied: a copy has none of its threads, so what these hold locked stays so in it.

    Only Linux tells of all threads, also of those that are not Python's.
    """
    if sys.platform != "linux":
        return False
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


def walk_all(
    walk: Callable[[Unit], Walked], units: Sequence[Unit], order: Sequence[int], copies: int
) -> Iterator[tuple[int, Walked]]:
    """Walk the units at these positions, here and in up to so many copies; what each shows, as it comes.

    `are_safe` must hold. Raises what `walk` raises, and WorkerError.
    """
    answers: _Answers = SimpleQueue()
    with ExitStack() as stack:
        positions = stack.enter_context(_shared(order))
        if positions is None:
            yield from ((position, walk(units[position])) for position in order)
            return
        running = stack.enter_context(_begun(walk, units, positions, copies, answers))
        for position in _taken(positions):
            yield position, walk(units[position])
            while not answers.empty():
                yield from _told(*answers.get())
        while not all(copy.has_ended for copy in running):
            yield from _told(*answers.get())


def _told(copy: _Copy, answered: _Answer) -> Iterator[tuple[int, Walked]]:
    if answered is None:
        exit_code = _wait(copy)
        if exit_code:
            raise WorkerError(f"a worker process ended early (exit code {exit_code})")
    else:
        position, walked = answered
        yield position, opened(walked)


@contextmanager
def _shared(positions: Sequence[int]) -> Iterator[int | None]:
    """A file of positions: of the processes that share it no two read the same, as reading moves on for all of them.

    None where no file may be had, or grow.
    """
    try:
        file = _unnamed_file()
    except OSError:
        yield None
        return
    try:
        written = b"".join(position.to_bytes(_BYTES, "little") for position in positions)
        yield file if _fits(file, written) else None
    finally:
        os.close(file)


def _unnamed_file() -> int:
    """A file in memory; on disk where the system has none, or Python was built for such a system. Raises OSError."""
    with suppress(AttributeError, OSError):
        return os.memfd_create("compilelint-units")
    import tempfile  # takes long to import, and few need it

    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def _fits(file: int, written: bytes) -> bool:
    """Write this into a file, unless it may not be as large."""
    try:
        return os.pwrite(file, written, 0) == len(written)
    except OSError:
        return False


def _taken(positions: int) -> Iterator[int]:
    while position := os.read(positions, _BYTES):
        yield int.from_bytes(position, "little")


@contextmanager
def _begun(
    walk: Callable[[Unit], Walked], units: Sequence[Unit], positions: int, count: int, answers: _Answers
) -> Iterator[list[_Copy]]:
    """Up to `count` copies that walk: where no more processes can be had, fewer have to do."""
    copies: list[_Copy] = []
    readers: list[Thread] = []
    try:
        with suppress(OSError):
            for _ in range(count):
                copies.append(_copy(walk, units, positions, copies))
        for copy in copies:  # only now: a process with threads may not be copied
            reader = Thread(target=_read_answers, args=(copy, answers), daemon=True)
            reader.start()
            readers.append(reader)
        yield copies
    finally:
        for copy in copies:
            if not copy.has_ended:
                os.kill(copy.process, signal.SIGKILL)
                _wait(copy)
        for reader in readers:
            reader.join()
        for copy in copies:
            copy.answers.close()


def _copy(walk: Callable[[Unit], Walked], units: Sequence[Unit], positions: int, others: Sequence[_Copy]) -> _Copy:
    reading, writing = os.pipe()
    try:
        process = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        raise
    if process == 0:
        os.close(reading)
        for other in others:
            other.answers.close()
        _serve(walk, units, positions, writing)
    os.close(writing)
    return _Copy(process, os.fdopen(reading, "rb"))


def _serve(walk: Callable[[Unit], Walked], units: Sequence[Unit], positions: int, writing: int) -> NoReturn:
    """What a copy does, and ends, without anything that this process does at its own end."""
    exit_code = 1
    try:
        # Ctrl-C reaches all processes of a terminal: the first of them ends this one.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with os.fdopen(writing, "wb") as answers, suppress(BrokenPipeError):
            for position in _taken(positions):
                answered = position, answer(walk, units[position])
                pickle.dump(answered, answers, protocol=pickle.HIGHEST_PROTOCOL)
                answers.flush()
        exit_code = 0
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(exit_code)


def _read_answers(copy: _Copy, answers: _Answers) -> None:
    try:
        while True:
            answers.put((copy, pickle.load(copy.answers)))
    except EOFError:
        answers.put((copy, None))
    except Exception as error:  # whatever it is: who waits for the answer would wait for ever
        what = WorkerError(f"a worker process gave no answer ({type(error).__name__}: {error})")
        answers.put((copy, (-1, what)))


def _wait(copy: _Copy) -> int:
    """Wait for its end; gives its exit code."""
    _, status = os.waitpid(copy.process, 0)
    copy.has_ended = True
    return os.waitstatus_to_exitcode(status)
