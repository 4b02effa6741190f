"""Findings accepted where they stand: comments are written into the files, as `check --add-ignores` does."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from compilelint.project.files import Unreadable, decode_source, encode_source, read_data, write_atomically
from compilelint.project.files import reason as os_reason
from compilelint.project.ignore_comments import ignore_comments, inserted
from compilelint.project.notebooks import SUFFIX
from compilelint.project.suppressions import UNUSED_CODE, read_suppressions, suppress
from compilelint.report.model import Finding, Problem
from compilelint.source.facts import facts_of


@dataclass(frozen=True, slots=True)
class Accepted:
    """What was written."""

    accepted: int
    """Findings that are accepted now."""
    comments: int
    """Lines that got a comment, or more codes in the one that they had."""
    files: int
    left: int
    """Comments that accept nothing: another comment would not make them better."""
    failures: tuple[Problem, ...]
    """Files that were left alone, and why."""


class _Refused(Exception):
    """A file cannot be changed; the message says why."""


def add_ignores(findings: Iterable[Finding], root: Path, reason: str) -> Accepted:
    """Write comments that accept the findings, whose paths are relative to `root`.

    A file is changed as a whole or not at all, and only if Python reads the same program in it as before.
    """
    by_file: dict[str, list[Finding]] = {}
    left = 0
    for finding in findings:
        if finding.code == UNUSED_CODE:
            left += 1
        else:
            by_file.setdefault(finding.path, []).append(finding)
    words = " ".join(reason.split())
    failures: list[Problem] = []
    accepted = comments = 0
    for path, found in sorted(by_file.items()):
        try:
            comments += _accept(root / path, found, words)
            accepted += len(found)
        except (_Refused, Unreadable) as error:
            failures.append(Problem(path, str(error)))
        except OSError as error:
            failures.append(Problem(path, os_reason(error)))
    return Accepted(accepted, comments, len(by_file) - len(failures), left, tuple(failures))


def _accept(file: Path, findings: Sequence[Finding], reason: str) -> int:
    if file.suffix == SUFFIX:
        raise _Refused("comments are not written into notebooks: accept what is found there with a baseline")
    data = read_data(file)
    text = decode_source(data)
    if source := facts_of(text).generated_from:
        raise _Refused(f"it is generated from {source}, which would not have the comments: write them there")
    insertions = ignore_comments(text, findings, reason)
    accepting = inserted(text, insertions)
    if suppress(findings, read_suppressions(accepting)).kept:
        raise _Refused("there is a finding that no comment can accept; left as it is")
    if not _same_program(text, accepting):
        raise _Refused("with comments it would be another program; left as it is")
    try:
        write_atomically(file, encode_source(accepting, data))
    except UnicodeEncodeError as error:
        raise _Refused(f"{error.object[error.start]!r} cannot be written in {error.encoding}; left as it is") from error
    return len(insertions)


def _same_program(one: str, other: str) -> bool:
    """Whether two texts are the same to Python, line by line and column by column."""
    try:
        return ast.dump(ast.parse(one), include_attributes=True) == ast.dump(ast.parse(other), include_attributes=True)
    except (SyntaxError, ValueError, RecursionError):
        return False
