"""From a tree of sources to findings: roots → inspection → matching."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from compilelint.catalog import Rule
from compilelint.inspect.events import Event, Mode
from compilelint.inspect.frame import Route
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.labels import labels
from compilelint.match.findings import findings_of
from compilelint.match.matcher import Hit, Matcher
from compilelint.regions import Root, explicit_roots, implicit_roots
from compilelint.regions.settings import DynamoSettings, find_settings, together
from compilelint.regions.wrapping import may_compile, wrapping_events
from compilelint.report.confidence import Confidence
from compilelint.report.fingerprint import assign
from compilelint.report.model import Finding, Problem
from compilelint.source.tree import MAX_IMPORTERS, SourceTree

Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class AnalysisSettings:
    """What the command line and the configuration say about an analysis."""

    roots: tuple[str, ...] = ()
    """`path.py::Qual.name`; where any is given, exactly these functions are the roots."""
    explicit_only: bool = False
    target_torch: str = "2.13"
    importers: int = MAX_IMPORTERS
    """How many files that import a checked one may have roots, too."""


@dataclass(frozen=True, slots=True)
class Analysis:
    findings: tuple[Finding, ...]
    functions_in_regions: int
    problems: tuple[Problem, ...]


def analyze(
    tree: SourceTree, rules: Sequence[Rule], settings: AnalysisSettings, progress: Progress | None = None
) -> Analysis:
    """All findings in the checked files, of every confidence, sorted by place.

    Raises RootError if a root that was named does not exist.
    """
    hits, inspector, problems = find_hits(tree, rules, settings, progress)
    findings = assign(findings_of(tree, _settled(hits, inspector.called, inspector.misdeclared), settings.target_torch))
    own = [problem for problem in problems if problem.path in tree.checked]
    return Analysis(findings, len(inspector.entered), (*tree.problems(), *own))


def find_hits(
    tree: SourceTree, rules: Sequence[Rule], settings: AnalysisSettings, progress: Progress | None = None
) -> tuple[list[Hit], Inspector, list[Problem]]:
    """Everything that meets a rule, with the inspector that saw it and the functions that it could not look at.

    Raises RootError if a root that was named does not exist.
    """
    for name in sorted(tree.checked):
        tree.module(name)
    files = tree.files_with_roots(settings.importers)
    made = find_settings(Inspector(tree, lambda type_, callee: False), files)
    matcher = Matcher(rules, settings.target_torch, together(made.values()).harmless_callees)
    made_for = {name: tree.loaded_with(name) for name in made}
    inspector = Inspector(tree, matcher.wants, matcher.splits, matcher.gives_up)
    hits: list[Hit] = []
    problems: list[Problem] = []
    roots = _roots(inspector, files, settings)
    for position, root in enumerate(roots):
        if progress is not None:
            progress(position, len(roots))
        dynamo = together(each for name, each in made.items() if root.function.key[0] in made_for[name])
        try:
            _inspect_root(inspector, root, dynamo)
        except RecursionError:
            problems.append(
                Problem(
                    root.function.key[0],
                    f"{root.function.name} nests too deep to inspect",
                    root.function.key[1],
                )
            )
        hits.extend(hit for event in inspector.events if not _is_allowed(event, dynamo) for hit in matcher.hits(event))
        inspector.events.clear()
    if not settings.roots:
        hits.extend(hit for event in _around_regions(inspector, files) for hit in matcher.hits(event))
    return hits, inspector, problems


def _roots(inspector: Inspector, files: tuple[str, ...], settings: AnalysisSettings) -> list[Root]:
    if settings.roots:
        return explicit_roots(inspector, settings.roots)
    return list(implicit_roots(inspector, files, explicit_only=settings.explicit_only))


def _is_allowed(event: Event, dynamo: DynamoSettings) -> bool:
    """Whether the project's own settings make the event harmless."""
    return (
        dynamo.dynamic_ints_on_modules
        and event.type == "attribute-write"
        and event.construct in ("augmented", "item-augmented")
        and any("int" in labels(arg) for arg in event.args)
    )


def _around_regions(inspector: Inspector, files: tuple[str, ...]) -> Iterator[Event]:
    """What the checked files do with what they compile."""
    for name in files:
        if name not in inspector.tree.checked or not may_compile(inspector.tree.texts[name].text):
            continue
        module = inspector.tree.module(name)
        if module is not None:
            yield from wrapping_events(inspector, module)


def _inspect_root(inspector: Inspector, root: Root, dynamo: DynamoSettings) -> None:
    mode = Mode(root.mode.fullgraph, dynamo.capture_scalars, dynamo.capture_shapes)
    inspector.run_root(root.function, Route((root.label,), mode, root.ceiling, home=root.home), root.site, root.accepts)


def _settled(hits: Iterable[Hit], called: set[tuple[str, str]], misdeclared: set[tuple[str, str]]) -> Iterator[Hit]:
    """Take back what was only assumed of parameters where the project itself calls the function otherwise.

    What callers pass decides: a finding that rests on an assumption about a function which is seen being called with
    known arguments is one of low confidence, unless such a call leads to it as well. So is one that rests on the
    annotation of a parameter which another call gives a list.
    """
    for hit in hits:
        place = hit.event.place
        function = (place.path, place.function)
        is_root = len(place.reached_from) == 2
        is_assumed = is_root and hit.confidence == Confidence.MEDIUM and function in called
        if is_assumed or (place.rests_on_annotation and function in misdeclared):
            yield replace(hit, confidence=Confidence.LOW)
        else:
            yield hit
