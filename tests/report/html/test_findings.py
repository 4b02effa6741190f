from __future__ import annotations

from compilelint.report.html.code import finder
from compilelint.report.html.findings import Choice, listed
from compilelint.report.model import Report, RulePage, Source
from tests.report.make import finding, observation, report, run

ERROR = finding(code="CL305", name="ndarray", effect="compile-error", severity="error", fingerprint="e" * 16)
RECOMPILE = finding(code="CL501", name="counter", effect="recompile", fingerprint="f" * 16)


def codes(shown: Report) -> list[str]:
    return [group.code for group in listed(shown, finder(()), {}).groups]


def test_of_a_check_the_gravest_rule_comes_first_then_the_most_frequent() -> None:
    again = finding(line=20, fingerprint="a" * 16)
    assert codes(report(RECOMPILE, finding(), again, ERROR)) == ["CL305", "CL101", "CL501"]


def test_of_a_run_what_happened_comes_before_what_did_not() -> None:
    not_reached = finding(code="CL305", effect="compile-error", severity="error", verdict="not-reached")
    confirmed = finding(verdict="confirmed")
    assert codes(report(not_reached, confirmed, run=run())) == ["CL101", "CL305"]


def test_what_only_the_run_showed_is_listed_with_the_page_about_it() -> None:
    shown = listed(report(observations=(observation(verdict="runtime-only"),), run=run()), finder(()), {})
    (group,) = shown.groups
    assert (group.code, group.entries[0].verdict) == ("CL901", "runtime-only")


def test_what_a_finding_predicted_or_a_comment_accepts_is_not_listed_twice() -> None:
    confirmed = finding(verdict="confirmed")
    predicted = observation(finding=confirmed.fingerprint, verdict="confirmed")
    accepted = observation(line=40, accepted=True)
    shown = listed(report(confirmed, observations=(predicted, accepted), run=run()), finder(()), {predicted: "cause-1"})
    assert shown.count == 1
    assert shown.groups[0].entries[0].link == "cause-1"


def test_choices_are_those_that_there_are() -> None:
    shown = listed(report(finding(verdict="refuted"), RECOMPILE, run=run()), finder(()), {})
    assert shown.verdicts == (Choice("refuted", "refuted", 1), Choice("none", "no verdict", 1))
    assert shown.severities == (Choice("warning", "warning", 2),)


def test_a_check_has_no_verdicts_to_choose_from() -> None:
    assert listed(report(finding()), finder(()), {}).verdicts == ()


def test_a_rule_is_described_by_its_page() -> None:
    page = RulePage("CL101", "tensor-item", "graph-break", "warning", "It splits the graph.", "# CL101")
    (group,) = listed(report(finding(), rules=(page,)), finder(()), {}).groups
    assert (group.message, group.effect, group.files) == ("It splits the graph.", "graph break", 1)


def test_source_is_shown_with_lines_around_it() -> None:
    source = Source("src/model.py", "f", 10, "a\nb\n        scale = x.sum().item()\nd\ne\nf")
    (group,) = listed(report(finding()), finder([source]), {}).groups
    (entry,) = group.entries
    assert [number for number, _ in entry.rows] == [10, 11, 12, 13, 14]
    assert entry.mark is not None


def test_a_line_of_a_file_that_is_not_at_hand_is_shown_alone() -> None:
    (group,) = listed(report(finding()), finder(()), {}).groups
    assert group.entries[0].rows == ((12, "        scale = x.sum().item()"),)
