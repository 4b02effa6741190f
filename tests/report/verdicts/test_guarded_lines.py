"""What the text of a guard says of the line that uses a value, in whatever file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compilelint.report.stack import StackFrame
from tests.report.verdicts.ask import COUNTER, RECOMPILE, verdicts

ELSEWHERE = replace(
    RECOMPILE,
    path="solver.py",
    function="step",
    stack=(StackFrame("solver.py", 20, "step"),),
    owner=None,
    variable="f.calls",
)
"""`step(f)` is compiled again for what `f(x)` counts, which another file says."""
LINE = COUNTER.line


@pytest.mark.parametrize(
    ("place", "confirmed"),
    [
        (f"{COUNTER.path}:{LINE} in forward", True),
        (f"mp/home/{COUNTER.path}:{LINE} in forward", True),
        (f"other_file.py:{LINE} in forward", False),
        (f"{COUNTER.path}:{LINE + 9} in forward", False),
        (f"{COUNTER.path}:{LINE} in step", False),
    ],
)
def test_a_guard_says_which_line_uses_what_changed(place: str, confirmed: bool) -> None:
    told = replace(ELSEWHERE, context=f"f.calls == 1      # self.calls += 1  # {place}\ntensor 'x' size mismatch")
    assert (verdicts([COUNTER], [told])[1] == [COUNTER.fingerprint]) is confirmed


def test_the_line_that_uses_something_else_is_not_what_changed() -> None:
    told = replace(
        ELSEWHERE, variable="mode", context=f"mode == 1  # self.calls += 1  # {COUNTER.path}:{LINE} in forward"
    )
    assert verdicts([COUNTER], [told])[1] == [None]
