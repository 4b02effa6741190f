"""What is known beyond a quick check, carried to a later text."""

from __future__ import annotations

from compilelint.report.model import Finding
from compilelint.server.differences import Difference, completed, difference, moved
from tests.report.make import finding


def _found(line: int, fingerprint: str, source: str = "x.item()", cell: int | None = None) -> Finding:
    return finding(line=line, end_line=line, source_line=source, fingerprint=fingerprint, cell=cell)


def test_the_difference_holds_what_each_alone_finds() -> None:
    both, quick, thorough = _found(1, "both"), _found(2, "quick"), _found(3, "thorough")
    assert difference([both, quick], [both, thorough]) == Difference((thorough,), frozenset({"quick"}))


def test_a_quick_check_is_completed_by_what_was_known() -> None:
    known = Difference((_found(3, "beyond"),), frozenset({"taken back"}))
    quick = [_found(1, "here"), _found(2, "taken back")]
    found = completed(quick, known, {None: ["x", "x", "", "", "x.item()"]})
    assert [(each.fingerprint, each.line) for each in found] == [("here", 1), ("beyond", 5)]


def test_what_the_quick_check_finds_now_is_not_told_twice() -> None:
    found = completed([_found(1, "a")], Difference((_found(1, "a"),)), {None: ["x.item()"]})
    assert [each.fingerprint for each in found] == ["a"]


def test_a_finding_moves_with_its_line_to_the_nearest_equal_one() -> None:
    lines = {None: ["x.item()", "", "", "x.item()", "y"]}
    assert [each.line for each in moved([_found(3, "a")], lines)] == [4]
    spread = finding(line=1, end_line=3, source_line="y")
    assert [(each.line, each.end_line) for each in moved([spread], lines)] == [(5, 5)]


def test_a_finding_goes_with_its_line_and_its_cell() -> None:
    assert list(moved([_found(1, "a")], {None: ["x.item(0)"]})) == []
    assert list(moved([_found(1, "a", cell=2)], {1: ["x.item()"]})) == []
    assert [each.line for each in moved([_found(1, "a", cell=2)], {2: ["", "x.item()"]})] == [2]
