"""The findings of the check, and what only the run showed, by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from compilelint.report.finding_words import effect_of, finding_notes, nature
from compilelint.report.follows import short_path
from compilelint.report.html.code import Mark, SourceFinder, marked, visible
from compilelint.report.model import SEVERITIES, Effect, Finding, Observation, Report, Severity, Verdict
from compilelint.report.order import ordered_findings, ordered_observations
from compilelint.report.place import place
from compilelint.report.run_rules import RUN_RULES
from compilelint.report.words import observation_words

_AROUND = 2
_EFFECTS: tuple[Effect, ...] = (
    "compile-error",
    "wrong-result",
    "graph-break",
    "recompile",
    "not-compiled",
    "slow-start",
    "none",
)
"""The worst first, among rules of one severity."""
_VERDICTS: tuple[tuple[Verdict | None, str], ...] = (
    ("confirmed", "confirmed"),
    ("refuted", "refuted"),
    ("not-reached", "not reached"),
    (None, "no verdict"),
    ("runtime-only", "runtime only"),
)
_TELLING: tuple[Verdict | None, ...] = ("confirmed", "runtime-only", None, "refuted", "not-reached")
"""What happened is told before what did not."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A finding, or an observation that no finding predicted."""

    place: str
    message: str
    nature: str
    function: str
    severity: Severity
    verdict: Verdict | None
    rows: tuple[tuple[int, str], ...]
    """Lines of source with their numbers."""
    line: int
    mark: Mark | None
    notes: tuple[tuple[str, str], ...]
    link: str
    """The anchor of the cause that it is part of, in a run."""

    @property
    def verdict_key(self) -> str:
        return self.verdict or "none"


@dataclass(frozen=True, slots=True)
class Group:
    """All that one rule is about."""

    code: str
    name: str
    effect: str
    severity: Severity
    message: str
    entries: tuple[Entry, ...]
    files: int


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that can be filtered by."""

    key: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class Listed:
    """All entries by rule, what to look at first on top, and what they can be filtered by.

    First comes what a run showed, then what is graver.
    """

    groups: tuple[Group, ...]
    verdicts: tuple[Choice, ...]
    severities: tuple[Choice, ...]
    count: int


def listed(report: Report, find: SourceFinder, anchors: Mapping[Observation, str]) -> Listed:
    """`anchors` are those of the causes that observations are part of."""
    by_finding: dict[str, str] = {each.finding: anchor for each, anchor in anchors.items() if each.finding}
    entries: dict[str, list[Entry]] = {}
    about: dict[str, Finding | Observation] = {}
    for finding in ordered_findings(report.findings):
        entries.setdefault(finding.code, []).append(_of_finding(finding, find, by_finding))
        about.setdefault(finding.code, finding)
    for each in ordered_observations(report.observations):
        if each.finding is None and not each.accepted and report.run is not None:
            code = RUN_RULES[each.type]
            entries.setdefault(code, []).append(_of_observation(each, find, anchors))
            about.setdefault(code, each)
    pages = {page.code: page for page in report.rules}
    for of_rule in entries.values():
        of_rule.sort(key=_telling)
    groups = tuple(
        Group(
            code=code,
            name=pages[code].name if code in pages else getattr(about[code], "name", ""),
            effect=_effect(about[code]),
            severity=min((each.severity for each in found), key=SEVERITIES.index),
            message=pages[code].message if code in pages else "",
            entries=tuple(found),
            files=len({each.place.rpartition(":")[0].rpartition(":")[0] for each in found}),
        )
        for code, found in sorted(entries.items(), key=lambda item: _gravity(item[0], item[1], about))
    )
    every = [each for group in groups for each in group.entries]
    verdicts = Counter(each.verdict for each in every) if report.run is not None else Counter[Verdict | None]()
    severities = Counter(each.severity for each in every)
    return Listed(
        groups=groups,
        verdicts=tuple(Choice(key or "none", label, verdicts[key]) for key, label in _VERDICTS if verdicts[key]),
        severities=tuple(Choice(key, key, severities[key]) for key in SEVERITIES if severities[key]),
        count=len(every),
    )


def _telling(entry: Entry) -> int:
    return _TELLING.index(entry.verdict)


def _gravity(
    code: str, entries: Sequence[Entry], about: Mapping[str, Finding | Observation]
) -> tuple[bool, int, int, int, str]:
    subject = about[code]
    effect = _EFFECTS.index(subject.effect) if isinstance(subject, Finding) else 0
    severity = min(SEVERITIES.index(each.severity) for each in entries)
    shown = any(each.verdict in ("confirmed", "runtime-only") for each in entries)
    return not shown, severity, effect, -len(entries), code


def _effect(subject: Finding | Observation) -> str:
    return effect_of(subject) if isinstance(subject, Finding) else observation_words(subject.type)


def _of_finding(finding: Finding, find: SourceFinder, by_finding: Mapping[str, str]) -> Entry:
    end = finding.end_column if finding.end_line == finding.line else None
    return Entry(
        place=place(finding),
        message=finding.message,
        nature=nature(finding),
        function=finding.function,
        severity=finding.severity,
        verdict=finding.verdict,
        rows=tuple(_rows(find, finding.path, finding.line, finding.source_line)),
        line=finding.line,
        mark=marked(finding.source_line, (finding.column, end)),
        notes=tuple(finding_notes(finding)),
        link=by_finding.get(finding.fingerprint, ""),
    )


def _of_observation(observation: Observation, find: SourceFinder, anchors: Mapping[Observation, str]) -> Entry:
    return Entry(
        place=f"{short_path(observation.path)}:{observation.line}",
        message=observation.reason,
        nature=observation_words(observation.type),
        function=observation.function,
        severity=observation.severity,
        verdict=observation.verdict,
        rows=tuple(_rows(find, observation.path, observation.line, observation.source_line)),
        line=observation.line,
        mark=None,
        notes=(("help", observation.advice),) if observation.advice else (),
        link=anchors.get(observation, ""),
    )


def _rows(find: SourceFinder, path: str, line: int, text: str) -> Iterable[tuple[int, str]]:
    source = find(path, line)
    rows = source.text.split("\n") if source is not None else []
    at = line - source.line if source is not None else 0
    if source is None or not 0 <= at < len(rows) or rows[at] != text:
        return ((line, visible(text)),) if text.strip() else ()
    return (
        (source.line + index, visible(rows[index]))
        for index in range(max(at - _AROUND, 0), min(at + _AROUND + 1, len(rows)))
    )
