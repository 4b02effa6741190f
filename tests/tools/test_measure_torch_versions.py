"""The table over torch versions: when a row is "yes", over sessions that are made up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from compilelint.report.stack import StackFrame
from compilelint.runtime.events import (
    CompileError,
    Event,
    Footer,
    FrameSkipped,
    GuardValue,
    LimitHit,
    LinesTraced,
    TorchLoaded,
    Unreadable,
)
from tests.runtime.make import CALL, end, item, recompile, session
from tools.measure_torch_versions import OBSERVED, SEEN, release, table
from tools.trace_capabilities import CAPABILITIES, Cell

LINES = OBSERVED.read_text(encoding="utf-8").split("\n")


def line(text: str) -> int:
    return next(number for number, each in enumerate(LINES, 1) if text in each)


def broken_at(text: str, **changes: object) -> Event:
    return item(stack=(StackFrame(str(OBSERVED), line(text), "f"),), **changes)


def traced(*lines: int) -> Event:
    return LinesTraced(at=1.0, path=str(OBSERVED), ranges=tuple((each, each) for each in lines))


def changed(function: str, old: str, new: str) -> Event:
    code = StackFrame(str(OBSERVED), 1, function)
    return recompile("guard", code=code, values=(GuardValue(source="x", expected=old, actual=new),))


SEES: Mapping[str, Event] = {
    "calls of torch.compile": replace(
        CALL, function="Net", stack=(StackFrame(str(OBSERVED), line("net.compile"), "main"),)
    ),
    "a break that splits": broken_at('print("counted")'),
    "a break that drops the frame": broken_at("if row.sum() > 0", frame_dropped=True),
    "a break under fullgraph": broken_at('print("whole")', raised=True),
    "a generator given up": FrameSkipped(at=1.0, code=StackFrame(str(OBSERVED), 1, "produced"), reason="generator"),
    "a recompile and its values": changed("scaled", "2", "3.5"),
    "a recompile for an attribute": changed("Net.forward", "0", "1"),
    "the recompile limit": LimitHit(at=1.0, limit="recompile_limit", value=1, code=None, reason=""),
    "a backend's error, suppressed": CompileError(
        at=1.0, compile_id="0/0", code=None, error="E", message="", suppressed=True
    ),
    "compile times": end(),
    "backward compile times": end(backward=True, ops=None),
    "lines traced": traced(line("return y + 1")),
}


@pytest.mark.parametrize("name", SEES)
def test_a_row_is_yes_for_what_it_names_and_for_nothing_else(name: str) -> None:
    assert SEEN[name](session(SEES[name]))
    others = [event for other, event in SEES.items() if other != name]
    assert not SEEN[name](session(*others))


def test_a_line_that_no_compiled_function_has_must_not_be_traced() -> None:
    assert not SEEN["lines traced"](session(traced(line("return y + 1"), line("return x.tan()"))))


def test_a_program_that_failed_or_was_cut_off_did_not_run_to_its_end() -> None:
    row = SEEN["the program runs to its end"]
    assert row(session())
    assert not row(session(footer=Footer(ended=9.0, exit_code=1)))
    assert not row(session(whole=False))


def test_what_is_missing_or_unreadable_shows() -> None:
    given = session(Unreadable(at=1.0, source="artifact", message="odd"))
    assert not SEEN["nothing is unreadable"](given)
    lacking = replace(given, events=(TorchLoaded(at=0.0, version="2.99", missing=("lines",)),))
    assert not SEEN["all hooks are there"](lacking)
    assert SEEN["all hooks are there"](given)


def found(**changes: Cell) -> dict[str, Cell]:
    return {**dict.fromkeys((*SEEN, *CAPABILITIES), True), **changes}


def test_a_table_has_a_column_for_each_version_the_oldest_first() -> None:
    page = table({"2.13.0": found(), "2.5.1": {**found(), "--strict": "refused", "lines traced": False}})
    assert "| | 2.5.1 | 2.13.0 |\n|---|---|---|\n" in page
    assert "\n| --strict | refused | yes |\n" in page
    assert "\n| lines traced | **no** | yes |\n" in page
    assert page.endswith("\n")


def test_a_version_is_its_release() -> None:
    assert release("2.13.0+cpu") == (2, 13, 0)
    assert release("2.14.0a0+git1") == (2, 14, 0)
    with pytest.raises(ValueError, match="no version"):
        release("unknown")
