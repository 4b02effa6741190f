"""One recording: a recorder, the hooks into Dynamo that feed it, and how they end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from compilelint.runtime.dynamo import line_tables, uncaught
from compilelint.runtime.dynamo.listening import Listener
from compilelint.runtime.dynamo.targets import Targets
from compilelint.runtime.events import Scalar
from compilelint.runtime.recorder import Listener as EventListener
from compilelint.runtime.recorder import Recorder


class Recording:
    """Runs from `begin` to `end`."""

    def __init__(self, recorder: Recorder, listener: Listener) -> None:
        self._recorder, self._listener = recorder, listener
        self._undo: list[Callable[[], None]] = []

    def end(self) -> None:
        """Put torch back as it was and write the footer; the second time nothing happens."""
        for undo in self._undo:
            undo()
        self._undo = []
        self._listener.uninstall()
        self._recorder.close()

    def end_of_process(self) -> None:
        """The same, where the program ends: an exception that nobody caught may be torch.compile's."""
        for event in uncaught.of_compiling(getattr(sys, "last_value", None), self._listener.told):
            self._recorder.emit(event)
        self.end()

    def calls(self) -> Callable[[], Callable[[], None]]:
        """Numbers the calls of something that was compiled before the recording began, which nothing else
        can: to be called when a call begins; what it returns, when the call is over."""
        target = self._recorder.new_target()
        return lambda: self._recorder.enter(target)

    def also_undo(self, undo: Callable[[], None]) -> None:
        self._undo.append(undo)


def begin(
    path: Path,
    program: tuple[str, ...],
    settings: Mapping[str, Scalar],
    *,
    parent: int | None = None,
    started: float | None = None,
    begun: float | None = None,
    listener: EventListener | None = None,
    at_exit: Callable[[Callable[[], None]], Any] | None = None,
) -> Recording:
    """Record this process from now on, whether torch is imported already or will be.

    `settings` may hold: backend (replaces every backend), strict, compile, stop_after. `at_exit` is told
    what to call when the process ends; without it the caller ends the recording.
    """
    backend, stop_after = settings.get("backend"), settings.get("stop_after")
    recorder = Recorder(
        path,
        program,
        settings,
        parent=parent,
        started=started,
        begun=begun,
        stop_after=stop_after if isinstance(stop_after, int) else None,
        listener=listener,
    )
    targets = Targets(
        recorder, backend=backend if isinstance(backend, str) else None, strict=bool(settings.get("strict"))
    )
    heard = Listener(lambda event: recorder.emit(event, targets.running()), recorder.declare, recorder.compiles)
    heard.hook("compile calls", targets.contexts)
    heard.hook("compiled functions", targets.functions)
    heard.hook("line tables", line_tables.exact)
    heard.install()
    recording = Recording(recorder, heard)
    if settings.get("strict"):
        from compilelint.runtime.dynamo import strict

        recording.also_undo(strict.explain_uncaught(recorder))
    if settings.get("compile"):
        from compilelint.runtime.dynamo.compiling import compile_modules

        recording.also_undo(compile_modules(targets))
    if at_exit is not None:
        at_exit(recording.end_of_process)
    return recording
