"""Run a program with the recorder in it, and report what Dynamo did: what `compilelint trace` does."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from compilelint.project.config import ConfigError, find_config, read_config
from compilelint.project.root import absolute, find_root
from compilelint.project.trace_config import trace_config
from compilelint.run_report import RunError, RunOptions, RunResult, read_sessions, run_report
from compilelint.runtime import launcher, ranks
from compilelint.runtime.events import Scalar


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
    place = ranks.place()
    if place is not None and place.world_size > 1:
        return _run_rank(options, place)
    session = options.session or launcher.new_session_path(options.program)
    command = options.program
    if options.nproc_per_node is not None:
        command = ranks.torchrun(options.program, options.nproc_per_node)
    ended = _launched(options, command, session, _settings(options))
    if not ended.recorded:
        return Traced(ended, session, None)
    return Traced(ended, session, run_report(read_sessions([session]), options.report))


def _run_rank(options: TraceOptions, place: ranks.Place) -> Traced:
    """Run one rank; `options.session` is the folder in which the ranks meet."""
    if options.nproc_per_node is not None:
        raise RunError("--nproc-per-node starts a launcher, but this is already one of its ranks")
    folder = options.session or launcher.new_session_path(options.program, os.getppid()).with_suffix("")
    if folder.is_file():
        raise RunError(f"{folder}: under a launcher of ranks, --session names a folder")
    launch = ranks.launch_id()
    settings = {**_settings(options), ranks.LAUNCH_SETTING: launch}
    ended = _launched(options, options.program, ranks.session_path(folder, place.rank), settings)
    if place.rank != 0:
        return Traced(ended, folder, None, of_other_rank=True)
    sessions = ranks.gather(folder, launch, place, everywhere=options.session is not None)
    return Traced(ended, folder, run_report(sessions, options.report) if sessions else None)


def _launched(
    options: TraceOptions, command: tuple[str, ...], session: Path, settings: Mapping[str, Scalar]
) -> launcher.Ended:
    try:
        return launcher.run(command, session, settings, timeout=options.timeout, called=options.program)
    except launcher.LaunchError as error:
        raise RunError(str(error)) from error


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
        file = None if options.report.isolated else find_config(find_root(folder).path)
        return trace_config(read_config(file)).backend if file else None
    except ConfigError as error:
        raise RunError(str(error)) from error
