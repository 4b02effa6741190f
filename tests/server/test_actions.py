"""What can be done about a finding."""

from __future__ import annotations

from dataclasses import replace

from lsprotocol import types
from pygls.workspace import PositionCodec

from compilelint.report.model import Finding
from compilelint.server.actions import ignoring
from compilelint.server.documents import Part
from tests.report.make import finding

FOUND = finding(code="CL101", name="tensor-item", line=2, end_line=2, column=1, end_column=4, source_line="f()")


def _offered(lines: tuple[str, ...], *findings: Finding, cell: int | None = None) -> list[tuple[str, int, int, str]]:
    """Of each action its title, and the line, the character and the text of its edit."""
    part = Part("uri", cell, lines, 1)
    actions = ignoring(part, findings, PositionCodec(types.PositionEncodingKind.Utf16), ())
    edits = [
        (action.title, edit)
        for action in actions
        if action.edit is not None and action.edit.changes is not None
        for edit in action.edit.changes["uri"]
        if isinstance(edit, types.TextEdit)
    ]
    return [(title, edit.range.start.line, edit.range.start.character, edit.new_text) for title, edit in edits]


def test_each_rule_is_accepted_on_its_own_and_once() -> None:
    other = replace(FOUND, code="CL202", name="logging-call")
    assert _offered(("", "f()"), FOUND, FOUND, other) == [
        ("compilelint: ignore CL101 (tensor-item) here", 1, 3, "  # compilelint: ignore[CL101]"),
        ("compilelint: ignore CL202 (logging-call) here", 1, 3, "  # compilelint: ignore[CL202]"),
    ]


def test_a_line_that_is_another_one_by_now_gets_no_comment() -> None:
    assert _offered(("", "g()"), FOUND) == []
    assert _offered(("",), FOUND) == []


def test_a_comment_that_accepts_nothing_is_not_accepted() -> None:
    assert _offered(("", "f()"), replace(FOUND, code="CL001")) == []


def test_in_a_cell_the_comment_goes_behind_the_code_of_a_magic() -> None:
    line = "%time f()"
    ((_, *edit),) = _offered(("!ls", line), replace(FOUND, cell=3, source_line=line), cell=3)
    assert edit == [1, 9, "  # compilelint: ignore[CL101]"]
