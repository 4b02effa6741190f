"""Whether a model's forward breaks, as `check --root` says it: one tree of sources for all roots, one walk for each."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from benchmarks.accuracy.claims import BREAKS, TARGET, Claim
from benchmarks.accuracy.in_process import claim_of, source_tree
from benchmarks.accuracy.packages import read_sources
from benchmarks.accuracy.truth import Model, Truth
from compilelint.catalog import Rule, load_rules
from compilelint.check.collector import collector_paused
from compilelint.match.analysis import AnalysisSettings, plan, settings_found, together_of
from compilelint.match.units import inspect_unit
from compilelint.match.walkers import Walkers
from compilelint.regions import RootError
from compilelint.regions.starts.settings import DynamoSettings
from compilelint.report.confidence import Confidence
from compilelint.report.model import Finding
from compilelint.source.index import flat_statements
from compilelint.source.tree import SourceTree

Findings: TypeAlias = tuple[Finding, ...]
SettingsIn: TypeAlias = Callable[[tuple[str, ...]], dict[str, DynamoSettings]]


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the check says of one model."""

    model: Model
    roots: tuple[str, ...]
    """`package/path.py::Qual.name`, usually one; none where nothing in the sources can be named."""
    claims: tuple[Claim, ...]
    """That something breaks, as shown by default."""

    @property
    def outcome(self) -> str:
        """`true-positive`, `false-positive`, `false-negative`, `true-negative`, or `no-root`."""
        if not self.roots:
            return "no-root"
        says = bool(self.claims)
        return f"{'true' if says == self.model.broke else 'false'}-{'positive' if says else 'negative'}"


def predict(truth: Truth, package: Path) -> tuple[Prediction, ...]:
    """One for each model, in the order of the truth. Nothing of the walk of one root is known to the next."""
    with collector_paused():
        sources = read_sources(package)
        tree = source_tree(package, sources, sources)
        defined = _definitions(tree)
        ask = functools.partial(
            _findings, tree, load_rules(), functools.cache(lambda files: settings_found(tree, files))
        )
        return tuple(_prediction(model, ask, _candidates(model, defined, truth)) for model in truth.models)


def _findings(tree: SourceTree, rules: Sequence[Rule], settings_in: SettingsIn, roots: tuple[str, ...]) -> Findings:
    """What the check says of these roots; of the other files nobody asks here whether they are Python."""
    wanted = AnalysisSettings(roots=roots, target_torch=TARGET)
    program, units = plan(tree, wanted, lambda _, files: settings_in(tuple(files)))
    walkers = Walkers(tree, rules, program)
    walked = [inspect_unit(*walkers.of(unit), unit, program) for unit in units if unit.roots]
    return together_of(tree.checked, walked).findings


def _prediction(
    model: Model, ask: Callable[[tuple[str, ...]], Findings], candidates: Iterator[tuple[str, ...]]
) -> Prediction:
    for roots in candidates:
        try:
            findings = ask(roots)
        except RootError:
            continue
        return Prediction(model, roots, tuple(claim_of(each) for each in findings if _is_shown_break(each)))
    return Prediction(model, (), ())


def _is_shown_break(finding: Finding) -> bool:
    return finding.effect in BREAKS and finding.severity != "info" and finding.confidence >= Confidence.MEDIUM


def _definitions(tree: SourceTree) -> dict[str, list[tuple[str, ast.stmt]]]:
    """The functions and classes at the top level of each file, by name."""
    found: dict[str, list[tuple[str, ast.stmt]]] = {}
    for name in tree.texts:
        module = tree.module(name)
        for node in flat_statements(module.tree.body) if module is not None else ():
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                found.setdefault(node.name, []).append((name, node))
    return found


def _candidates(
    model: Model, defined: Mapping[str, list[tuple[str, ast.stmt]]], truth: Truth
) -> Iterator[tuple[str, ...]]:
    """The root that the truth names; else what bears the name of the model's class, or of the model, in a file of which
    lines were traced: the function, the class by its forward, or by the methods that the others are called from."""
    if model.root:
        yield (model.root,)
        return
    name = model.class_name or model.name.removeprefix("fn_")
    for file, node in defined.get(name, ()):
        if file in model.files:
            yield (f"{file}::{name}",)
        if file in model.files and isinstance(node, ast.ClassDef):
            outermost = _outermost(node, truth.traced.get(file, frozenset()))
            yield tuple(f"{file}::{name}.{each}" for each in outermost)


def _outermost(node: ast.ClassDef, traced: frozenset[int]) -> list[str]:
    """The methods that were traced and that no other one of these asks `self` for."""
    methods = [
        each
        for each in node.body
        if isinstance(each, ast.FunctionDef)
        and not traced.isdisjoint(range(each.body[0].lineno, (each.end_lineno or each.lineno) + 1))
    ]
    used = {name for each in methods for name in _asked_of_self(each)}
    return [each.name for each in methods if each.name not in used]


def _asked_of_self(method: ast.FunctionDef) -> Iterator[str]:
    for part in ast.walk(method):
        match part:
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                yield name
