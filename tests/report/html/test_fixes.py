from __future__ import annotations

from compilelint.report.html.code import finder, highlighter
from compilelint.report.html.fixes import Fixes, fixes
from compilelint.report.model import Finding, Observation, Source
from compilelint.report.stack import StackFrame
from tests.report.make import finding, observation, report, run

SOURCE = Source(
    "src/model.py", "Net.forward", 10, "def forward(self, x):\n    y = x\n        scale = x.sum().item()\n    return y"
)


def made(*observations: Observation, findings: tuple[Finding, ...] = (), ranks: tuple[int, ...] = (0,)) -> Fixes:
    of = run(ranks=ranks, compile_seconds=2.0)
    shown = report(*findings, observations=observations, run=of)
    return fixes(shown, of, finder([SOURCE]), highlighter())


def test_a_cause_tells_its_share_and_where_it_is() -> None:
    (fix,) = made(observation(compile_seconds=0.5)).shown
    assert (fix.number, fix.anchor, fix.seconds, fix.share) == (1, "cause-1", 0.5, 25.0)
    assert [row.number for row in fix.rows] == [10, 11, 12, 13]
    assert (fix.help, fix.checked, fix.foreseen) == ("Keep the value a tensor.", False, "")
    assert (fix.callers, fix.stack) == (
        (StackFrame("train.py", 40, "main"),),
        (StackFrame("src/model.py", 12, "forward"),),
    )


def test_what_the_check_had_foreseen_is_told_with_its_place() -> None:
    confirmed = finding(verdict="confirmed")
    (fix,) = made(observation(finding=confirmed.fingerprint, verdict="confirmed"), findings=(confirmed,)).shown
    assert (fix.foreseen, fix.told.rule, fix.checked) == ("src/model.py:12:17", "CL101", True)


def test_what_follows_from_a_cause_is_told_at_both() -> None:
    caller = StackFrame("src/model.py", 3, "Net.outer")
    drops = observation(line=5, frame_dropped=True, dropped=(caller,), compile_seconds=0.1)
    follows = observation(
        type="recompile",
        line=20,
        function="helper",
        compile_seconds=1.0,
        title="n == 1",
        stack=(StackFrame("src/model.py", 6, "Net.outer"), StackFrame("src/model.py", 20, "helper")),
        inside=0,
    )
    first, second = made(follows, drops).shown
    assert (first.leads_to, first.follow_share, first.follows) == ((2,), 50.0, None)
    assert (second.leads_to, second.follows) == ((), 1)


def test_what_only_some_ranks_did_names_them() -> None:
    (fix,) = made(observation(ranks=(1,)), ranks=(0, 1)).shown
    assert fix.only_ranks == (1,)
    (fix,) = made(observation(ranks=(0, 1)), ranks=(0, 1)).shown
    assert fix.only_ranks == ()


def test_what_torch_does_to_itself_is_apart() -> None:
    found = made(observation(), observation(line=30, severity="info"))
    assert len(found.shown) == 1
    assert [each.line for each in found.inner] == [30]


def test_every_observation_of_a_cause_leads_to_it() -> None:
    one, other = (observation(type="recompile", variable="n", line=line, title="n == 1") for line in (12, 20))
    found = made(one, other)
    assert found.anchors == {one: "cause-1", other: "cause-1"}


def test_dynamo_is_quoted_line_by_line() -> None:
    (fix,) = made(observation(title="A title", context="one\n\ntwo", gb_id=None)).shown
    assert fix.words == ("A title", "one", "two")
