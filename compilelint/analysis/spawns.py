"""Units walked by processes that are started for it.

A worker is a Python of its own that takes pickled units from its standard input and gives pickled results on its
standard output. It is not one of `multiprocessing`: those import the main program again, which may be anybody's.
"""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeAlias

from compilelint.analysis.answers import Raised, WorkerError, answer, opened
from compilelint.analysis.job import Job, Walked, walker
from compilelint.match.units import Unit
from compilelint.source.quiet import parser_warnings_ignored

_AHEAD = 2
"""Units that wait at a worker, so that it need not wait for this process."""
_PROGRAM = """\
import pickle, signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal: this one's starter ends it
sys.path[:] = pickle.load(sys.stdin.buffer)
from {0} import serve
serve()
"""


@dataclass(slots=True)
class _Worker:
    process: subprocess.Popen[bytes]
    requests: SimpleQueue[bytes | None]
    """What is to be sent to it, until None."""
    units: int = 0
    """How many it has and has not answered."""


_Answer: TypeAlias = tuple[_Worker, int, Walked | Raised | WorkerError]


def walk_all(
    job: Job, walk: Callable[[Unit], Walked], units: Sequence[Unit], order: Sequence[int], count: int
) -> Iterator[tuple[int, Walked]]:
    """Walk the units at these positions, here and in up to `count` workers; what each shows, as it comes.

    Raises what `walk` raises, and WorkerError.
    """
    left = deque(order)
    answers: SimpleQueue[_Answer] = SimpleQueue()
    with _workers(job, count, answers) as workers:
        for worker in workers:
            _feed(worker, left, units)
        while left or any(worker.units for worker in workers):
            if left:
                # The dear ones go to the workers, which have nothing else to do.
                position = left.pop() if workers else left.popleft()
                yield position, walk(units[position])
            wait = not left and any(worker.units for worker in workers)
            for worker, position, walked in _answered(answers, wait=wait):
                yield position, opened(walked)
                _feed(worker, left, units)


@parser_warnings_ignored()
def serve() -> None:
    """What a worker does: it takes a job, then walks unit after unit until nobody asks any more."""
    gc.disable()  # as the command does: what it would find is not worth its time
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anything prints is no answer
    with suppress(EOFError, BrokenPipeError):
        job: Job = pickle.load(requests)
        walk = walker(job, job.files.tree())
        while True:
            position, unit = pickle.load(requests)
            pickle.dump((position, answer(walk, unit)), answers, protocol=pickle.HIGHEST_PROTOCOL)
            answers.flush()


def _feed(worker: _Worker, order: deque[int], units: Sequence[Unit]) -> None:
    while order and worker.units < _AHEAD:
        position = order.popleft()
        worker.units += 1
        worker.requests.put(_pickled((position, units[position])))


def _answered(answers: SimpleQueue[_Answer], *, wait: bool) -> Iterator[_Answer]:
    """What has been answered; with `wait`, at least one."""
    with suppress(Empty):
        while True:
            answered = answers.get(block=wait)
            wait = False
            answered[0].units -= 1
            yield answered


@contextmanager
def _workers(job: Job, count: int, answers: SimpleQueue[_Answer]) -> Iterator[list[_Worker]]:
    """Up to `count` workers: where no more processes can be had, fewer have to do."""
    with ExitStack() as stack:
        started: list[_Worker] = []
        beginning = [_pickled(sys.path), _pickled(job)] if count > 0 else []
        for _ in range(count):
            command = [sys.executable, "-I", "-c", _PROGRAM.format(__name__)]
            try:
                process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            except OSError:
                break
            worker = _Worker(process, SimpleQueue())
            stack.callback(_end, worker)
            started.append(worker)
            for request in beginning:
                worker.requests.put(request)
            Thread(target=_write_requests, args=(worker,), daemon=True).start()
            Thread(target=_read_answers, args=(worker, answers), daemon=True).start()
        yield started


def _pickled(request: object) -> bytes:
    """Made by who asks: in the thread that sends it, an error would be seen by nobody."""
    return pickle.dumps(request, protocol=pickle.HIGHEST_PROTOCOL)


def _write_requests(worker: _Worker) -> None:
    assert worker.process.stdin is not None
    # A worker that has gone is noticed where its answers are read.
    with suppress(OSError, ValueError):
        while (request := worker.requests.get()) is not None:
            worker.process.stdin.write(request)
            worker.process.stdin.flush()


def _read_answers(worker: _Worker, answers: SimpleQueue[_Answer]) -> None:
    assert worker.process.stdout is not None
    try:
        while True:
            position, walked = pickle.load(worker.process.stdout)
            answers.put((worker, position, walked))
    except EOFError:
        answers.put((worker, -1, WorkerError(f"a worker process ended early (exit code {worker.process.wait()})")))
    except Exception as error:  # whatever it is: who waits for the answer would wait for ever
        answers.put((worker, -1, WorkerError(f"a worker process gave no answer ({type(error).__name__}: {error})")))


def _end(worker: _Worker) -> None:
    process = worker.process
    process.kill()
    process.wait()
    worker.requests.put(None)
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()
