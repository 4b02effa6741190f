"""One check of an open document. Knows nothing of the protocol; runs in a thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from compilelint.check import CheckOptions, CheckResult, run_check
from compilelint.project.files import project_name
from compilelint.report.model import Finding, Problem
from compilelint.server.documents import Document

_UNNAMED = "-"


class OutdatedError(Exception):
    """Nobody waits for the result any more."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What is to be told of one document."""

    result: CheckResult
    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...]


def check_document(
    document: Document,
    unsaved: Mapping[Path, str],
    *,
    importers: int,
    cache: Path | None,
    go_on: Callable[[], bool],
) -> Checked:
    """A check of a document as it is in the editor; `importers` and `cache` are those of CheckOptions.

    `go_on` is asked now and then. Raises CheckError, and OutdatedError once `go_on` says no.
    """

    def progress(done: int, total: int) -> None:
        if not go_on():
            raise OutdatedError

    progress(0, 1)
    # An editor opens files, it does not name them: what is excluded stays so.
    options = CheckOptions(stdin_filename=document.path, force_exclude=True, importers=importers, cache=cache)
    result = run_check(options, stdin=document.text, unsaved=unsaved, progress=progress)
    name = project_name(document.path, result.root) if document.path is not None else _UNNAMED
    return Checked(
        result,
        tuple(each for each in result.report.findings if each.path == name),
        tuple(each for each in result.report.errors if each.path == name),
    )
