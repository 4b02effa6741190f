"""Findings between two checks: what the last thorough one knew is kept while somebody types.

A quick check looks only at the file itself. What the rest of the project makes of it (a function is compiled elsewhere,
or called otherwise than assumed) was seen by the last thorough check, and still holds for lines that are as they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from compilelint.report.model import Finding

Lines = Mapping[int | None, Sequence[str]]
"""Of each cell its lines; those of a file stand under None."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What a thorough check found otherwise than a quick one of the same text."""

    more: tuple[Finding, ...] = ()
    fewer: frozenset[str] = frozenset()
    """Fingerprints of what only the quick one finds."""


def difference(quick: Iterable[Finding], thorough: Iterable[Finding]) -> Difference:
    """The difference, both being of one file."""
    by_quick = {each.fingerprint for each in quick}
    found = tuple(thorough)
    return Difference(
        tuple(each for each in found if each.fingerprint not in by_quick),
        frozenset(by_quick - {each.fingerprint for each in found}),
    )


def completed(quick: Sequence[Finding], known: Difference, lines: Lines) -> tuple[Finding, ...]:
    """What a thorough check would probably find: a quick one's findings and the difference of an earlier text."""
    found = {each.fingerprint for each in quick}
    kept = tuple(each for each in quick if each.fingerprint not in known.fewer)
    return (*kept, *(each for each in moved(known.more, lines) if each.fingerprint not in found))


def moved(findings: Iterable[Finding], lines: Lines) -> Iterator[Finding]:
    """The findings of an earlier text whose lines are still there, each at the nearest line that reads the same."""
    for finding in findings:
        now = lines.get(finding.cell, ())
        same = [number for number, line in enumerate(now, start=1) if line == finding.source_line]
        if same:
            line = min(same, key=lambda number: abs(number - finding.line))
            end_line = min(finding.end_line + line - finding.line, len(now))
            yield replace(finding, line=line, end_line=end_line)
