"""Which sighting of a rule at a place counts, once all are known."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

import pytest
from msgspec import structs

from compilelint.match.sightings import Sighting, distinct, findings_of
from compilelint.report.confidence import Confidence
from compilelint.report.model import Finding, LibraryPlace
from tests.report.make import finding

FUNCTION = ("src/model.py", "Net.forward")
OTHER = ("src/model.py", "Other.forward")
NOBODY: frozenset[tuple[str, str]] = frozenset()


def seen(
    *,
    confidence: Confidence = Confidence.HIGH,
    reached_from: tuple[str, ...] = ("root", "f"),
    line: int = 12,
    message: str = "",
    fullgraph: bool = False,
    aggravated: bool = False,
    explicit: bool = False,
    offered_by: tuple[tuple[str, str], ...] = (FUNCTION,),
    assumed: bool = False,
    rests_on_annotation: bool = False,
    beyond: LibraryPlace | None = None,
) -> Sighting:
    """A sighting of CL101 in `src/model.py`."""
    told = finding(
        confidence=confidence,
        reached_from=reached_from,
        line=line,
        message=message,
        severity="error" if fullgraph else "warning",
        suggestion="mend it.",
        fingerprint="",
    )
    return Sighting(
        told,
        FUNCTION,
        fullgraph,
        aggravated,
        () if explicit else offered_by,
        assumed,
        rests_on_annotation,
        beyond,
        "Stay out." if beyond else "",
    )


def only(
    *sightings: Sighting, called: frozenset[tuple[str, str]] = NOBODY, **others: frozenset[tuple[str, str]]
) -> Finding:
    """The one finding that these come to."""
    others = {"misdeclared": NOBODY, "of_known_use": NOBODY, **others}
    (found,) = findings_of(sightings, called, **others)
    return found


@pytest.mark.parametrize(
    ("counts", "other"),
    [
        (seen(confidence=Confidence.HIGH), seen(confidence=Confidence.MEDIUM, fullgraph=True, explicit=True)),
        (seen(fullgraph=True), seen(aggravated=True, explicit=True)),
        (seen(aggravated=True), seen(explicit=True, message="other")),
        (seen(explicit=True, reached_from=("root", "f", "g")), seen(reached_from=("root", "f"))),
        (seen(reached_from=("root", "f")), seen(reached_from=("root", "f", "g"))),
    ],
)
def test_the_surest_counts_then_what_costs_most_then_the_nearest_root(counts: Sighting, other: Sighting) -> None:
    assert only(counts, other) == only(other, counts) == counts.finding


def test_places_are_told_apart_by_line_column_and_rule_and_sorted() -> None:
    later, first = seen(line=30), seen(line=2)
    wider = structs.replace(first, finding=replace(first.finding, column=20))
    another = structs.replace(first, finding=replace(first.finding, code="CL102"))
    found = findings_of([later, wider, another, first], NOBODY, NOBODY, NOBODY)
    assert found == (first.finding, another.finding, wider.finding, later.finding)


@pytest.mark.parametrize(
    ("kind", "flag"), [("called", "assumed"), ("misdeclared", "rests_on_annotation")], ids=["assumed", "declared"]
)
def test_what_calls_contradict_is_of_low_confidence(kind: str, flag: str) -> None:
    resting, other = seen(confidence=Confidence.MEDIUM, **{flag: True}), seen(confidence=Confidence.MEDIUM)
    contradicted = {kind: frozenset({FUNCTION})}
    assert only(resting).confidence == Confidence.MEDIUM
    assert only(resting, **contradicted).confidence == Confidence.LOW
    assert only(resting, **{kind: frozenset({OTHER})}).confidence == Confidence.MEDIUM
    assert only(resting, other, **contradicted).confidence == Confidence.MEDIUM, "another way leads there all the same"


@pytest.mark.parametrize(
    ("ways", "known", "confidence"),
    [
        ([(FUNCTION,)], {FUNCTION}, Confidence.LOW),
        ([(FUNCTION,)], {OTHER}, Confidence.HIGH),
        ([(FUNCTION, OTHER)], {FUNCTION}, Confidence.HIGH),
        ([(FUNCTION, OTHER)], {FUNCTION, OTHER}, Confidence.LOW),
        ([(FUNCTION,), (OTHER,)], {FUNCTION}, Confidence.HIGH),
        ([(FUNCTION,), ()], {FUNCTION}, Confidence.HIGH),
    ],
    ids=[
        "used otherwise",
        "of another",
        "from another too",
        "none of them",
        "seen from another too",
        "compiled for sure",
    ],
)
def test_what_only_methods_lead_to_of_known_use_is_of_low_confidence(
    ways: list[tuple[tuple[str, str], ...]], known: set[tuple[str, str]], confidence: Confidence
) -> None:
    sightings = [seen(offered_by=way, explicit=not way) for way in ways]
    for order in permutations(sightings):
        assert only(*order, of_known_use=frozenset(known)).confidence == confidence
        assert only(*distinct(order), of_known_use=frozenset(known)).confidence == confidence


def test_of_a_line_that_goes_over_into_a_package_all_places_are_told_the_worst_first() -> None:
    place = LibraryPlace("lib/a.py", 9, 9, "f")
    worst = LibraryPlace("lib/z.py", 3, 3, "g")
    unsure = LibraryPlace("lib/q.py", 1, 1, "h")
    found = only(seen(beyond=place), seen(beyond=worst, fullgraph=True), seen(beyond=unsure, confidence=Confidence.LOW))
    assert (found.library, found.unsure) == ((worst, place), (unsure,))
    assert found.suggestion == "Stay out. What would mend it there: mend it."


def test_what_happens_at_the_line_itself_counts_before_what_is_beyond() -> None:
    beyond = seen(beyond=LibraryPlace("lib/a.py", 9, 9, "f"), fullgraph=True)
    assert only(beyond, seen(confidence=Confidence.LOW)).library == ()


def test_of_those_alike_in_all_that_may_decide_one_is_kept() -> None:
    best, others = seen(fullgraph=True), [seen(), seen(aggravated=True), seen(reached_from=("root", "f", "g"))]
    for order in permutations([best, *others]):
        assert list(distinct(order)) == [best]


def test_what_distinct_leaves_out_never_counts() -> None:
    """Whatever turns out later about calls: leaving out is done unit by unit, before anything is known of them."""
    every = [
        seen(confidence=confidence, fullgraph=fullgraph, aggravated=aggravated, rests_on_annotation=resting)
        for confidence, fullgraph, aggravated, resting in product(
            Confidence, (False, True), (False, True), (False, True)
        )
    ]
    every += [seen(confidence=Confidence.MEDIUM, explicit=explicit, assumed=True) for explicit in (False, True)]
    for pair in permutations(every, 2):
        left = tuple(distinct(pair))
        for called, misdeclared in product((NOBODY, frozenset({FUNCTION})), repeat=2):
            assert findings_of(left, called, misdeclared, NOBODY) == findings_of(pair, called, misdeclared, NOBODY)
