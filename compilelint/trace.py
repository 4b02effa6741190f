"""Run a program with the recorder in it, and report what Dynamo did: what `compilelint trace` does.

The program does not wait for what only the report needs: that is imported, and the user's own files are
checked, while it runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread, get_native_id
from typing import TYPE_CHECKING

from compilelint.project.config import ConfigError, read_config
from compilelint.project.root import absolute, run_config
from compilelint.project.trace_config import trace_config
from compilelint.run_options import RunError, RunOptions
from compilelint.runtime import launcher, ranks

if TYPE_CHECKING:
    from compilelint.run_report import RunResult
    from compilelint.run_sources import CheckAhead
    from compilelint.runtime.events import Scalar
    from compilelint.runtime.session import Session

_PATIENCE = 1.0
"""Seconds without a word after the run."""
_NICENESS = 19
"""The program's own threads come first."""


@dataclass(frozen=True, slots=True)
class TraceOptions:
    """What the command line says."""

    program: tuple[str, ...]
    """`SCRIPT ARGS…` or `-m MODULE ARGS…`."""
    session: Path | None = None
    backend: str | None = None
    """Compile with this instead of what the program asks for."""
    compile: bool = False
    strict: bool = False
    stop_after: int | None = None
    timeout: float | None = None
    live: bool = False
    nproc_per_node: int | None = None
    """Run so many ranks of the program on this machine, with torch's own launcher."""
    report: RunOptions = field(default_factory=RunOptions)
    prepare: Callable[[], object] = lambda: None
    """What else can be done while the program runs, for the sake of what comes after it."""


@dataclass(frozen=True, slots=True)
class Traced:
    """A run that is over."""

    ended: launcher.Ended
    session: Path
    result: RunResult | None
    """None if there is nothing to report: the program never imported torch, or this is not rank 0."""
    of_other_rank: bool = False
    """Rank 0 of the same run reports."""

    @property
    def exit_code(self) -> int:
        """The program's own, if it failed, else what the report says; 2 where nothing was recorded.

        A run that was ended by --timeout is judged by what it did until then.
        """
        if self.ended.exit_code and not self.ended.timed_out:
            return self.ended.exit_code
        if self.of_other_rank:
            return 0
        return self.result.exit_code if self.result is not None else 2


def run_trace(options: TraceOptions) -> Traced:
    """Run the program to its end and read what was recorded. Raises RunError.

    Under a launcher of ranks each rank records its own, and rank 0 reports for all.
    """
    _refuse_missing_baseline(options.report.baseline)
    if options.strict:
        _refuse_old_torch()
    place = ranks.place()
    if place is not None and place.world_size > 1:
        return _run_rank(options, place)
    session = options.session or launcher.new_session_path(options.program)
    command = options.program
    if options.nproc_per_node is not None:
        command = ranks.torchrun(options.program, options.nproc_per_node)
    prepared = _Prepared(options)
    ended = _launched(options, command, session, _settings(options), prepared.begin)
    if not ended.recorded:
        return Traced(ended, session, None)
    from compilelint.run_report import read_sessions

    with _kept(session):
        return Traced(ended, session, prepared.report(read_sessions([session])))


def _refuse_missing_baseline(baseline: Path | None) -> None:
    """What would only be found after the run is refused before it."""
    if baseline is not None and not baseline.is_file():
        raise RunError(f"{baseline}: no such file; `compilelint baseline` writes one")


def _refuse_old_torch() -> None:
    """--strict is refused before anything runs, if the torch that is installed cannot do it."""
    import importlib.metadata

    from compilelint.runtime.dynamo import strict

    try:
        version = importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return  # what the program finds elsewhere is refused when it compiles
    if strict.is_refused(version):
        raise RunError(strict.refusal(version))


def _run_rank(options: TraceOptions, place: ranks.Place) -> Traced:
    """Run one rank; `options.session` is the folder in which the ranks meet."""
    if options.nproc_per_node is not None:
        raise RunError("--nproc-per-node starts a launcher, but this is already one of its ranks")
    folder = options.session or launcher.new_session_path(options.program, os.getppid()).with_suffix("")
    if folder.is_file():
        raise RunError(f"{folder}: under a launcher of ranks, --session names a folder")
    launch = ranks.launch_id()
    settings = {**_settings(options), ranks.LAUNCH_SETTING: launch}
    session = ranks.session_path(folder, place.rank)
    if place.rank != 0:
        ended = _launched(options, options.program, session, settings, lambda: None)
        return Traced(ended, folder, None, of_other_rank=True)
    prepared = _Prepared(options)
    ended = _launched(options, options.program, session, settings, prepared.begin)
    from compilelint.runtime.gathering import gather

    with _kept(folder):
        sessions = gather(folder, launch, place, everywhere=options.session is not None)
        return Traced(ended, folder, prepared.report(sessions) if sessions else None)


def _launched(
    options: TraceOptions,
    command: tuple[str, ...],
    session: Path,
    settings: Mapping[str, Scalar],
    meanwhile: Callable[[], None],
) -> launcher.Ended:
    try:
        return launcher.run(
            command, session, settings, timeout=options.timeout, called=options.program, meanwhile=meanwhile
        )
    except launcher.LaunchError as error:
        raise RunError(str(error)) from error


@contextmanager
def _kept(session: Path) -> Iterator[None]:
    """A run that took hours is not lost where its report fails: whatever it was, the session is named."""
    try:
        yield
    except Exception as error:
        what = str(error) if isinstance(error, RunError) else f"no report: {type(error).__name__}: {error}"
        raise RunError(f"{what}; what was recorded is in {session}, for `compilelint report`") from error


class _Prepared:
    """What the report of a run needs that is there before the run is over."""

    def __init__(self, options: TraceOptions) -> None:
        self._options = options
        self._ahead: CheckAhead | None = None
        self._failure: BaseException | None = None
        self._thread = Thread(target=self._prepare, name="compilelint-check", daemon=True)

    def begin(self) -> None:
        """Prepare in a thread of its own."""
        self._thread.start()

    def report(self, sessions: tuple[Session, ...]) -> RunResult:
        """Raises RunError."""
        from compilelint.run_report import run_report

        self._thread.join(_PATIENCE)
        if self._thread.is_alive() and sys.stderr.isatty():
            print("compilelint: the run is over, its project is still being checked (see --no-check)", file=sys.stderr)
        self._thread.join()
        if self._failure is not None:
            raise self._failure
        return run_report(sessions, self._options.report, self._ahead)

    def _prepare(self) -> None:
        try:
            if sys.platform.startswith("linux"):  # elsewhere it would be the whole process's niceness
                os.setpriority(os.PRIO_PROCESS, get_native_id(), _NICENESS)
            from compilelint import run_report
            from compilelint.runtime import ending  # noqa: F401

            self._options.prepare()
            if not self._options.report.check:
                run_report.known_rules()
            from compilelint.run_sources import check_ahead, script_file

            here = Path.cwd()
            self._ahead = check_ahead(self._options.report, script_file(self._options.program, here), here)
        except BaseException as error:
            self._failure = error


def _settings(options: TraceOptions) -> Mapping[str, Scalar]:
    settings: dict[str, Scalar] = {
        "backend": options.backend or _configured_backend(options),
        "compile": options.compile,
        "strict": options.strict,
        "stop_after": options.stop_after,
        "live": options.live,
    }
    return {name: value for name, value in settings.items() if value not in (None, False)}


def _configured_backend(options: TraceOptions) -> str | None:
    start = absolute(Path(options.program[0])) if options.program[:1] != ("-m",) else Path.cwd()
    try:
        if options.report.config_file is not None:
            return trace_config(read_config(options.report.config_file)).backend
        folder = start if start.is_dir() else start.parent
        file = None if options.report.isolated else run_config(folder)
        return trace_config(read_config(file)).backend if file else None
    except ConfigError as error:
        raise RunError(str(error)) from error
