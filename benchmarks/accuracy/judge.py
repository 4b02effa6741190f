"""Claims held against what Dynamo did, statement by statement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from benchmarks.accuracy.claims import BREAKS, Claim
from benchmarks.accuracy.statements import Span, Statements, statements
from benchmarks.accuracy.truth import Site, Truth

Verdict = Literal["confirmed", "refuted", "unknown", "not-judged"]


@dataclass(frozen=True)
class Judge:
    """One package: its truth and its sources (`package/path.py` → text)."""

    truth: Truth
    sources: Mapping[str, str]

    @cached_property
    def _statements(self) -> dict[str, Statements]:
        return {}

    def statement(self, file: str, line: int) -> Span:
        """The innermost statement that holds a line."""
        if file not in self._statements:
            self._statements[file] = statements(self.sources.get(file, ""))
        return self._statements[file].at(line)

    @cached_property
    def broken(self) -> frozenset[tuple[str, Span]]:
        """The statements at which Dynamo broke or failed."""
        return frozenset(
            (site.file, self.statement(site.file, site.line)) for site in self.truth.sites if site.is_break
        )

    @cached_property
    def _files_with_sites(self) -> frozenset[str]:
        return frozenset(site.file for site in self.truth.sites)

    @cached_property
    def recompiled(self) -> frozenset[tuple[str, Span]]:
        """The statements that a guard which failed names."""
        return frozenset(
            (file, self.statement(file, line))
            for model in self.truth.models
            for recompile in model.recompiles
            for file, line in recompile.places
        )

    @cached_property
    def recompiled_names(self) -> dict[str, frozenset[str]]:
        """Per file of a frame, or of a place that a guard names, the names that such guards are on."""
        found: dict[str, set[str]] = {}
        for model in self.truth.models:
            for recompile in model.recompiles:
                for file in {recompile.file, *(file for file, _ in recompile.places)}:
                    found.setdefault(file, set()).update(recompile.names)
        return {file: frozenset(names) for file, names in found.items()}

    def verdict(self, claim: Claim) -> Verdict:
        """What Dynamo did: `confirmed` where it broke or recompiled at the statement, `refuted` where it traced the
        claim's lines and did not, `unknown` where it never came."""
        if claim.not_judged:
            return "not-judged"
        if claim.file not in self.truth.traced and claim.file not in self._files_with_sites:
            return "unknown"
        if self._happened(claim):
            return "confirmed"
        return "refuted" if self._was_traced(claim) else "unknown"

    def _happened(self, claim: Claim) -> bool:
        statement = (claim.file, self.statement(claim.file, claim.line))
        if claim.effect in BREAKS:
            return statement in self.broken
        return statement in self.recompiled or any(
            name in self._words(statement) for name in self.recompiled_names.get(claim.file, ())
        )

    def _words(self, statement: tuple[str, Span]) -> set[str]:
        file, (first, last) = statement
        text = "\n".join(self.sources.get(file, "").split("\n")[first - 1 : last])
        return set("".join(char if char.isidentifier() or char.isdigit() else " " for char in text).split())

    def _was_traced(self, claim: Claim) -> bool:
        """Whether Dynamo traced any of the claim's own lines: of `a if b else\\n c.item()` the second may never run."""
        _, last = self.statement(claim.file, claim.line)
        lines = range(claim.line, max(claim.line, min(claim.end_line, last)) + 1)
        return not self.truth.traced.get(claim.file, frozenset()).isdisjoint(lines)

    def found(self, claims: Iterable[Claim]) -> dict[Site, bool]:
        """Of each site, those set apart too, whether a claim that something breaks there lies on its statement."""
        claimed = {
            (claim.file, self.statement(claim.file, claim.line))
            for claim in claims
            if claim.effect in BREAKS and not claim.not_judged and claim.file in self._files_with_sites
        }
        return {site: (site.file, self.statement(site.file, site.line)) in claimed for site in self.truth.sites}
