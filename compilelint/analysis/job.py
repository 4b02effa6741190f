"""What a process needs to walk units, and how it walks them. A job can be sent to another process."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

import msgspec
from msgspec import Struct

from compilelint.analysis.files import Files, digest_of, digest_of_bytes
from compilelint.analysis.outlines import Outline, outline_to_keep
from compilelint.catalog import Rule
from compilelint.match.units import Program, Unit, UnitResult, inspect_unit
from compilelint.match.walkers import Walkers
from compilelint.source.imports import ImportGraph
from compilelint.source.tree import Asked, SourceTree


class Job(Struct, frozen=True):
    """What holds for all units of an analysis."""

    files: Files
    rules: tuple[Rule, ...]
    program: Program


class Walked(Struct, frozen=True):
    """What a unit showed, and what that rests on: as long as all of it is as it was, so is the result."""

    result: UnitResult
    texts: dict[str, str]
    """The files that were looked at, with the digests of their texts; empty for what could not be read."""
    facts: dict[str, str]
    """Of these the project's files of which the facts were asked for, but not the text, with a digest of the facts."""
    importers: dict[str, str]
    """The files of which the importers were asked for, with a digest of these."""
    few_importers: dict[str, str]
    """Those of which they were if they are few, with a digest of what was answered."""
    imports: str
    """A digest of what all files of the project import: as long as it is the same, so is who imports which."""
    bodies: dict[str, tuple[int, ...]]
    """Of these files only what stands outside of functions was looked at, and into which of its bodies somebody
    looked."""
    outlines: dict[str, Outline] = {}
    """What was learned of texts, by their digests, for another time; the result does not rest on it."""


class GraphTold:
    """Digests of what a graph tells of a file: who imports one may be thousands of names, which each unit would
    keep."""

    def __init__(self, graph: ImportGraph) -> None:
        self.imports = _digest_of_imports(graph)
        self.facts = cache(lambda name: digest_of(repr(graph.facts(name))))
        self.importers = cache(lambda name: _digest_of_names(graph.importers(name)))
        self.few_importers = cache(lambda name: _digest_of_names(graph.few_importers(name)))


def _digest_of_imports(graph: ImportGraph) -> str:
    imports = graph.imports
    try:
        return digest_of_bytes(msgspec.msgpack.encode(imports))
    except UnicodeEncodeError:  # a lone surrogate, in a name of a file or in what an editor sent
        return digest_of(repr(imports))


def _digest_of_names(names: Iterable[str] | None) -> str:
    return "" if names is None else digest_of("\n".join(sorted(names)))


def walker(job: Job, tree: SourceTree) -> Callable[[Unit], Walked]:
    """A function that walks one unit of the tree after the other; it raises RootError if a named root is not there."""
    walkers = Walkers(tree, job.rules, job.program)
    digests: dict[str, str] = {}
    told = GraphTold(tree.graph)
    states = job.files.states

    def digest(name: str) -> str:
        if name not in digests:
            text = tree.text(name)
            digests[name] = digest_of(text.identity) if text is not None else ""
        return digests[name]

    def walk(unit: Unit) -> Walked:
        knowledge, matcher = walkers.of(unit)
        result = inspect_unit(knowledge, matcher, unit, job.program)
        asked = knowledge.asked()
        facts = asked.facts - asked.texts
        not_read = (facts - asked.outlines) & states.keys()
        return Walked(
            result,
            {name: states[name].digest if name in not_read else digest(name) for name in sorted(asked.files)},
            {name: told.facts(name) for name in sorted(facts)},
            {name: told.importers(name) for name in sorted(asked.importers)},
            {name: told.few_importers(name) for name in sorted(asked.few_importers)},
            told.imports,
            _bodies(tree, asked),
            outlines_learned(tree),
        )

    return walk


def outlines_learned(tree: SourceTree) -> dict[str, Outline]:
    """What is known of texts, by their digests, that were parsed as a whole since this was asked."""
    found = [(tree.text(name), bodies) for name, bodies in tree.new_bodies.items()]
    tree.new_bodies.clear()
    return {digest_of(text.identity): outline_to_keep(text, bodies) for text, bodies in found if text is not None}


def _bodies(tree: SourceTree, asked: Asked) -> dict[str, tuple[int, ...]]:
    """Into which bodies somebody looked, of the project's files of which nobody asked for the text."""
    found: dict[str, list[int]] = {name: [] for name in sorted(asked.outlines - asked.texts) if name in tree.texts}
    for name, number in sorted(asked.bodies):
        if name in found:
            found[name].append(number)
    return {name: tuple(numbers) for name, numbers in found.items()}
