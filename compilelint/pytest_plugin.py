"""The pytest plugin: a marker that judges a test by what Dynamo did in it, and a fixture that shows it.

    @pytest.mark.compilelint(max_breaks=0, max_recompiles=0, warmup=1, own=["mypackage"])
    def test_step(model): ...

    def test_report(compile_report): ...; assert not compile_report.breaks

What is recorded begins before the test's fixtures are set up, with everything forgotten that was compiled
before. Nothing is imported for tests that use neither, and torch is never imported for any.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from compilelint.api import Recorded

MARKER = "compilelint"
FIXTURE = "compile_report"
_MARKER_HELP = (
    f"{MARKER}(max_breaks=0, max_recompiles=0, max_compile_seconds=None, warmup=1, own=[]): fail if Dynamo "
    "breaks or recompiles more often in this test, or compiles nothing; recompiles in the first `warmup` "
    "calls of each compiled function are free; `own` are the user's paths and packages, besides the project"
)
_OF_TORCH_TRACE = "torch.__trace:"
_EMPTY_RECORD = re.compile(rf"^DEBUG +{re.escape(_OF_TORCH_TRACE)}\S+:\d+ *\n?", re.MULTILINE)
"""What torch logs for TORCH_TRACE has no text of its own; pytest 9.2 captures it by the hundred."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """The arguments of a marker."""

    max_breaks: int | None = 0
    max_recompiles: int | None = 0
    max_compile_seconds: float | None = None
    warmup: int = 1
    own: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Running:
    run: Recorded
    folder: tempfile.TemporaryDirectory[str]


_ASKED = pytest.StashKey[_Asked]()
_RUNNING = pytest.StashKey[_Running]()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", _MARKER_HELP)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        marker = item.get_closest_marker(MARKER)
        if marker is not None:
            item.stash[_ASKED] = _asked(marker, item.nodeid)


def _asked(marker: pytest.Mark, where: str) -> _Asked:
    known = _Asked.__dataclass_fields__
    if marker.args or not marker.kwargs.keys() <= known.keys():
        given = ", ".join([*map(repr, marker.args), *marker.kwargs])
        raise pytest.UsageError(f"{where}: @pytest.mark.{MARKER} takes {', '.join(known)} by name, not {given}")
    values: dict[str, Any] = dict(marker.kwargs)
    own = values.get("own", ())
    values["own"] = (own,) if isinstance(own, str) else tuple(map(str, own))
    return _Asked(**values)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    if _ASKED in item.stash or FIXTURE in getattr(item, "fixturenames", ()):
        _begin(item, item.stash.get(_ASKED, _Asked()))
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    yield
    asked, running = item.stash.get(_ASKED, None), item.stash.get(_RUNNING, None)
    if asked is None or running is None:
        return
    from compilelint.api import CompileFailure

    running.run.end()
    failed = ""
    try:
        running.run.check(
            max_breaks=asked.max_breaks,
            max_recompiles=asked.max_recompiles,
            max_compile_seconds=asked.max_compile_seconds,
        )
    except CompileFailure as failure:
        failed = str(failure)
    if failed:  # not while the exception is handled: pytest would show both
        pytest.fail(failed, pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Of all tests: one without a marker records, too, by `assert_compiles` or `record`."""
    report = yield
    if any(_OF_TORCH_TRACE in text for _, text in report.sections):
        cleaned = ((title, _EMPTY_RECORD.sub("", text)) for title, text in report.sections)
        report.sections = [(title, text) for title, text in cleaned if text.strip()]
    return report


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, None, None]:
    try:
        return (yield)
    finally:
        running = item.stash.get(_RUNNING, None)
        if running is not None:
            running.run.end()
            running.folder.cleanup()
            del item.stash[_RUNNING]


@pytest.fixture
def compile_report(request: pytest.FixtureRequest) -> Recorded:
    """What Dynamo has done in this test so far; see `compilelint.api.Recorded`."""
    running: _Running = request.node.stash[_RUNNING]
    return running.run


def _begin(item: pytest.Item, asked: _Asked) -> None:
    from compilelint.api import begin_recording

    folder = tempfile.TemporaryDirectory(prefix="compilelint-")
    run = begin_recording(Path(folder.name), own=asked.own, warmup=asked.warmup, fresh=True, name=item.nodeid)
    item.stash[_RUNNING] = _Running(run, folder)
