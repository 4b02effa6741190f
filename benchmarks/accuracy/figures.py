"""What the score comes to, in numbers that add up over packages and go into figures.json."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

from benchmarks.accuracy.claims import Claim
from benchmarks.accuracy.judge import Judge
from benchmarks.accuracy.models import Prediction

LEVELS = ("high", "medium", "low")
_Addable = TypeVar("_Addable", "Counts", "Apart")


@dataclass(frozen=True, slots=True)
class Counts:
    """Claims by what Dynamo did at their statements."""

    confirmed: int = 0
    refuted: int = 0
    unknown: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.confirmed + other.confirmed, self.refuted + other.refuted, self.unknown + other.unknown)

    @property
    def precision(self) -> float | None:
        """Of those on lines that Dynamo traced, the share that is right; None if there are none."""
        return share(self.confirmed, self.confirmed + self.refuted)


@dataclass(frozen=True, slots=True)
class Apart:
    """Distinct sites that are not held against the check, and how many of them it finds all the same."""

    sites: int = 0
    found: int = 0

    def __add__(self, other: Apart) -> Apart:
        return Apart(self.sites + other.sites, self.found + other.found)


@dataclass(frozen=True, slots=True)
class ModelCounts:
    """Models by whether they break and whether the check says so."""

    true_positive: int = 0
    false_positive: int = 0
    false_negative: int = 0
    true_negative: int = 0
    no_root: int = 0

    def __add__(self, other: ModelCounts) -> ModelCounts:
        mine, theirs = asdict(self), asdict(other)
        return ModelCounts(**{name: mine[name] + theirs[name] for name in mine})

    @property
    def precision(self) -> float | None:
        return share(self.true_positive, self.true_positive + self.false_positive)

    @property
    def recall(self) -> float | None:
        return share(self.true_positive, self.true_positive + self.false_negative)

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall; None if no model breaks and none is said to."""
        return share(2 * self.true_positive, 2 * self.true_positive + self.false_positive + self.false_negative)


@dataclass(frozen=True, slots=True)
class Score:
    """How one way of finding breaks did."""

    sites: int = 0
    found: int = 0
    claims: Counts = field(default_factory=Counts)
    """Those that are shown by default."""
    levels: Mapping[str, Counts] = field(default_factory=dict)
    rules: Mapping[str, Counts] = field(default_factory=dict)
    """Those that are shown by default, per rule."""
    not_judged: Mapping[str, int] = field(default_factory=dict)
    """Those that are shown by default and are not about what Dynamo does to a graph, by reason."""

    def __add__(self, other: Score) -> Score:
        return Score(
            self.sites + other.sites,
            self.found + other.found,
            self.claims + other.claims,
            _added(self.levels, other.levels),
            _added(self.rules, other.rules),
            dict(Counter(self.not_judged) + Counter(other.not_judged)),
        )

    @property
    def recall(self) -> float | None:
        return share(self.found, self.sites)


@dataclass(frozen=True, slots=True)
class PackageFigures:
    """All that is published of one package, or of all together."""

    version: str
    models: int
    apart: Mapping[str, Apart]
    """Sites that no check of the package's source is asked to see, by reason."""
    check: Score
    grep: Score
    every_if: Score
    model_level: ModelCounts

    def __add__(self, other: PackageFigures) -> PackageFigures:
        return PackageFigures(
            "",
            self.models + other.models,
            _added(self.apart, other.apart),
            self.check + other.check,
            self.grep + other.grep,
            self.every_if + other.every_if,
            self.model_level + other.model_level,
        )


def overall(packages: Mapping[str, PackageFigures]) -> PackageFigures:
    """The sum over all packages."""
    total = PackageFigures("", 0, {}, Score(), Score(), Score(), ModelCounts())
    for figures in packages.values():
        total = total + figures
    return total


def share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def score(judge: Judge, claims: Iterable[Claim]) -> Score:
    """How these claims, of every level, did."""
    claims = tuple(claims)
    shown = [claim for claim in claims if claim.shown]
    found = {site: is_found for site, is_found in judge.found(shown).items() if not site.apart}
    levels = {level: _counts(judge, [each for each in claims if each.confidence == level]) for level in LEVELS}
    rules = {
        rule: counts
        for rule in sorted({claim.rule for claim in shown})
        if (counts := _counts(judge, [each for each in shown if each.rule == rule])) != Counts()
    }
    not_judged = Counter(claim.not_judged for claim in shown if claim.not_judged)
    return Score(
        len(found), sum(found.values()), _counts(judge, shown), levels, rules, dict(sorted(not_judged.items()))
    )


def _counts(judge: Judge, claims: Iterable[Claim]) -> Counts:
    verdicts = Counter(judge.verdict(claim) for claim in claims)
    return Counts(verdicts["confirmed"], verdicts["refuted"], verdicts["unknown"])


def model_counts(predictions: Iterable[Prediction]) -> ModelCounts:
    outcomes = Counter(each.outcome.replace("-", "_") for each in predictions)
    return ModelCounts(**outcomes)


def apart(judge: Judge, claims: Iterable[Claim]) -> dict[str, Apart]:
    """Distinct sites that are set apart, by reason."""
    found = judge.found(claim for claim in claims if claim.shown)
    counts: dict[str, Apart] = {}
    for site in judge.truth.sites:
        if site.apart:
            counts[site.apart] = counts.get(site.apart, Apart()) + Apart(1, int(found[site]))
    return dict(sorted(counts.items()))


def _added(first: Mapping[str, _Addable], second: Mapping[str, _Addable]) -> dict[str, _Addable]:
    both = {key: first[key] + second[key] for key in first.keys() & second.keys()}
    return {key: both.get(key) or first.get(key) or second[key] for key in dict.fromkeys([*first, *second])}


def to_json(figures: PackageFigures) -> dict[str, Any]:
    """Plain values, as figures.json holds them."""
    return asdict(figures)


def from_json(entry: Mapping[str, Any]) -> PackageFigures:
    """Back from `to_json`. Raises KeyError or TypeError for anything else."""
    return PackageFigures(
        entry["version"],
        entry["models"],
        {reason: Apart(**counts) for reason, counts in entry["apart"].items()},
        _score(entry["check"]),
        _score(entry["grep"]),
        _score(entry["every_if"]),
        ModelCounts(**entry["model_level"]),
    )


def _score(entry: Mapping[str, Any]) -> Score:
    return Score(
        entry["sites"],
        entry["found"],
        Counts(**entry["claims"]),
        {level: Counts(**counts) for level, counts in entry["levels"].items()},
        {rule: Counts(**counts) for rule, counts in entry["rules"].items()},
        entry["not_judged"],
    )
