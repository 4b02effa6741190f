"""A finding's identity across edits elsewhere, for baselines, code scanning and joining with a run.

It is made of what the finding is about (code, file, function, the source line without whitespace),
never of where it stands: lines added above it, or a formatter, leave it as it is.

Equal lines in one function need one more thing to tell them apart: an ordinal, "the second of the
equal ones", in order of place. That is not a count: adding or removing an equal line below changes
nothing for those above it, and what is not equal has no say in it at all.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import replace

from compilelint.report.model import Finding

_HEX_DIGITS = 16


def fingerprint(code: str, path: str, function: str, source_line: str, occurrence: int = 0) -> str:
    """16 hexadecimal digits that name a finding.

    `path` is relative to the project root, `function` a qualified name within its module, and
    `occurrence` the 0-based ordinal among the places with all else equal.
    """
    identity = json.dumps([code, path, function, "".join(source_line.split()), occurrence])
    return hashlib.sha256(identity.encode("ascii")).hexdigest()[:_HEX_DIGITS]


def assign(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings in the order given, each with its fingerprint.

    All findings of a file must be given at once, before any are filtered out, else ordinals shift.
    Findings of one code at one place (a function reached in two ways) share their fingerprint.
    """
    given = tuple(findings)
    places: dict[tuple[str, ...], set[tuple[int, int]]] = {}
    for finding in given:
        places.setdefault(_subject(finding), set()).add((finding.line, finding.column))
    ordinals = {
        (subject, place): ordinal for subject, found in places.items() for ordinal, place in enumerate(sorted(found))
    }
    return tuple(
        replace(
            finding,
            fingerprint=fingerprint(
                finding.code,
                finding.path,
                finding.function,
                finding.source_line,
                ordinals[_subject(finding), (finding.line, finding.column)],
            ),
        )
        for finding in given
    )


def _subject(finding: Finding) -> tuple[str, ...]:
    return finding.code, finding.path, finding.function, "".join(finding.source_line.split())
