from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from compilelint.report.stack import StackFrame
from compilelint.runtime.dynamo import uncaught


def _raised(folder: Path, error: str) -> BaseException | None:
    """An exception from a function of a file, called from this one."""
    path = folder / "step.py"
    path.write_text(f"def step():\n    raise {error}\n")
    try:
        runpy.run_path(str(path))["step"]()
    except BaseException as raised:
        return raised
    return None


@pytest.mark.parametrize("words", [uncaught.DOUBLE_BACKWARD, uncaught.DONATED_BUFFERS])
def test_what_a_backward_raises_is_told_with_the_way_to_it(tmp_path: Path, words: str) -> None:
    event = uncaught.of_compiling(_raised(tmp_path, f"RuntimeError({words!r})"))
    assert event is not None
    assert (event.error, event.code, event.suppressed) == ("RuntimeError", None, False)
    assert event.stack[-1] == StackFrame(str(tmp_path / "step.py"), 2, "step")
    assert event.stack[0].path == __file__


def test_nothing_is_told_of_a_programs_own_exceptions(tmp_path: Path) -> None:
    assert uncaught.of_compiling(_raised(tmp_path, "RuntimeError('out of memory')")) is None
    assert uncaught.of_compiling(_raised(tmp_path, "SystemExit(1)")) is None


def test_nothing_is_told_where_nothing_was_raised() -> None:
    assert uncaught.of_compiling(None) is None
