from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from compilelint.report.stack import StackFrame
from compilelint.runtime.dynamo import uncaught
from compilelint.runtime.dynamo.forbidden import FORBIDDEN
from compilelint.runtime.events import CompileError, Recompile


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
    (event,) = uncaught.of_compiling(_raised(tmp_path, f"RuntimeError({words!r})"))
    assert (event.error, event.code, event.suppressed) == ("RuntimeError", None, False)
    assert event.stack[-1] == StackFrame(str(tmp_path / "step.py"), 2, "step")
    assert event.stack[0].path == __file__


def test_nothing_is_told_of_a_programs_own_exceptions(tmp_path: Path) -> None:
    assert uncaught.of_compiling(_raised(tmp_path, "RuntimeError('out of memory')")) == ()
    assert uncaught.of_compiling(_raised(tmp_path, "SystemExit(1)")) == ()


def test_nothing_is_told_where_nothing_was_raised() -> None:
    assert uncaught.of_compiling(None) == ()


def test_what_a_stance_forbids_ends_a_program_too(tmp_path: Path) -> None:
    said = (
        f"{FORBIDDEN}. filename: '/a/b.py', function name: 'f', line number: 3\n"
        "    triggered by the following guard failure(s):\n    - 0/0: n == 1"
    )
    error = _raised(tmp_path, f"RuntimeError({said!r})")
    recompile, failed = uncaught.of_compiling(error)
    assert isinstance(recompile, Recompile)
    assert (recompile.code, recompile.stack[-1].function) == (StackFrame("/a/b.py", 3, "f"), "step")
    assert isinstance(failed, CompileError)
    assert uncaught.of_compiling(error, {said}) == ()
