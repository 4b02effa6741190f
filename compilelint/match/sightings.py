"""What is seen of a rule at a place: all that is left of the walk once a file's roots are done.

A place is seen from many roots. Which of the sightings counts can only be said when every file has been walked, so
each holds what decides about it then, and nothing of the trees that it was found in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import replace

from msgspec import Struct, structs

from compilelint.catalog import names_of_breaks
from compilelint.inspect.events import CallSite
from compilelint.match.following import advice, in_library, library_place
from compilelint.match.matcher import Hit
from compilelint.report.confidence import Confidence
from compilelint.report.model import Finding, LibraryPlace, Severity, UseOfValue
from compilelint.source.tree import SourceTree

Function = tuple[str, str]
"""File and qualified name."""


class Sighting(Struct, frozen=True):
    """A hit as the finding that it would be, without fingerprint, and what makes it count more or less."""

    finding: Finding
    function: Function
    """Where it happens: of what is beyond a border, not where it is shown."""
    fullgraph: bool
    """A break is an error there."""
    aggravated: bool
    offered_by: tuple[Function, ...]
    """What its file only offers to be compiled, and leads here; nothing if something that is compiled for sure does."""
    assumed: bool
    """It rests on what a root's parameters are taken for."""
    rests_on_annotation: bool
    beyond: LibraryPlace | None = None
    """Where it happens, if that is in a followed package."""
    advice: str = ""
    """What can be done about it from here, if so."""


def sightings_of(tree: SourceTree, hits: Iterable[tuple[Hit, Function | None]], target: str) -> Iterator[Sighting]:
    """What is kept of hits, each with its root if that is only offered; they are shown in the project's files.

    Most are seen from many roots. Of those that are the same but for the way that led there, one is made.
    """
    known: dict[tuple[object, ...], tuple[Hit, set[Function]]] = {}
    for hit, offered in hits:
        event, place = hit.event, hit.event.place
        decisive = (hit.rule.code, hit.confidence, event.span, place.path, place.function, place.via, place.mode)
        way = (bool(place.aggravated_by), offered is None, len(place.reached_from), place.rests_on_annotation)
        _, offered_by = known.setdefault((*decisive, *way), (hit, set()))
        if offered is not None:
            offered_by.add(offered)
    yield from (_sighting(tree, hit, target, tuple(sorted(offered_by))) for hit, offered_by in known.values())


def _sighting(tree: SourceTree, hit: Hit, target: str, offered_by: tuple[Function, ...]) -> Sighting:
    event, place = hit.event, hit.event.place
    return Sighting(
        _finding(tree, hit, target),
        (place.path, place.function),
        place.mode.fullgraph or place.mode.strict,
        bool(place.aggravated_by),
        offered_by,
        len(place.reached_from) == 2 and hit.confidence == Confidence.MEDIUM,
        place.rests_on_annotation,
        library_place(tree.library, event) if place.via is not None else None,
        advice(tree.library, event, hit.rule.effect) + _where_to_change(tree, place.via.path)
        if place.via is not None
        else "",
    )


def shown_at(hit: Hit) -> CallSite | None:
    """The place at which a hit is shown, if that is not where it happens."""
    return hit.event.place.via


def findings_of(
    sightings: Iterable[Sighting], called: Set[Function], misdeclared: Set[Function], of_known_use: Set[Function]
) -> tuple[Finding, ...]:
    """The findings, sorted by place, without fingerprints; `sightings` come in an order that is always the same.

    Of several sightings of one rule at one place the surest counts, and of these the one that costs most. What happens
    in a followed package is found where the project goes over into it: a line has one finding for each rule, however
    often the rule is met beyond.
    """
    grouped: dict[tuple[str, int, int, str], list[Sighting]] = {}
    for each in sightings:
        finding = each.finding
        key = (finding.path, finding.line, finding.column, finding.code)
        grouped.setdefault(key, []).append(_settled(each, called, misdeclared, of_known_use))
    return tuple(_told(group) for _, group in sorted(grouped.items()))


def distinct(sightings: Iterable[Sighting]) -> Iterator[Sighting]:
    """The same without those that can never count, because there is one like it of higher rank.

    What is left of several ways there is taken back only if all of them are.
    """
    best: dict[tuple[object, ...], Sighting] = {}
    for each in sightings:
        finding = each.finding
        place = (finding.path, finding.line, finding.column, finding.end_line, finding.end_column, finding.code)
        # Of those that are taken back later, all come to be as sure as each other: then the less sure may be the worse.
        key = (*place, finding.confidence, each.function, each.assumed, each.rests_on_annotation, each.beyond)
        known = best.get(key)
        if known is None:
            best[key] = each
        else:
            both = _of_both(each.offered_by, known.offered_by)
            best[key] = structs.replace(max(known, each, key=_rank), offered_by=both)
    return iter(best.values())


def _of_both(one: tuple[Function, ...], other: tuple[Function, ...]) -> tuple[Function, ...]:
    return tuple(sorted({*one, *other})) if one and other else ()


def _settled(
    each: Sighting, called: Set[Function], misdeclared: Set[Function], of_known_use: Set[Function]
) -> Sighting:
    """Take back what was only assumed of parameters where the project itself calls the function otherwise.

    What callers pass decides: what rests on an assumption about a function which is seen being called with known
    arguments is of low confidence, unless such a call leads to it as well. So is what rests on the annotation of a
    parameter which another call gives a list; and what only methods lead to of which a program says how it uses them:
    what it compiles does not come there.
    """
    taken_back = (
        (each.assumed and each.function in called)
        or (each.rests_on_annotation and each.function in misdeclared)
        or (bool(each.offered_by) and all(method in of_known_use for method in each.offered_by))
    )
    return structs.replace(each, finding=replace(each.finding, confidence=Confidence.LOW)) if taken_back else each


def _rank(each: Sighting) -> tuple[int, bool, bool, bool, int]:
    """Of equally bad ones, that of something compiled for sure, then the way from the nearest root: they say most."""
    finding = each.finding
    return (finding.confidence, each.fullgraph, each.aggravated, not each.offered_by, -len(finding.reached_from))


def _told(group: list[Sighting]) -> Finding:
    own = [each for each in group if each.beyond is None]
    if own:
        return max(own, key=_rank).finding
    surest = max(each.finding.confidence for each in group)
    told = [each for each in group if each.finding.confidence >= min(surest, Confidence.MEDIUM)]
    worst = max(sorted(told, key=_by_place), key=_rank)
    places = [each.beyond for each in (worst, *told) if each.beyond is not None]
    unsure = tuple(sorted({each.beyond for each in group if each.beyond is not None} - set(places), key=_place))
    return replace(in_library(worst.finding, worst.advice, places), unsure=unsure)


def _by_place(each: Sighting) -> tuple[str, int]:
    return _place(each.beyond) if each.beyond is not None else ("", 0)


def _place(place: LibraryPlace) -> tuple[str, int]:
    return place.path, place.line


def _finding(tree: SourceTree, hit: Hit, target: str) -> Finding:
    rule, match, place = hit.rule, hit.match, hit.event.place
    site = shown_at(hit)
    path, span = (place.path, hit.event.span) if site is None else (site.path, site.span)
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
        function=site.function if site is not None else place.function,
        message=_fill(match.message or rule.message, hit),
        suggestion=_fill(match.suggestion or rule.suggestion, hit)
        + ("" if site is not None else _where_to_change(tree, path)),
        gb_ids=names_of_breaks(rule, match, place.mode, target),
        reached_from=place.reached_from,
        aggravated_by=place.aggravated_by if rule.effect == "graph-break" else (),
        source_line=tree.line(path, span.line),
        fingerprint="",
        use=_use(hit),
    )


def _use(hit: Hit) -> UseOfValue | None:
    event = hit.event
    return UseOfValue(event.use, event.used_in, hit.match.at_use or hit.rule.effect) if event.use else None


def _where_to_change(tree: SourceTree, path: str) -> str:
    """Who changes a generated file loses that when it is generated again."""
    template = tree.graph.generated_from(path)
    return f" The file is generated from `{template}`: change that." if template is not None else ""


def _severity(hit: Hit) -> Severity:
    """Under fullgraph=True every break is an exception, and so it is where the code says so itself."""
    mode = hit.event.place.mode
    if (mode.fullgraph or mode.strict) and hit.rule.effect == "graph-break":
        return "error"
    return hit.rule.severity


def _fill(template: str, hit: Hit) -> str:
    event = hit.event
    return template.format(source=event.source, callee=event.callee, use=f"`{event.use}` in `{event.used_in}`")
