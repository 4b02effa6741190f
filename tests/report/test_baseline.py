"""What a baseline accepts, and what it does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compilelint.report.baseline import Entry, entries_of, gone, hold, new_observations, numbered
from compilelint.report.model import Finding, LibraryPlace
from compilelint.report.stack import StackFrame
from tests.report.make import finding, observation


def _same(path: str) -> str:
    return path


def _line(path: str, number: int) -> str:
    return f"line {number} of {path}"


def _entries(*findings: Finding) -> tuple[Entry, ...]:
    return entries_of(findings, (), _same, _line)


def test_what_was_written_is_known_wherever_it_stands_now() -> None:
    entries = _entries(finding(line=12), finding(line=20, source_line="    y = x.max().item()"))
    moved = finding(line=62, end_line=62, column=3, source_line="  scale =  x.sum().item()")
    held = hold([moved], entries, _same)
    assert (held.new, held.known) == ((), (moved,))
    assert [entry.source for entry in held.unclaimed] == ["y = x.max().item()"]


@pytest.mark.parametrize(
    "changes",
    [{"code": "CL102"}, {"path": "other.py"}, {"function": "Net.other"}, {"source_line": "scale = y.sum().item()"}],
)
def test_another_rule_file_function_or_line_is_new(changes: dict[str, str]) -> None:
    assert hold([finding(**changes)], _entries(finding()), _same).new == (finding(**changes),)


def test_of_equal_lines_one_more_is_one_new() -> None:
    entries = _entries(finding(line=12), finding(line=14))
    assert len({entry.fingerprint for entry in entries}) == 2
    held = hold([finding(line=14), finding(line=13), finding(line=12)], entries, _same)
    assert [each.line for each in held.new] == [14]
    assert not held.unclaimed


def test_of_equal_lines_one_less_leaves_an_entry() -> None:
    held = hold([finding(line=14)], _entries(finding(line=12), finding(line=14)), _same)
    assert not held.new
    assert len(held.unclaimed) == 1


def test_a_function_reached_in_two_ways_is_one_entry() -> None:
    twice = (finding(), finding(reached_from=("other.py:1 torch.compile(f)", "f")))
    entries = _entries(*twice)
    assert len(entries) == 1
    assert not hold(twice, entries, _same).new


def test_entries_do_not_depend_on_the_order_of_findings() -> None:
    found = [finding(line=1), finding(line=2), finding(path="a.py"), finding(code="CL999")]
    assert _entries(*found) == _entries(*reversed(found))
    assert list(_entries(*found)) == sorted(_entries(*found))


def test_a_file_that_was_moved_keeps_what_is_accepted() -> None:
    entries = _entries(finding(path="old.py"))
    moved = finding(path="new.py")
    held = hold([moved], entries, _same, vanished={"old.py"})
    assert held.known == (moved,)
    assert held.moved == {entries[0]: "new.py"}
    assert held.renamed == {"old.py": "new.py"}
    assert not held.unclaimed


def test_what_a_run_did_in_a_file_that_was_moved_is_known() -> None:
    entries = entries_of((), [observation()], _same, lambda path, number: "x")
    moved = observation(path="new.py", owner=StackFrame("new.py", 90, "forward"))
    known = new_observations([moved], entries, (), _same, lambda path, number: "x", vanished={"src/model.py"})
    assert known == ()
    assert new_observations([moved], entries, (), _same, lambda path, number: "x") == (moved,)


def test_a_copy_of_a_file_is_new() -> None:
    copied = finding(path="new.py")
    assert hold([copied], _entries(finding(path="old.py")), _same).new == (copied,)


def test_what_is_moved_into_a_file_of_the_baseline_is_new() -> None:
    entries = _entries(finding(path="old.py"), finding(path="new.py", code="CL102"))
    held = hold([finding(path="new.py")], entries, _same, vanished={"old.py"})
    assert len(held.new) == 1


def test_gone_is_what_was_looked_for_and_is_not_there() -> None:
    entries = _entries(finding(path="a.py"), finding(path="b.py"), finding(path="c.py"))
    hidden = [finding(path="c.py")]
    assert list(gone(entries, hidden, _same, lambda entry: entry.path != "b.py")) == [entries[0]]


def test_a_break_is_known_by_the_users_own_line() -> None:
    in_library = observation(path="/site-packages/lib/a.py", line=7, owner=StackFrame("src/model.py", 12, "forward"))
    entries = entries_of((), [in_library], _same, _line)
    assert [(entry.code, entry.path, entry.function, entry.source) for entry in entries] == [
        ("CL901", "src/model.py", "forward", "line 12 of src/model.py")
    ]
    later = replace(in_library, line=9, hits=100)
    assert not new_observations([later], entries, (), _same, _line)
    elsewhere = observation(owner=StackFrame("src/model.py", 13, "forward"))
    assert new_observations([elsewhere], entries, (), _same, _line) == (elsewhere,)


def test_a_recompile_for_another_variable_is_new() -> None:
    seen = observation(type="recompile", variable="self.layers[3].step")
    entries = entries_of((), [seen], _same, _line)
    same = replace(seen, variable="self.layers[0].step")
    other = replace(seen, variable="self.count")
    assert new_observations([same, other], entries, (), _same, _line) == (other,)


def test_what_a_known_finding_predicted_is_known() -> None:
    predicted = observation(finding="0123456789abcdef")
    assert not new_observations([predicted], (), [finding()], _same, _line)
    assert new_observations([predicted], (), (), _same, _line) == (predicted,)


def test_an_entry_says_through_which_package_it_happens() -> None:
    library = (LibraryPlace("transformers/models/a.py", 1, 1, "f"),)
    assert [entry.package for entry in _entries(finding(library=library))] == ["transformers"]


def test_numbered_gives_edited_entries_the_fingerprint_that_they_had_from_the_start() -> None:
    entry = _entries(finding(path="new.py"))[0]
    assert numbered([replace(_entries(finding(path="old.py"))[0], path="new.py")]) == (entry,)
