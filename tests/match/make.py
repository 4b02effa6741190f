"""Rules and events made for a test, not read from pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from msgspec import structs

from compilelint.catalog import Example, Match, Outcome, Rule
from compilelint.inspect.events import Event, Mode, Place, Span

TARGET = "2.13.0"
EVENT = Event("call", Span(3, 5, 3, 13), Place("a.py", "f", ("a.py --root f", "f"), Mode()), "torch.Tensor.item")


def rule(*matches: Match, code: str = "CL101", hazard: Mapping[str, bool] | None = None, **changes: Any) -> Rule:
    """A rule with these matches; `hazard` says in which modes its one example is a hazard."""
    outcomes: dict[Any, Outcome] = {
        mode: Outcome(is_hazard, (1,), ("GB0124",)) for mode, is_hazard in (hazard or {"default": True}).items()
    }
    made = Rule(
        code=code,
        name=f"name-{code.lower()}",
        group="data-to-python",
        effect="graph-break",
        severity="warning",
        message="`{source}` calls {callee}",
        suggestion="Leave `{source}` out.",
        matches=matches,
        examples=(Example("example", True, "", 1, ((1, code, None),)),),
        prose="",
        evidence={"example": {TARGET: outcomes}},
    )
    return replace(made, **changes)


def match(event: str = "call", **fields: Any) -> Match:
    """A match that the one example proves."""
    return Match(event, "example", **fields)


def event(**changes: Any) -> Event:
    """A call of `torch.Tensor.item`, with these fields changed."""
    return structs.replace(EVENT, **changes)
