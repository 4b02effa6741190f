"""Findings and problems as diagnostics of the Language Server Protocol: lines from 0, columns in the client's units."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path
from pygls.workspace import PositionCodec

from compilelint.project.suppressions import UNUSED_CODE
from compilelint.report.finding_words import worse_words
from compilelint.report.model import Finding, Problem, Severity
from compilelint.report.words import effect_words
from compilelint.server.documents import Document, Part

SOURCE = "compilelint"
_SEVERITIES: dict[Severity, types.DiagnosticSeverity] = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}
_STEP = re.compile(r"(?P<path>.+?\.(?:py|ipynb)):(?:cell (?P<cell>\d+):)?(?P<line>\d+)(?: |$)")


def finding_range(finding: Finding, part: Part, codec: PositionCodec) -> types.Range:
    """The place of a finding in the part of a document that holds it."""
    return types.Range(
        _position(part, finding.line, finding.column, codec),
        _position(part, finding.end_line, finding.end_column, codec),
    )


def finding_diagnostic(
    finding: Finding, part: Part, document: Document, codec: PositionCodec, root: Path, installed: Sequence[Path]
) -> types.Diagnostic:
    """One finding. Its paths are relative to `root`, those of packages to one of `installed`."""
    unused = finding.code == UNUSED_CODE
    return types.Diagnostic(
        range=finding_range(finding, part, codec),
        message=_message(finding),
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if unused else None,
        related_information=[*_route(finding, document, root), *_library(finding, installed)] or None,
        data={"fingerprint": finding.fingerprint},
    )


def problem_diagnostic(problem: Problem, part: Part) -> types.Diagnostic:
    """Why a file, or a cell, is not checked."""
    line = min(max((problem.line or 1) - 1, 0), len(part.lines) - 1)
    start = types.Position(line, 0)
    # What lies past the end of a line counts as its end.
    end = types.Position(line, _END_OF_LINE if problem.line else 0)
    return types.Diagnostic(
        range=types.Range(start, end),
        message=f"not checked: {problem.message}",
        severity=types.DiagnosticSeverity.Error,
        source=SOURCE,
    )


_END_OF_LINE = 2**31 - 1
"""The largest number that the protocol allows."""


def holding(part: Part, findings: Iterable[Finding], codec: PositionCodec, wanted: types.Range) -> Iterator[Finding]:
    """The findings of a part that share a position with a range."""
    for finding in findings:
        place = finding_range(finding, part, codec)
        if (
            finding.cell == part.cell
            and _key(place.start) <= _key(wanted.end)
            and _key(wanted.start) <= _key(place.end)
        ):
            yield finding


def _key(position: types.Position) -> tuple[int, int]:
    return position.line, position.character


def _position(part: Part, line: int, column: int, codec: PositionCodec) -> types.Position:
    number = min(line, len(part.lines)) - 1
    return types.Position(number, codec.client_num_units(part.lines[number][: column - 1]))


def _message(finding: Finding) -> str:
    lines = [finding.message]
    if finding.code != UNUSED_CODE:
        lines.append(f"{effect_words(finding.effect)}, {finding.confidence.label} confidence")
    if finding.aggravated_by:
        lines.append(f"worse: {worse_words(finding.aggravated_by)}")
    if finding.suggestion:
        lines.append(f"help: {finding.suggestion}")
    return "\n".join(lines)


def _route(finding: Finding, document: Document, root: Path) -> Iterator[types.DiagnosticRelatedInformation]:
    """Each step on the way to the finding that has a place, and what follows it."""
    for position, step in enumerate(finding.reached_from):
        place = _STEP.match(step)
        if place is None:
            continue
        uri = _uri_of(root / place["path"], place["cell"], document)
        if uri is not None:
            following = (step[place.end() :], *finding.reached_from[position + 1 :])
            way = " → ".join(dict.fromkeys(each for each in following if each))
            yield _related(uri, int(place["line"]), f"reached from here: {way}")


def _uri_of(path: Path, cell: str | None, document: Document) -> str | None:
    if path == document.path:
        return next((part.uri for part in document.parts if part.cell == (int(cell) if cell else None)), None)
    return _file_uri(path) if cell is None else None


def _library(finding: Finding, installed: Sequence[Path]) -> Iterator[types.DiagnosticRelatedInformation]:
    for place in finding.library:
        file = next((base / place.path for base in installed if (base / place.path).is_file()), None)
        uri = _file_uri(file) if file is not None else None
        if uri is not None:
            yield _related(uri, place.line, f"it happens here, in {place.function}")


def _file_uri(path: Path) -> str | None:
    uri: str | None = from_fs_path(str(path))
    return uri


def _related(uri: str, line: int, message: str) -> types.DiagnosticRelatedInformation:
    start = types.Position(line - 1, 0)
    return types.DiagnosticRelatedInformation(types.Location(uri, types.Range(start, start)), message)
