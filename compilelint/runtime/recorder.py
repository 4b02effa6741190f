"""Writes events of this process to its session file, and knows which compiled call they belong to."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import compilelint
from compilelint.runtime import ranks
from compilelint.runtime.dynamo.call_counter import CallCounter
from compilelint.runtime.earlier import keep_earlier
from compilelint.runtime.events import Event, FirstResult, Footer, Header, Scalar
from compilelint.runtime.session import SCHEMA_VERSION, to_line
from compilelint.runtime.session_files import child_path

Listener = Callable[[Event], None]
_APPEND = os.O_WRONLY | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)


class StopRun(SystemExit):
    """--stop-after: the program has made as many compiled calls as were asked for. Exit code 0."""

    def __init__(self) -> None:
        super().__init__(0)


@dataclass
class _Running(threading.local):
    """The compiled calls of `Recorder.enter` that this thread is in, outermost first: target, number of the call."""

    calls: list[tuple[int, int]] = field(default_factory=list)


class Recorder:
    """Appends events to one file, in the process that made it and, each to a file of its own, in its forks.

    A child's file is made with its first event: most children (data loaders, launchers) have none.
    Every line is one write to a descriptor opened for appending, so whatever ends the process loses at
    most the line that was being written. `started` (time.time) and `begun` (time.perf_counter) say when
    the process began, if that was before the recorder was made. Nothing is raised to the program if the
    disk is full; what follows is lost then, and the session has no footer.
    """

    def __init__(
        self,
        path: Path,
        program: tuple[str, ...],
        settings: Mapping[str, Scalar],
        *,
        parent: int | None = None,
        started: float | None = None,
        begun: float | None = None,
        stop_after: int | None = None,
        listener: Listener | None = None,
    ) -> None:
        self._main, self._program, self._settings = path, program, dict(settings)
        self._parent, self._stop_after, self._listener = parent, stop_after, listener
        self._pid = os.getpid()
        self._lock = threading.RLock()
        self._running = _Running()
        self._descriptor: int | None = None
        self._path: Path = path
        self._file: os.stat_result
        self._closed = False
        self._started = time.time() if started is None else started
        self._begun = time.perf_counter() if begun is None else begun
        self._counters: list[CallCounter] = []
        self._declared: list[Event] = []
        self._only_run: dict[int, int] = {}
        self._before_stance: list[int] | None = None
        self._all_calls = 0
        self._stopped: Literal["timeout", "stop-after", "strict"] | None = None
        if parent is None:
            self._open(path)
        os.register_at_fork(after_in_child=self._after_fork)

    def emit(self, event: Event, within: tuple[int, int] | None = None) -> None:
        """Write an event, with its time and the compiled call that this thread is in: target, and number of the call.

        `within` is that of a call that did not `enter`.
        """
        calls = self._running.calls
        self._emit(event, *(calls[0] if calls else within or (event.target, event.call)))

    def declare(self, event: Event) -> None:
        """An event that others refer to: it is in the file of every process that has such others.

        A child's file begins with what was declared, in it and in its parent before the fork.
        """
        placed = replace(event, at=round(self.now(), 6))
        self._declared.append(placed)
        if self._descriptor is not None:
            self._write(to_line(placed))
        if self._listener is not None:
            self._listener(placed)

    def _emit(self, event: Event, target: int | None, call: int) -> None:
        placed = replace(event, at=round(self.now(), 6), target=target, call=call)
        self._write(to_line(placed))
        if self._listener is not None:
            self._listener(placed)

    def now(self) -> float:
        """Seconds since the session began."""
        return time.perf_counter() - self._begun

    @property
    def stops(self) -> bool:
        """Whether each call must `enter`, as the run ends with one of them."""
        return self._stop_after is not None

    def new_target(self) -> int:
        """A number for another call of torch.compile."""
        with self._lock:
            self._counters.append(CallCounter())
            return len(self._counters) - 1

    def counter(self, target: int) -> CallCounter:
        """Counts the calls of a target that do not `enter`."""
        return self._counters[target]

    def first(self, target: int) -> Callable[[], None]:
        """The first call of a target begins; what it returns is to be called when the call is over."""
        started, handled = time.perf_counter(), sys.exc_info()[1]

        def leave() -> None:
            ok = sys.exc_info()[1] in (None, handled)
            seconds = round(time.perf_counter() - started, 6)
            self._emit(FirstResult(at=0.0, seconds=seconds, ok=ok), target, 1)

        return leave

    def compiles(self, allowed: bool) -> None:
        """Whether torch may compile what is called from now on: its stance may be that it only runs what there is."""
        with self._lock:
            calls = [counter.calls for counter in self._counters]
            if self._before_stance is not None:
                before = [*self._before_stance, *(len(calls) - len(self._before_stance)) * [0]]
                for target, (then, now) in enumerate(zip(before, calls, strict=True)):
                    self._only_run[target] = self._only_run.get(target, 0) + now - then
            self._before_stance = None if allowed else calls

    def enter(self, target: int) -> Callable[[], None]:
        """A call of a compiled function begins; what it returns is to be called when the call is over."""
        if self._stop_after is not None and not self._running.calls:
            if self._all_calls >= self._stop_after:
                self._stopped = "stop-after"
                raise StopRun
            self._all_calls += 1
        counter = self._counters[target]
        counter.count()
        number = counter.calls
        leave_first = self.first(target) if number == 1 else None
        self._running.calls.append((target, number))

        def leave() -> None:
            if leave_first is not None:
                leave_first()
            if self._running.calls:
                self._running.calls.pop()

        return leave

    def stopped(self, why: Literal["timeout", "stop-after", "strict"]) -> None:
        """The run ends because the recorder wants it to."""
        self._stopped = why

    def close(self) -> None:
        """Write the footer. Does nothing the second time, or if nothing was ever written."""
        with self._lock:
            if self._closed or self._descriptor is None or self._pid != os.getpid():
                return
            if self._before_stance is not None:
                self.compiles(allowed=True)
            error: BaseException | None = getattr(sys, "last_value", None)
            footer = Footer(
                ended=time.time(),
                exception=f"{type(error).__name__}: {error}"[:2000] if error is not None else None,
                stopped=self._stopped,
                calls=tuple(counter.calls for counter in self._counters),
                only_run=tuple(self._only_run.get(target, 0) for target in range(len(self._counters)))
                if any(self._only_run.values())
                else (),
            )
            self._write(to_line(footer))
            if not self._closed:
                os.close(self._current())
            self._closed = True
            self._descriptor = None

    def _write(self, line: str) -> None:
        with self._lock:
            if self._descriptor is None and not self._closed:
                self._open(child_path(self._main, self._pid))
                _close_at_end_of_child(self.close)
                for event in self._declared:
                    self._write(to_line(replace(event, at=min(event.at, self.now()))))
            data = line.encode("ascii", "backslashreplace")
            try:
                while data and not self._closed:
                    data = data[os.write(self._current(), data) :]
            except OSError:
                self._closed = True

    def _open(self, path: Path) -> None:
        self._path = path
        try:
            keep_earlier(self._main, path, self._pid)
            self._descriptor = os.open(path, _APPEND | os.O_CREAT | os.O_TRUNC, 0o644)
            self._file = os.fstat(self._descriptor)
        except OSError:
            self._closed = True
            return
        self._write(to_line(self._header()))

    def _current(self) -> int:
        """The descriptor of the file. A program may close what it does not know (a daemon closes all there
        is), and then the number is that of its own next file."""
        descriptor = self._descriptor
        if descriptor is None or not _is_of(descriptor, self._file):
            descriptor = self._descriptor = os.open(self._path, _APPEND)
        return descriptor

    def _header(self) -> Header:
        place = ranks.place()
        return Header(
            schema_version=SCHEMA_VERSION,
            compilelint=compilelint.__version__,
            program=self._program if self._parent is None else tuple(sys.argv),
            cwd=os.getcwd(),
            python=".".join(map(str, sys.version_info[:3])),
            host=_host(),
            pid=self._pid,
            parent=self._parent,
            rank=place.rank if place else None,
            local_rank=place.local_rank if place else None,
            world_size=place.world_size if place else None,
            started=self._started,
            settings=self._settings,
        )

    def _after_fork(self) -> None:
        """In a forked child: the parent's file is left alone, and what the parent counted is the parent's."""
        if self._closed:
            return
        self._parent, self._pid = self._pid, os.getpid()
        self._descriptor = None  # not closed: another thread of the parent's may have held the lock
        self._lock = threading.RLock()
        self._started, self._begun = time.time(), time.perf_counter()


def _close_at_end_of_child(close: Callable[[], None]) -> None:
    """multiprocessing's children leave with os._exit: only its own finalizers run."""
    util = sys.modules.get("multiprocessing.util")
    if util is not None:
        util.Finalize(None, close, exitpriority=100)


def _is_of(descriptor: int, file: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), file)
    except OSError:
        return False


def _host() -> str:
    if hasattr(os, "uname"):
        return os.uname().nodename
    return os.environ.get("COMPUTERNAME", "")
