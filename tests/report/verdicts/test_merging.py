from __future__ import annotations

from compilelint.report.verdicts.merging import merge
from tests.report.make import finding, observation
from tests.report.verdicts.ask import TRACED


def test_a_break_that_no_finding_predicted_is_runtime_only() -> None:
    merged = merge([finding(line=11, end_line=11)], [observation()], TRACED)
    assert merged.observations[0].verdict == "runtime-only"
    assert merged.observations[0].finding is None


def test_what_is_in_files_that_nobody_checked_has_no_verdict() -> None:
    seen = [observation(inside=1), observation(inside=0), observation(type="recompile", path="train.py")]
    merged = merge([], seen, TRACED, is_checked=lambda path: path == "train.py")
    assert [each.verdict for each in merged.observations] == [None, "runtime-only", "runtime-only"]


def test_what_is_in_a_package_that_is_not_followed_has_no_verdict() -> None:
    path = "/env/lib/python3.11/site-packages/transformers/utils.py"
    seen = [observation(path=path, inside=0), observation(path=path.replace("transformers", "torch"), inside=0)]
    merged = merge([], seen, TRACED, is_checked=lambda path: "site-packages" not in path)
    assert [each.verdict for each in merged.observations] == [None, "runtime-only"]
