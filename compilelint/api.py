"""Recording from Python: `record()` for any code, `assert_compiles()` for any test runner.

Both record in this process, with the hooks that `compilelint trace` installs in a program of its own.
Neither imports torch: `record()` listens to whatever torch the code in its block imports.
"""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from compilelint.rendering import rendered
from compilelint.report.budgets import Limits
from compilelint.report.formats import Look
from compilelint.report.formats.run_text import render_run
from compilelint.report.model import Observation, Report
from compilelint.report.views import seen_from
from compilelint.run_options import RunOptions
from compilelint.run_report import RunResult, run_report
from compilelint.runtime import recording
from compilelint.runtime.events import IN_PROCESS, Scalar
from compilelint.runtime.session import Session, read_session
from compilelint.runtime.session_files import SUFFIX, session_files

_TEXT_WIDTH = 100
_numbers = itertools.count()


class CompileFailure(AssertionError):
    """Dynamo did what a test does not allow, or nothing at all. The message is the report's text."""

    def __init__(self, text: str, report: Report) -> None:
        super().__init__(text)
        self.report = report


class Recorded:
    """What Dynamo has done since the recording began: as of now, or, once it has ended, in all.

    Each question reads the session again while the recording goes on. Processes that are forked meanwhile
    are recorded with it, as far as they came until it ended.
    """

    def __init__(self, path: Path, own: Sequence[str], warmup: int) -> None:
        self._path, self._own, self._warmup = path, tuple(own), warmup
        self._recording: recording.Recording | None = None
        self._sessions: tuple[Session, ...] | None = None
        self._results: dict[Limits, RunResult] = {}

    @property
    def report(self) -> Report:
        """Everything in one record; paths are relative to the current directory."""
        return _seen_from_here(self._result(Limits()))

    @property
    def observations(self) -> tuple[Observation, ...]:
        """One per cause, however often it happened."""
        return self.report.observations

    @property
    def breaks(self) -> tuple[Observation, ...]:
        """Graph breaks, and functions that Dynamo left out altogether."""
        return tuple(each for each in self.observations if each.type in ("graph-break", "frame-skipped"))

    @property
    def recompiles(self) -> tuple[Observation, ...]:
        """One per cause; `hits` says how many recompiles it cost, `hits_after_warmup` those that count."""
        return tuple(each for each in self.observations if each.type == "recompile")

    @property
    def compilations(self) -> int:
        """How many graphs Dynamo made."""
        run = self.report.run
        return run.compilations if run else 0

    def text(self, *, color: bool = False, width: int = _TEXT_WIDTH) -> str:
        """The report for people, ending in a newline."""
        return render_run(self.report, color=color, width=width)

    def rendered(self, format: str) -> str:
        """The report as `compilelint report -o FORMAT` prints it: `html`, `json`, `sarif` …

        Raises KeyError if there is no such format.
        """
        result = self._result(Limits())
        return rendered(result.report, result.root, result.rules, format, Look()).text

    def check(
        self,
        *,
        max_breaks: int | None = 0,
        max_recompiles: int | None = 0,
        max_compile_seconds: float | None = None,
    ) -> None:
        """Raises CompileFailure if Dynamo did more than this, if it compiled nothing, gave up because of
        a recompile limit, or said something that could not be read. None is no limit."""
        __tracebackhide__ = True  # by pytest: what matters is the message
        result = self._result(Limits(max_breaks, max_recompiles, max_compile_seconds))
        if result.exit_code:
            report = _seen_from_here(result)
            raise CompileFailure(render_run(report, width=_TEXT_WIDTH), report)

    def end(self) -> None:
        """Stop recording; `record()` does this at the end of its block. The second time nothing happens."""
        if self._recording is not None:
            self._recording.end()
            self._recording = None
            self._sessions = self._read_sessions()

    def calls(self) -> Callable[[], Callable[[], None]]:
        """What to call when a call begins of something that was compiled before the recording; what that
        returns, when the call is over. Calls of what is compiled meanwhile are counted by themselves."""
        if self._recording is None:
            raise RuntimeError("the recording is over")
        return self._recording.calls()

    def _begin(self, program: tuple[str, ...], backend: str | None) -> None:
        settings: dict[str, Scalar] = {IN_PROCESS: True, **({} if backend is None else {"backend": backend})}
        self._recording = recording.begin(self._path, program, settings)

    def _result(self, limits: Limits) -> RunResult:
        if (known := self._results.get(limits)) is not None:
            return known
        result = self._judge(limits, self._sessions or self._read_sessions())
        if self._sessions is not None:
            self._results[limits] = result
        return result

    def _read_sessions(self) -> tuple[Session, ...]:
        return tuple(read_session(path) for path in session_files(self._path))

    def _judge(self, limits: Limits, sessions: tuple[Session, ...]) -> RunResult:
        options = RunOptions(
            check=False,
            no_baseline=True,  # what a test asserts is what it says
            own=self._own,
            warmup=self._warmup,
            max_breaks=limits.max_breaks,
            max_recompiles=limits.max_recompiles,
            max_compile_seconds=limits.max_compile_seconds,
        )
        result = run_report(sessions, options)
        places = {each.owner.path for each in result.report.observations if each.owner}
        files = tuple(sorted(path for each in places if (path := result.root / each).is_file()))
        if not files:
            return result
        # Only now is it worth reading source: comments accept hazards, and pages have better advice.
        result = run_report(sessions, replace(options, check=True, check_paths=files))
        # What else is in these files is no matter of this run.
        confirmed = tuple(each for each in result.report.findings if each.verdict == "confirmed")
        return replace(result, report=replace(result.report, findings=confirmed))


@contextmanager
def record(
    *,
    own: Sequence[str] = (),
    warmup: int = 0,
    backend: str | None = None,
    fresh: bool = False,
    name: str = "",
) -> Iterator[Recorded]:
    """Record what Dynamo does while the block runs.

    `own` are paths and packages that are the user's code, besides the project in the current directory;
    recompiles in the first `warmup` calls of each compiled function are not counted by `check`;
    `backend` replaces every backend that is asked for in the block; `fresh` forgets what was compiled
    before (`torch.compiler.reset()`), without which code that is compiled already shows nothing.
    `name` is what the report calls the run.
    """
    caller = sys._getframe(2)
    with tempfile.TemporaryDirectory(prefix="compilelint-") as folder:
        run = begin_recording(
            Path(folder),
            own=own,
            warmup=warmup,
            backend=backend,
            fresh=fresh,
            name=name or f"record() at {os.path.basename(caller.f_code.co_filename)}:{caller.f_lineno}",
        )
        try:
            yield run
        finally:
            run.end()


def begin_recording(
    folder: Path,
    *,
    own: Sequence[str] = (),
    warmup: int = 0,
    backend: str | None = None,
    fresh: bool = False,
    name: str,
) -> Recorded:
    """`record()` for those who cannot use a block: the caller ends it and removes the folder afterwards."""
    if fresh:
        forget_compiled()
    run = Recorded(folder / f"{next(_numbers)}{SUFFIX}", own, warmup)
    run._begin((name,), backend)
    return run


def assert_compiles(
    compiled: Any,
    *calls: Any,
    max_breaks: int | None = 0,
    max_recompiles: int | None = 0,
    max_compile_seconds: float | None = None,
    warmup: int = 1,
    own: Sequence[str] = (),
    backend: str = "eager",
    **options: Any,
) -> list[Any]:
    """Call a function or module under torch.compile, and fail if Dynamo breaks or recompiles too often.

    Each of `calls` is one call: a tuple of positional arguments, a dict of keyword arguments, a pair of
    both, or anything else as the only argument. What is not compiled yet is compiled with `backend` and
    `options` (of torch.compile); what is, keeps its own. Recompiles in the first `warmup` calls are free.
    Returns the results. Raises CompileFailure with the report as its message, if nothing was compiled, too;
    exceptions that compilation has nothing to do with stay what they are.
    """
    __tracebackhide__ = True
    import torch

    from compilelint.runtime.dynamo import torch_adapter

    if not calls:
        raise TypeError("assert_compiles() needs at least one call")
    results: list[Any] = []
    title = getattr(compiled, "__qualname__", type(compiled).__qualname__)
    with record(own=own, warmup=warmup, fresh=True, name=f"assert_compiles({title})") as run:
        known = torch_adapter.is_compiled(compiled)
        target = compiled if known else torch.compile(compiled, backend=backend, **options)
        begins = run.calls() if known else _nothing_to_count
        try:
            for call in calls:
                args, kwargs = _arguments(call)
                ends = begins()
                results.append(target(*args, **kwargs))
                ends()
        except Exception as error:
            run.end()
            if any(each.severity == "error" for each in run.observations):
                report = run.report
                raise CompileFailure(render_run(report, width=_TEXT_WIDTH), report) from error
            raise
    run.check(max_breaks=max_breaks, max_recompiles=max_recompiles, max_compile_seconds=max_compile_seconds)
    return results


def forget_compiled() -> None:
    """Make Dynamo forget what it has compiled, if it is there at all."""
    torch = sys.modules.get("torch")
    if torch is not None and "torch._dynamo" in sys.modules:
        torch.compiler.reset()


def _seen_from_here(result: RunResult) -> Report:
    return seen_from(result.report, result.root, Path.cwd())


def _nothing_to_count() -> Callable[[], None]:
    return lambda: None


def _arguments(call: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if isinstance(call, tuple):
        if len(call) == 2 and isinstance(call[0], tuple) and isinstance(call[1], dict):
            return call[0], call[1]
        return call, {}
    if isinstance(call, dict):
        return (), call
    return (call,), {}
