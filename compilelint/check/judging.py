"""What of the findings is shown: rules that are on, comments that accept, confidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from compilelint.catalog.model import Rule
from compilelint.catalog.pages import RUN_GROUP
from compilelint.check.rules import UNUSED_SUPPRESSION, Wanted
from compilelint.match.analysis import Analysis
from compilelint.project.suppressions import Suppression, complaints, suppress
from compilelint.report.fingerprint import assign
from compilelint.report.model import Finding


@dataclass(frozen=True, slots=True)
class Judged:
    """The findings, sorted out."""

    shown: tuple[Finding, ...]
    hidden: tuple[Finding, ...]
    """Below the confidence asked for."""
    suppressed: tuple[Finding, ...]
    on: Mapping[str, frozenset[str]]
    """By file, the codes that were looked for; a file that could not be judged is not there."""


def judge(
    analysis: Analysis,
    files: Iterable[str],
    comments_in: Callable[[str], Sequence[Suppression]],
    rules: Sequence[Rule],
    wanted: Mapping[str, Wanted],
    complain: bool,
) -> Judged:
    """What of the findings is shown, with the complaints about comments that suppress nothing.

    `wanted` says of each file what is reported of it, `comments_in` gives those that may accept findings.
    """
    by_file: dict[str, list[Finding]] = {}
    for finding in analysis.findings:
        by_file.setdefault(finding.path, []).append(finding)
    broken = {problem.path for problem in analysis.problems}
    known = {rule.code: rule.name for rule in rules}
    of_runs = {rule.code for rule in rules if rule.group == RUN_GROUP}
    shown: list[Finding] = []
    suppressed: list[Finding] = []
    hidden: list[Finding] = []
    looked_for: dict[str, frozenset[str]] = {}
    for name in files:
        on, least = wanted[name].on, wanted[name].min_confidence
        comments = comments_in(name)
        sorted_out = suppress([each for each in by_file.get(name, ()) if each.code in on], comments)
        shown += (each for each in sorted_out.kept if each.confidence >= least)
        hidden += (each for each in sorted_out.kept if each.confidence < least)
        suppressed += (each for each in sorted_out.dropped if each.confidence >= least)
        if name in broken:
            continue
        looked_for[name] = frozenset(on)
        # What a template accepts is found in what is generated from it, with its comments.
        if complain and UNUSED_SUPPRESSION.code in on and name not in analysis.templates:
            of_source = {code: title for code, title in on.items() if code not in of_runs}
            shown += assign(complaints(name, comments, sorted_out.used, known, of_source))
    return Judged(tuple(shown), tuple(hidden), tuple(suppressed), looked_for)


def in_other_files(
    analysis: Analysis, comments_in: Callable[[str], Sequence[Suppression]], wanted_in: Callable[[str], Wanted]
) -> Mapping[str, int]:
    """How many findings there would be in files that were not named, of what those that were compile, by file."""
    by_file: dict[str, list[Finding]] = {}
    for finding in analysis.elsewhere:
        by_file.setdefault(finding.path, []).append(finding)
    numbers: dict[str, int] = {}
    for name, found in sorted(by_file.items()):
        wanted = wanted_in(name)
        shown = [each for each in found if each.code in wanted.on and each.confidence >= wanted.min_confidence]
        if number := len(suppress(shown, comments_in(name)).kept):
            numbers[name] = number
    return numbers
