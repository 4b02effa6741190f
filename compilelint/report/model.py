"""The ground floor: what the check and the trace say, in plain frozen records.

Nothing here knows how a finding was made or how it will be shown. Lines and columns are 1-based,
`end_column` is exclusive, paths are relative to the project root with `/`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

Effect = Literal["graph-break", "recompile", "compile-error", "slow-start", "wrong-result", "not-compiled", "none"]
"""What a hazard does; "none" is for findings about the check itself, such as an unused suppression."""
Severity = Literal["error", "warning", "info"]
Verdict = Literal["confirmed", "refuted", "not-reached", "runtime-only"]


class Confidence(IntEnum):
    """How sure the checker is of the kinds a finding rests on; ordered, so `max` and `>=` work."""

    LOW = 0
    MEDIUM = 1
    HIGH = 2

    @property
    def label(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule matched an event at a place in a compiled region."""

    code: str
    name: str
    effect: Effect
    severity: Severity
    confidence: Confidence
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    function: str
    message: str
    suggestion: str
    gb_ids: tuple[str, ...]
    reached_from: tuple[str, ...]
    """Root first, the function that holds the finding last."""
    aggravated_by: tuple[str, ...]
    """Why Dynamo drops whole frames here instead of splitting the graph, innermost first; empty if it splits."""
    source_line: str
    """The first physical line of the finding, without its newline."""
    fingerprint: str
    verdict: Verdict | None = None
    fix: None = None


@dataclass(frozen=True, slots=True)
class StackFrame:
    path: str
    line: int
    function: str


@dataclass(frozen=True, slots=True)
class Observation:
    """Dynamo did something at run time."""

    type: str
    reason: str
    gb_id: str | None
    path: str
    line: int
    function: str
    hits: int
    compile_seconds: float
    ranks: tuple[int, ...]
    stack: tuple[StackFrame, ...]
    finding: str | None
    """Fingerprint of the finding that predicted it."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that kept the tool from doing all of its work: a file it could not read, for one."""

    path: str
    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """All that one command found out; every output format is a function of this."""

    target_torch: str
    files: int
    functions_in_regions: int
    duration_s: float
    findings: tuple[Finding, ...] = ()
    observations: tuple[Observation, ...] = ()
    errors: tuple[Problem, ...] = ()
    hidden_low_confidence: int = 0
    """Findings that exist but lie below the confidence asked for."""
    suppressed: int = 0

    @property
    def by_code(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for finding in self.findings:
            counts[finding.code] = counts.get(finding.code, 0) + 1
        return dict(sorted(counts.items()))
