"""Findings limited to the lines that changed since a git revision."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from compilelint.check.asked import CheckError, CheckOptions
from compilelint.project.changes import Changes, ChangesError, changes_since
from compilelint.project.discovery import Selection
from compilelint.project.notebooks import SUFFIX
from compilelint.project.root import meeting_point
from compilelint.report.model import Finding


def changes_asked(options: CheckOptions, selection: Selection, from_stdin: bool) -> Changes | None:
    """What changed since the revision that is asked for, if one is. Raises CheckError."""
    if options.since is None:
        return None
    if from_stdin:
        raise CheckError("--since compares files with a revision, not standard input")
    meeting = meeting_point(options.paths)
    directory = next(each for each in (meeting, *meeting.parents) if each.is_dir())
    try:
        changes = changes_since(options.since, directory)
        for file in selection.checked:
            changes.touch_file(file.path)  # it may lie outside
    except ChangesError as error:
        raise CheckError(f"--since: {error}") from error
    return changes


def on_changed_lines(findings: Iterable[Finding], root: Path, changes: Changes) -> tuple[Finding, ...]:
    """The findings of which any line changed; of a notebook all, if anything in it did: its file has other lines.

    Paths are relative to `root`.
    """
    return tuple(
        each
        for each in findings
        if (
            changes.touch_file(root / each.path)
            if each.path.endswith(SUFFIX)
            else changes.touch(root / each.path, each.line, each.end_line)
        )
    )
