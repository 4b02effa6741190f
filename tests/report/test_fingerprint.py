from __future__ import annotations

import pytest

from compilelint.report.fingerprint import assign, fingerprint
from compilelint.report.model import Finding
from tests.report.make import finding


def _prints(*findings: Finding) -> list[str]:
    return [each.fingerprint for each in assign(findings)]


def test_the_fingerprint_of_a_known_finding_never_changes() -> None:
    """Baselines on users' disks hold these: a change here breaks them."""
    assert fingerprint("CL101", "src/model.py", "Net.forward", "scale = x.sum().item()") == "c2b31717d463df32"


def test_lines_added_above_and_reformatting_change_nothing() -> None:
    before = finding()
    after = finding(line=112, end_line=112, column=13, end_column=27, source_line="    scale  =  x.sum( ).item()")
    assert _prints(before) == _prints(after)


def test_wording_and_confidence_change_nothing() -> None:
    reworded = finding(message="other", suggestion="other", reached_from=(), severity="error")
    assert _prints(finding()) == _prints(reworded)


@pytest.mark.parametrize(
    "changes",
    [{"code": "CL102"}, {"path": "src/other.py"}, {"function": "Net.loss"}, {"source_line": "x.item()"}],
)
def test_each_part_of_what_it_is_about_changes_it(changes: dict[str, str]) -> None:
    assert _prints(finding()) != _prints(finding(**changes))


def test_equal_lines_in_one_function_differ_by_order_of_place_not_of_arrival() -> None:
    first, second = finding(line=12), finding(line=20)
    forward, backward = _prints(first, second), _prints(second, first)
    assert forward[0] != forward[1]
    assert backward == forward[::-1]


def test_two_of_a_kind_on_one_line_differ() -> None:
    one, two = _prints(finding(column=17), finding(column=40))
    assert one != two


def test_an_equal_line_added_below_changes_nothing_above() -> None:
    alone = _prints(finding(line=12), finding(line=20))
    joined = _prints(finding(line=12), finding(line=20), finding(line=30))
    assert joined[:2] == alone


def test_another_hazard_between_equal_lines_does_not_shift_them() -> None:
    alone = _prints(finding(line=12), finding(line=20))
    first, _, second = _prints(finding(line=12), finding(line=15, code="CL102"), finding(line=20))
    assert [first, second] == alone


def test_one_place_reached_in_two_ways_has_one_fingerprint() -> None:
    one, two = _prints(finding(), finding(reached_from=("other root",)))
    assert one == two


def test_no_finding_gives_none() -> None:
    assert assign([]) == ()
