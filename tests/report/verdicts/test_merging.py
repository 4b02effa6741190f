from __future__ import annotations

from dataclasses import replace
from typing import Any

from compilelint.report.confidence import Confidence
from compilelint.report.stack import StackFrame
from compilelint.report.verdicts.merging import merge
from tests.report.make import finding, observation
from tests.report.verdicts.ask import COUNTER, PATH, RECOMPILE, TRACED


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


def test_what_torch_does_for_a_package_that_nobody_checked_is_no_surprise() -> None:
    """A hook that transformers registers breaks in torch/utils/hooks.py."""
    packages = "/env/lib/python3.11/site-packages"
    hooks = StackFrame(f"{packages}/torch/utils/hooks.py", 27, "__init__")
    capturing = StackFrame(f"{packages}/transformers/utils/output_capturing.py", 153, "install")
    own = StackFrame(PATH, 44, "forward")
    seen = observation(path=hooks.path, line=27, owner=own, stack=(own, capturing, hooks), inside=0)
    for checked, stack, verdict in (
        ((PATH,), seen.stack, None),
        ((PATH, capturing.path), seen.stack, "runtime-only"),
        ((PATH,), (own, hooks), "runtime-only"),
    ):
        merged = merge([], [replace(seen, stack=stack)], TRACED, is_checked=lambda path, names=checked: path in names)
        assert [each.verdict for each in merged.observations] == [verdict]


def test_a_script_beside_the_one_that_was_run_may_have_a_class_of_the_same_name() -> None:
    way = ("other.py:35 torch.compile(Net())", "Net.forward", "Block.forward")
    other = replace(COUNTER, path="other.py", function="Block.forward", reached_from=way)
    changed = replace(RECOMPILE, function="Net.forward", title="self.block.calls == 0", variable="self.block.calls")
    for compiled, verdict in ({"other.py"}, "confirmed"), (set(), "not-reached"):
        found = merge([other], [changed], TRACED, compiles=lambda path, those=compiled: path is None or path in those)
        assert [each.verdict for each in found.findings] == [verdict]


def test_what_a_script_beside_does_around_its_own_compiled_code_was_not_run_either() -> None:
    """A gradient that failed is the only one of all findings, and another script's."""
    of_other: dict[str, Any] = {"path": "other.py", "line": 30, "end_line": 30}
    penalty = finding(
        code="CL744", effect="compile-error", gb_ids=(), function="penalty", reached_from=("penalty",), **of_other
    )
    inside = replace(COUNTER, path="other.py", reached_from=("other.py:35 torch.compile(Net())", "Net.forward"))
    failed = observation(
        type="compile-error",
        gb_id=None,
        path="train.py",
        line=8,
        context="torch.compile with aot_autograd does not currently support double backward",
        stack=(StackFrame("train.py", 8, "<module>"),),
    )
    for findings, compiled, verdict in (
        ([penalty, inside], set(), None),
        ([penalty, inside], {"other.py"}, "confirmed"),
        ([penalty], set(), "confirmed"),  # a helper that compiles nothing
    ):
        found = merge(findings, [failed], TRACED, compiles=lambda path, those=compiled: path is None or path in those)
        assert found.findings[0].verdict == verdict


def test_of_two_findings_on_one_line_the_surer_one_predicted_what_names_neither() -> None:
    line = "        steps = torch.arange(0, n, a).tolist()"
    size = finding(
        code="CL108", gb_ids=("GB0033",), confidence=Confidence.LOW, line=10, column=17, source_line=line, end_column=38
    )
    listed = replace(size, code="CL102", fingerprint="of tolist", confidence=Confidence.HIGH, end_column=47)
    seen = observation(
        gb_id="GB0033",
        line=10,
        title="Data dependent operator",
        context="aten._local_scalar_dense.default",
        reason="the value of a tensor is needed as a Python number",
    )
    for found in ([size, listed], [listed, size]):
        assert merge(found, [seen], TRACED).observations[0].finding == "of tolist"
