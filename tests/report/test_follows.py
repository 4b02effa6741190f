from __future__ import annotations

from compilelint.report.causes import Cause
from compilelint.report.follows import what_else
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
