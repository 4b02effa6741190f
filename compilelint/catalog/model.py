"""A rule as the rest of the program sees it: immutable, with no trace of the file it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from compilelint.report.model import Effect, Severity

ModeName = Literal["default", "fullgraph", "capture-scalars", "capture-shapes"]
"""The modes under which evidence is measured."""
MODES: tuple[ModeName, ...] = get_args(ModeName)

Requirement = frozenset[str] | Literal["present", "absent"]


@dataclass(frozen=True, slots=True)
class Match:
    """What in the vocabulary of events a rule matches; an empty field asks nothing."""

    event: str
    example: str
    callee: tuple[str, ...] = ()
    not_callee: frozenset[str] = frozenset()
    construct: frozenset[str] = frozenset()
    receiver: frozenset[str] = frozenset()
    arguments: tuple[tuple[str, Requirement], ...] = ()
    not_arguments: tuple[tuple[str, Requirement], ...] = ()
    message: str | None = None
    suggestion: str | None = None
    detector: str | None = None
    only_explicit: bool = False
    """Only in what is compiled for sure: said of all that may be compiled it would be said of code that never is."""
    at_use: Effect | None = None
    """What Dynamo does where what is compiled uses the value (`Event.use`), if not what the rule is of."""


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
    """Lines of the example at which it did: those that are marked, where Dynamo names another line of the statement."""
    gb_ids: tuple[str, ...] = ()
    reason: str = ""
    unknown: tuple[int, ...] = ()
    """Marked lines that could not be measured: they need what an earlier one makes, and that one ends the run."""
    dropped: bool = False
    """Dynamo gave a whole frame up."""
    recompiles: int = 0
    """Over the example's successive calls."""
    error: str = ""
    """The type of the exception that reached the caller."""


ExampleEvidence: TypeAlias = Mapping[str, Mapping[ModeName, Outcome]]
"""Torch version → mode → outcome."""
Proofs: TypeAlias = Mapping[str, frozenset[int]]
"""Subject of an event (`Event.subject`) → lines of the example on which the checker finds it."""


@dataclass(frozen=True, slots=True)
class RuleEvidence:
    """What was measured of one page, by example."""

    outcomes: Mapping[str, ExampleEvidence] = field(default_factory=dict)
    proofs: Mapping[str, Proofs] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    """The hash of the text that was measured."""


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
    evidence: Mapping[str, ExampleEvidence] = field(default_factory=dict)
    """Example name → what was measured of it."""
    proofs: Mapping[str, Proofs] = field(default_factory=dict)
    """Example name → what stands where in it.

    A match may name many callees, and versions of torch differ in which of them they trace: what an example
    proves of one callee is what Dynamo did on its lines.
    """
