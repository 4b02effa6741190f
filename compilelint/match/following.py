"""Findings in packages that a check follows into: told at the user's line, with what a user can do there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from compilelint.inspect.events import Event
from compilelint.report.model import Effect, Finding, LibraryPlace
from compilelint.source.library import Library


def in_library(finding: Finding, advised: str, places: Sequence[LibraryPlace]) -> Finding:
    """A finding at the user's line about the first of these places in a followed package, which are all of its rule.

    They are listed in the finding, the first of them first, the others sorted.
    """
    first, *others = places
    rest = sorted(set(others) - {first}, key=lambda place: (place.path, place.line, place.end_line))
    more = "" if not rest else f" and {len(rest)} more {'place' if len(rest) == 1 else 'places'}"
    return replace(
        finding,
        message=f"{finding.message}, at {first.path}:{first.line}{more}",
        suggestion=f"{advised} What would mend it there: {finding.suggestion}",
        library=(first, *rest),
    )


def library_place(library: Library, event: Event) -> LibraryPlace:
    """Where an event in a followed package happens."""
    place, span = event.place, event.span
    return LibraryPlace(library.shown(place.path), span.line, span.end_line, place.function)


def advice(library: Library, event: Event, effect: Effect) -> str:
    """What can be done about code that is not the user's own. torch 2.13 was measured to do what is said here."""
    owner = f"This is code of {library.shown(event.place.path).partition('/')[0].removesuffix('.py')}"
    if effect == "recompile":
        return f"{owner}: accept it where one more compilation is all that it costs; else, {_without_it(event)}"
    if event.place.mode.fullgraph and not _is_compiled_itself(event):
        return f"{owner}: compile without `fullgraph=True`, or leave this call out of what is compiled."
    return f"{owner}: {_without_it(event)}"


def _without_it(event: Event) -> str:
    """How to keep it out of what is compiled; under `fullgraph=True` a break at the user's line is an error, too."""
    if _is_compiled_itself(event):
        return "compile submodules that do not come to it."
    if event.place.mode.fullgraph:
        return "leave this call out of what is compiled."
    return (
        "called from a function under `@torch.compiler.disable` it leaves one break, at your line, "
        "and runs without Dynamo."
    )


def _is_compiled_itself(event: Event) -> bool:
    """Whether compilation starts in the package: no function of the project leads there."""
    caller = event.place.via.function if event.place.via is not None else ""
    return not any(step == caller or step.startswith(f"{caller} (") for step in event.place.reached_from)
