"""Units of which some texts changed: which of them still hold, and what is known of the files of the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from compilelint.analysis.job import Walked, outlines_learned
from compilelint.analysis.moving import Change, moved
from compilelint.analysis.outlines import Outline, bodies_in, keep_outlines, known_outlines
from compilelint.analysis.reuse import Known
from compilelint.analysis.store import Store
from compilelint.match.units import Unit
from compilelint.source.tree import SourceTree

_MOST_CHANGED = 32
"""What changed in so many files one process sees quickly. Where there are more, most has to be walked anyway."""


def with_outlines(
    tree: SourceTree,
    units: Iterable[Unit],
    known: Known,
    store: Store,
    tool: str,
    digest: Callable[[str], str],
) -> dict[Unit, Walked]:
    """Tell a tree what is known of the texts that these units lead to.

    Gives those of them that hold although a text changed that they rest on. `tool` is a digest of this program,
    `digest` that of a file's text as it is now.
    """
    seen_in_part = {
        (name, walked.texts[name])
        for walked, changed in known.others.values()
        for name in changed & walked.bodies.keys()
    }
    needed = {digest(name) for unit in units for name in _leads_to(tree, unit, known)}
    outlines = known_outlines(store, tool, {*needed, *(was for _, was in seen_in_part)})
    if outlines:
        tree.known_bodies = lambda text: bodies_in(text, outlines.get(digest(text.name)))
    changed = {name for name, _ in seen_in_part}
    if len(changed) > _MOST_CHANGED:
        return {}
    learned = _learned(tree, changed)
    keep_outlines(store, tool, learned)
    return _holding(known, {**outlines, **learned}, digest)


def _leads_to(tree: SourceTree, unit: Unit, known: Known) -> Iterable[str]:
    """The files that are likely to be needed to walk a unit: those of the last time, if there was one."""
    if unit in known.holding:
        return ()
    if unit in known.others:
        return known.others[unit][0].texts
    links = tree.graph.links.get(unit.name)
    return [name for name in (unit.name, *(links.imported if links is not None else ())) if name in tree.texts]


def _learned(tree: SourceTree, names: Iterable[str]) -> dict[str, Outline]:
    """What is learned of the texts of files that are parsed now; whoever walks into them needs that, too."""
    for name in sorted(names):
        tree.module(name)
    return outlines_learned(tree)


def _holding(known: Known, outlines: Mapping[str, Outline], digest: Callable[[str], str]) -> dict[Unit, Walked]:
    found: dict[Unit, Walked] = {}
    for unit, (walked, changed) in known.others.items():
        changes: dict[str, Change] = {}
        for name in changed:
            before, now = outlines.get(walked.texts[name]), outlines.get(digest(name))
            if before is not None and now is not None:
                changes[name] = Change(before, now, digest(name))
        again = moved(walked, changes) if changes.keys() == changed else None
        if again is not None:
            found[unit] = again
    return found
