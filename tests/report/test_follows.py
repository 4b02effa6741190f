from __future__ import annotations

from compilelint.report.causes import Cause
from compilelint.report.follows import what_else
from compilelint.report.model import Observation
from compilelint.report.stack import StackFrame
from tests.report.make import observation

RECOMPILE = observation(type="recompile", gb_id=None, variable="mode", reason="argument `mode` is a Python str")


def test_what_older_versions_did_not_fit_for_is_told() -> None:
    two = observation(type="recompile", variable="mode", other_variables=("self.step", "mode"))
    assert list(what_else(Cause(two))) == ["`self.step`, for which older versions did not fit"]
    many = observation(type="recompile", variable="mode", other_variables=("a", "b", "c", "d"))
    assert list(what_else(Cause(many))) == ["`a`, `b` and 2 more, for which older versions did not fit"]


def test_what_is_told_anyway_is_not_told_again() -> None:
    assert list(what_else(Cause(RECOMPILE))) == []
    limit = observation(type="recompile-limit", variable="n", reason="recompiled too often; last, `n` changes")
    other = observation(type="recompile", variable="mode", other_variables=("n",), reason="argument `mode` is a str")
    assert not any("older versions" in each for each in what_else(Cause(limit, (other,))))


def test_what_counts_more_for_a_limit_than_its_last_reason_is_told() -> None:
    limit = observation(type="recompile-limit", variable="", reason="recompiled too often; last, the mode changed")
    often = observation(type="recompile", variable="c", reason="`c` requires a gradient now", hits=4)
    rarely = observation(type="recompile", variable="n", reason="`n` changes", hits=1)
    (told,) = what_else(Cause(limit, beside=(rarely, often)))
    assert told == "4 recompiles of the same function, a cause that counts more here: `c` requires a gradient now"
    assert list(what_else(Cause(limit, beside=(rarely,)))) == []


def test_other_lines_that_lead_to_one_place_in_torch_are_told() -> None:
    def led_from(line: int) -> Observation:
        own, inner = StackFrame("net.py", line, "f"), StackFrame("/env/site-packages/torch/nn/m.py", 9, "inner")
        return observation(path=inner.path, line=9, stack=(own, inner), inside=0, owner=own, leading_line="y = m(x)")

    assert list(what_else(Cause(led_from(3), (led_from(3),)))) == []
    assert list(what_else(Cause(led_from(3), (led_from(5), led_from(5))))) == ["the same at net.py:5"]
    others = tuple(map(led_from, (5, 6, 7)))
    assert list(what_else(Cause(led_from(3), others))) == ["the same at net.py:5, net.py:6 and 1 more"]


def test_functions_that_a_broken_transform_leaves_out_are_counted() -> None:
    left_out = observation(type="frame-skipped", gb_id=None, title="Unsupported functorch tracing attempt")
    others = (left_out, observation(type="frame-skipped", gb_id=None, title=left_out.title, line=20))
    (told,) = what_else(Cause(observation(), (*others, left_out)))
    assert "runs uncompiled, and 2 functions in it" in told
    assert list(what_else(Cause(left_out))) == []
