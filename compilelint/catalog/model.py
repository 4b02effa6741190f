"""A rule as the rest of the program sees it: immutable, with no trace of the file it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from compilelint.report.model import Effect, Severity

ModeName = Literal["default", "fullgraph", "capture-scalars", "capture-shapes"]
"""The modes under which evidence is measured."""

Requirement = frozenset[str] | Literal["present", "absent"]


@dataclass(frozen=True, slots=True)
class Match:
    """What in the vocabulary of events a rule matches; an empty field asks nothing."""

    event: str
    example: str
    callee: tuple[str, ...] = ()
    construct: frozenset[str] = frozenset()
    receiver: frozenset[str] = frozenset()
    arguments: tuple[tuple[str, Requirement], ...] = ()
    not_arguments: tuple[tuple[str, Requirement], ...] = ()
    message: str | None = None
    suggestion: str | None = None
    detector: str | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """A fenced block of a page: it runs as it stands."""

    name: str
    hazard: bool
    source: str
    page_line: int
    """Line of the page on which the block's first line of code stands."""
    marks: tuple[tuple[int, str, ModeName | None], ...] = ()
    """(line within the block, code, mode or None for every mode that breaks) of each `# <- CODE`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What Dynamo did with one example, on one torch version, in one mode."""

    hazard: bool
    """It broke, recompiled, failed, or its assertions showed the effect."""
    lines: tuple[int, ...] = ()
    """Lines of the example at which it did."""
    gb_ids: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """One page of `rules/`."""

    code: str
    name: str
    group: str
    effect: Effect
    severity: Severity
    message: str
    suggestion: str
    matches: tuple[Match, ...]
    examples: tuple[Example, ...]
    prose: str
    """The page's Markdown after the front matter."""
    evidence: Mapping[str, Mapping[str, Mapping[ModeName, Outcome]]] = field(default_factory=dict)
    """Example name → torch version → mode → outcome."""
