"""Hits become findings: one for each place and rule, at a line that the user can change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from compilelint.catalog import outcome_of
from compilelint.inspect.events import Span
from compilelint.match.following import in_library
from compilelint.match.matcher import Hit
from compilelint.report.confidence import Confidence
from compilelint.report.model import Finding, Severity
from compilelint.source.tree import SourceTree

_Key = tuple[str, str, int, int]
"""Rule, file, line and column: of what meets one rule at one place there is one finding."""


def findings_of(tree: SourceTree, hits: Iterable[Hit], target: str) -> Iterator[Finding]:
    """The findings in the checked files, sorted by place, without fingerprints.

    Of several hits at one place the surest one counts, and of these the one that costs most. What happens in a
    followed package is found where the project goes over into it: a line has one finding for each rule, however
    often the rule is met beyond.
    """
    grouped: dict[_Key, list[Hit]] = {}
    for hit in hits:
        path, span = _shown_at(hit)
        if path in tree.checked:
            grouped.setdefault((hit.rule.code, path, span.line, span.column), []).append(hit)
    for key in sorted(grouped, key=lambda key: (key[1], key[2], key[3], key[0])):
        own = [hit for hit in grouped[key] if hit.event.place.via is None]
        yield _finding(tree, max(own, key=_rank), target) if own else _followed(tree, grouped[key], target)


def _shown_at(hit: Hit) -> tuple[str, Span]:
    via = hit.event.place.via
    return (hit.event.place.path, hit.event.span) if via is None else (via.path, via.span)


def _rank(hit: Hit) -> tuple[int, bool, bool, int]:
    """Of equally bad ones the way from the nearest root: it says most to the reader."""
    place = hit.event.place
    return (hit.confidence, place.mode.fullgraph, bool(place.aggravated_by), -len(place.reached_from))


def _finding(tree: SourceTree, hit: Hit, target: str) -> Finding:
    rule, match, place = hit.rule, hit.match, hit.event.place
    path, span = _shown_at(hit)
    outcome = outcome_of(rule, match, place.mode, target)
    return Finding(
        code=rule.code,
        name=rule.name,
        effect=rule.effect,
        severity=_severity(hit),
        confidence=hit.confidence,
        path=path,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        function=place.via.function if place.via is not None else place.function,
        message=_fill(match.message or rule.message, hit),
        suggestion=_fill(match.suggestion or rule.suggestion, hit),
        gb_ids=outcome.gb_ids if outcome is not None else (),
        reached_from=place.reached_from,
        aggravated_by=place.aggravated_by if rule.effect == "graph-break" else (),
        source_line=tree.texts[path].line(span.line),
        fingerprint="",
    )


def _severity(hit: Hit) -> Severity:
    """Under fullgraph=True every break is an exception."""
    if hit.event.place.mode.fullgraph and hit.rule.effect == "graph-break":
        return "error"
    return hit.rule.severity


def _fill(template: str, hit: Hit) -> str:
    return template.replace("{source}", hit.event.source).replace("{callee}", hit.event.callee)


def _followed(tree: SourceTree, hits: list[Hit], target: str) -> Finding:
    """What hits of one rule beyond one call come to: the worst is told, the others are listed."""
    surest = max(hit.confidence for hit in hits)
    told = [hit for hit in hits if hit.confidence >= min(surest, Confidence.MEDIUM)]
    worst = max(sorted(told, key=_by_place), key=_rank)
    return in_library(tree.library, _finding(tree, worst, target), [hit.event for hit in (worst, *told)])


def _by_place(hit: Hit) -> tuple[str, int, int]:
    return (hit.event.place.path, hit.event.span.line, hit.event.span.column)
