"""What a process needs to walk units, and how it walks them. A job can be sent to another process."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from compilelint.analysis.files import Files, digest_of
from compilelint.analysis.outlines import Outline, outline_of
from compilelint.catalog import Rule
from compilelint.inspect.knowledge import Knowledge
from compilelint.match.matcher import Matcher
from compilelint.match.units import Program, Unit, UnitResult, inspect_unit
from compilelint.regions.settings import together
from compilelint.source.tree import SourceTree


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
    importers: dict[str, tuple[str, ...]]
    """The files of which the importers were asked for, with these, sorted."""
    outlines: dict[str, Outline] = {}
    """What was learned of files for another time; the result does not rest on it."""


def walker(job: Job, tree: SourceTree) -> Callable[[Unit], Walked]:
    """A function that walks one unit of the tree after the other; it raises RootError if a named root is not there."""
    harmless = together(job.program.settings.values()).harmless_callees
    matcher = Matcher(job.rules, job.program.target_torch, harmless)
    digests: dict[str, str] = {}

    def digest(name: str) -> str:
        if name not in digests:
            text = tree.text(name)
            digests[name] = digest_of(text.identity) if text is not None else ""
        return digests[name]

    knowledge = Knowledge(tree)

    def walk(unit: Unit) -> Walked:
        result = inspect_unit(knowledge, matcher, unit, job.program)
        asked = knowledge.asked()
        return Walked(
            result,
            {name: digest(name) for name in sorted(asked.texts)},
            {name: tuple(sorted(tree.graph.importers(name))) for name in sorted(asked.importers)},
            _outlines(tree),
        )

    return walk


def _outlines(tree: SourceTree) -> dict[str, Outline]:
    """Those of the files that were parsed as a whole since this was asked."""
    found = {name: (tree.text(name), bodies) for name, bodies in tree.left_out.items()}
    tree.left_out.clear()
    return {name: outline_of(text, bodies) for name, (text, bodies) in found.items() if text is not None}
