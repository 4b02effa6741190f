"""Run a program with the recorder in it, and report what Dynamo did: what `compilelint trace` does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from compilelint.project.config import ConfigError, find_config, read_config
from compilelint.project.root import absolute, find_root
from compilelint.project.trace_config import trace_config
from compilelint.run_report import RunError, RunOptions, RunResult, read_sessions, run_report
from compilelint.runtime import launcher
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
    report: RunOptions = field(default_factory=RunOptions)


@dataclass(frozen=True, slots=True)
class Traced:
    """A run that is over."""

    ended: launcher.Ended
    session: Path
    result: RunResult | None
    """None if there is nothing to report: the program never imported torch."""

    @property
    def exit_code(self) -> int:
        """The program's own, if it failed, else what the report says; 2 where nothing was recorded.

        A run that was ended by --timeout is judged by what it did until then.
        """
        if self.ended.exit_code and not self.ended.timed_out:
            return self.ended.exit_code
        return self.result.exit_code if self.result is not None else 2


def run_trace(options: TraceOptions) -> Traced:
    """Run the program to its end and read what was recorded. Raises RunError."""
    session = options.session or launcher.new_session_path(options.program)
    try:
        ended = launcher.run(options.program, session, _settings(options), timeout=options.timeout)
    except launcher.LaunchError as error:
        raise RunError(str(error)) from error
    if not ended.recorded:
        return Traced(ended, session, None)
    return Traced(ended, session, run_report(read_sessions([session]), options.report))


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
