"""A finding in words, as every format for people tells it beside its message."""

from __future__ import annotations

from collections.abc import Iterator

from compilelint.report.model import Finding, LibraryPlace
from compilelint.report.summary import is_about_comments
from compilelint.report.words import effect_words

_STEPS_AT_START = 2
_STEPS_AT_END = 3
_FURTHER_PLACES = 4


def nature(finding: Finding) -> str:
    """What it does, and how sure the checker is: `graph break, high confidence`."""
    if is_about_comments(finding):
        return effect_of(finding)
    return f"{effect_of(finding)}, {finding.confidence.label} confidence"


def effect_of(finding: Finding) -> str:
    """What it does: `graph break`."""
    return "suppression comment" if is_about_comments(finding) else effect_words(finding.effect)


def finding_notes(finding: Finding) -> Iterator[tuple[str, str]]:
    """What else is to be known, each with its title: `reached`, `also`, `worse`, `help`; as it comes, not escaped."""
    if finding.reached_from:
        yield "reached", _route(finding.reached_from)
    if len(finding.library) > 1:
        yield "also", _further(finding.library[1:])
    if finding.aggravated_by and finding.effect == "graph-break":
        yield "worse", worse_words(finding.aggravated_by)
    if finding.suggestion:
        yield "help", finding.suggestion


def worse_words(around: tuple[str, ...]) -> str:
    """What a break costs beyond two graphs for one, by what it stands in.

    A loop runs uncompiled with all of its function; anything else with what comes after it (torch 2.5 and 2.13).
    """
    lost = "drops the whole frame" if all("loop" in each for each in around) else "gives up the rest of the frame"
    return f"{', '.join(around)}: Dynamo {lost}"


def _route(reached_from: tuple[str, ...]) -> str:
    root, *steps = reached_from
    if steps and root.endswith(f" {steps[0]}"):
        # A `forward` that is a root itself: its place and its name say it once.
        reached_from = (root, *steps[1:])
    hidden = len(reached_from) - _STEPS_AT_START - _STEPS_AT_END
    if hidden <= 1:
        return " → ".join(reached_from)
    return " → ".join([*reached_from[:_STEPS_AT_START], f"({hidden} more)", *reached_from[-_STEPS_AT_END:]])


def _further(places: tuple[LibraryPlace, ...]) -> str:
    """The places in a package that the message does not name, or the first of them."""
    shown = [f"{place.path}:{place.line}" for place in places[:_FURTHER_PLACES]]
    hidden = len(places) - len(shown)
    return ", ".join([*shown, f"{hidden} more"] if hidden else shown)
