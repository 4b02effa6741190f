"""From a tree of sources to findings: units → sightings → findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import TypeAlias

from msgspec import Struct, structs

from compilelint.catalog import Rule
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from compilelint.match.matcher import Hit
from compilelint.match.sightings import Sighting, findings_of
from compilelint.match.units import Program, Unit, UnitResult, hits_of, inspect_unit
from compilelint.match.walkers import Walkers
from compilelint.regions.starts.settings import DynamoSettings, find_settings
from compilelint.report.fingerprint import assign
from compilelint.report.model import Finding, Problem
from compilelint.source.imports import MAX_IMPORTERS
from compilelint.source.tree import SourceTree

_BEGINS = re.compile(r"(?P<path>.+?):\d+ ")
"""How a place is told where a region begins: `train.py:40 torch.compile(net)`."""
Progress: TypeAlias = Callable[[int, int], None]
"""Called with how much is done and how much there is."""


class AnalysisSettings(Struct, frozen=True):
    """What the command line and the configuration say about an analysis."""

    roots: tuple[str, ...] = ()
    """`path.py::Qual.name`; where any is given, exactly these functions are the roots."""
    explicit_only: bool = False
    target_torch: str = "2.13"
    target_python: str = "3.11"
    """The one for which the rules have their evidence."""
    importers: int = MAX_IMPORTERS
    """How many files that import a checked one may have roots, too."""


class Analysis(Struct, frozen=True):
    findings: tuple[Finding, ...]
    functions_in_regions: int
    problems: tuple[Problem, ...]
    unfollowed: frozenset[str] = frozenset()
    """Packages that functions in regions call, and that are not of the project."""
    cut_short: bool = False
    """Another time it may come to more: see UnitResult."""
    elsewhere: tuple[Finding, ...] = ()
    """Those in files that are not checked, of what checked ones compile for sure, without fingerprints."""
    templates: Mapping[str, str] = {}
    """The files in whose place others are run that are generated from them, each with one of these."""


def analyze(
    tree: SourceTree, rules: Sequence[Rule], settings: AnalysisSettings, progress: Progress | None = None
) -> Analysis:
    """All findings in the checked files, of every confidence, sorted by place.

    Raises RootError if a root that was named does not exist.
    """
    program, units = plan(tree, settings)
    walkers = Walkers(tree, rules, program)
    results: list[UnitResult] = []
    for position, unit in enumerate(units):
        if progress is not None:
            progress(position, len(units))
        results.append(inspect_unit(*walkers.of(unit), unit, program))
    return structs.replace(together_of(tree.checked, results), templates=tree.graph.templates)


def settings_found(tree: SourceTree, files: Iterable[str]) -> dict[str, DynamoSettings]:
    """What each of these files sets in `torch._dynamo.config`, if it sets anything."""
    return find_settings(Inspector(Knowledge(tree), lambda type_, callee: False), files)


def plan(
    tree: SourceTree,
    settings: AnalysisSettings,
    settings_in: Callable[[SourceTree, Iterable[str]], dict[str, DynamoSettings]] = settings_found,
) -> tuple[Program, tuple[Unit, ...]]:
    """What there is to walk, and what holds for every walk; `settings_in` does what `settings_found` does."""
    files = tree.files_with_roots(settings.importers)
    made = settings_in(tree, files)
    program = Program(
        settings.explicit_only,
        settings.target_torch,
        settings.target_python,
        made,
        {name: tree.graph.loaded_with(name) for name in made},
    )
    named = (Unit("", settings.roots),) if settings.roots else ()
    with_roots = () if named else files
    units = (*named, *map(Unit, with_roots), *(Unit(name, (), False) for name in sorted(tree.checked - {*with_roots})))
    return program, units


def together_of(checked: Set[str], results: Iterable[UnitResult]) -> Analysis:
    """What units, in the order of their names, come to in the files that are checked."""
    every = tuple(results)
    sightings: list[Sighting] = []
    elsewhere: list[Sighting] = []
    for each in (sighting for result in every for sighting in result.sightings):
        if each.finding.path in checked:
            sightings.append(each)
        elif not each.offered_by and _compiled_in(each.finding) in checked:
            elsewhere.append(each)
    called = frozenset().union(*(each.called for each in every))
    misdeclared = frozenset().union(*(each.misdeclared for each in every))
    of_known_use = frozenset().union(*(each.of_known_use for each in every))
    entered = frozenset().union(*(each.entered for each in every))
    problems = dict.fromkeys(problem for each in every for problem in each.problems if problem.path in checked)
    cut_short = any(each.cut_short for each in every)
    unfollowed = frozenset().union(*(each.unfollowed for each in every))
    decided = (called, misdeclared, of_known_use)
    found = assign(findings_of(sightings, *decided))
    return Analysis(
        found, len(entered), tuple(problems), unfollowed, cut_short, tuple(findings_of(elsewhere, *decided))
    )


def _compiled_in(finding: Finding) -> str:
    """The file in which the way to a finding begins; empty if none does."""
    begins = _BEGINS.match(finding.reached_from[0]) if finding.reached_from else None
    return begins["path"] if begins is not None else ""


def find_hits(tree: SourceTree, rules: Sequence[Rule], settings: AnalysisSettings) -> Iterator[Hit]:
    """Everything that meets a rule. Raises RootError if a root that was named does not exist."""
    program, units = plan(tree, settings)
    walkers = Walkers(tree, rules, program)
    for unit in units:
        knowledge, matcher = walkers.of(unit)
        knowledge.begin()
        inspector = Inspector(knowledge, matcher.wants, matcher.splits, matcher.gives_up, matcher.concerns)
        yield from (hit for hit, _ in hits_of(inspector, matcher, unit, program, []))
