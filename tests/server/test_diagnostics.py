"""Findings as an editor gets them: places, texts, related places."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.workspace import PositionCodec

from compilelint.report.model import LibraryPlace, Problem
from compilelint.server.diagnostics import finding_diagnostic, finding_range, holding, problem_diagnostic
from compilelint.server.documents import Document, Part
from tests.report.make import finding

ROOT = Path("/project")
CODEC = PositionCodec(types.PositionEncodingKind.Utf16)
PART = Part("file:///project/a.py", None, ("x = 1", "\U0001f525 + y.item()", ""), 1)
DOCUMENT = Document(PART.uri, ROOT / "a.py", "\n".join(PART.lines), (PART,))
FOUND = replace(
    finding(code="CL101", line=2, end_line=2, column=5, end_column=13), reached_from=(), suggestion="", aggravated_by=()
)


def _diagnostic(**changes: object) -> types.Diagnostic:
    found = replace(FOUND, **changes)  # type: ignore[arg-type]
    return finding_diagnostic(found, PART, DOCUMENT, CODEC, ROOT, ())


def test_columns_are_those_of_the_client() -> None:
    assert _diagnostic().range == types.Range(types.Position(1, 5), types.Position(1, 13))


def test_a_place_past_the_end_of_the_text_ends_with_it() -> None:
    beyond = replace(FOUND, line=2, end_line=9, end_column=5)
    assert finding_range(beyond, PART, CODEC).end == types.Position(2, 0)


@pytest.mark.parametrize(("severity", "number"), [("error", 1), ("warning", 2), ("info", 3)])
def test_severities_are_those_of_the_protocol(severity: str, number: int) -> None:
    assert _diagnostic(severity=severity).severity == number


def test_the_message_says_what_it_costs_and_what_to_do() -> None:
    told = _diagnostic(message="m", suggestion="Do so.", aggravated_by=("inside a loop",)).message.split("\n")
    assert told[0] == "m"
    assert told[2:] == ["worse: inside a loop: Dynamo drops the whole frame", "help: Do so."]


def test_an_unused_comment_is_shown_as_unnecessary() -> None:
    unused = _diagnostic(code="CL001", effect="none", message="m")
    assert unused.tags == [types.DiagnosticTag.Unnecessary]
    assert unused.message == "m"
    assert _diagnostic().tags is None


def test_steps_with_a_place_can_be_jumped_to() -> None:
    steps = ("train.py:4 torch.compile(net)", "Net.forward", "sub/a b.py:7 f")
    related = _diagnostic(reached_from=steps).related_information or ()
    assert [(each.location.uri, each.location.range.start.line, each.message) for each in related] == [
        ("file:///project/train.py", 3, "reached from here: torch.compile(net) → Net.forward → sub/a b.py:7 f"),
        ("file:///project/sub/a%20b.py", 6, "reached from here: f"),
    ]


def test_a_step_without_a_place_is_none_to_jump_to() -> None:
    assert _diagnostic(reached_from=("a.py --root f", "f")).related_information is None


def test_a_cell_of_another_notebook_has_no_name_here() -> None:
    notebook = Document("nb", ROOT / "n.ipynb", "", (Part("cell-2", 2, ("x",), 1),))
    found = replace(FOUND, reached_from=("n.ipynb:cell 2:1 f", "other.ipynb:cell 2:1 g"))
    told = finding_diagnostic(found, PART, notebook, CODEC, ROOT, ())
    assert [each.location.uri for each in told.related_information or ()] == ["cell-2"]


def test_places_in_packages_are_looked_for_where_they_are_installed(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "m.py").write_text("")
    places = (LibraryPlace("pkg/m.py", 3, 3, "f"), LibraryPlace("pkg/gone.py", 1, 1, "g"))
    told = finding_diagnostic(replace(FOUND, library=places), PART, DOCUMENT, CODEC, ROOT, (Path("/nowhere"), tmp_path))
    (related,) = told.related_information or ()
    assert (related.location.uri, related.location.range.start.line) == ((tmp_path / "pkg" / "m.py").as_uri(), 2)


@pytest.mark.parametrize(("line", "shown"), [(None, 0), (2, 1), (99, 2)])
def test_a_problem_is_told_at_its_line_or_at_the_top(line: int | None, shown: int) -> None:
    told = problem_diagnostic(Problem("a.py", "syntax error: no", line), PART)
    assert (told.message, told.range.start.line) == ("not checked: syntax error: no", shown)


def test_findings_at_a_place_are_those_that_touch_it_in_that_part() -> None:
    other = replace(FOUND, cell=2)
    at = types.Range(types.Position(1, 13), types.Position(1, 13))
    past = types.Range(types.Position(1, 14), types.Position(2, 0))
    assert list(holding(PART, [FOUND, other], CODEC, at)) == [FOUND]
    assert list(holding(PART, [FOUND, other], CODEC, past)) == []
