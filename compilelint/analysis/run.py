"""An analysis of a project: units that are known from an earlier run are not walked again, the others are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from compilelint.analysis.again import with_outlines
from compilelint.analysis.files import Files, digest_of
from compilelint.analysis.job import Job, Walked, walker
from compilelint.analysis.links import keep_links, known_links
from compilelint.analysis.outlines import Outline, keep_outlines
from compilelint.analysis.reuse import keep, known, surroundings_of
from compilelint.analysis.settings import settings_made
from compilelint.analysis.store import Store
from compilelint.analysis.workers import walk_all
from compilelint.catalog import Rule
from compilelint.match.analysis import Analysis, AnalysisSettings, Progress, plan, together_of
from compilelint.match.units import Unit

_KEPT_AT_ONCE = 64
_WORTH_KEEPING = 1.02
"""How much more there is to know of imports before all of it is written again: a few files are asked as quickly."""


def analyze_files(
    files: Files,
    checked: frozenset[str],
    rules: Sequence[Rule],
    settings: AnalysisSettings,
    *,
    store: Store,
    tool: str,
    jobs: int,
    progress: Progress | None = None,
    unfreed: list[object] | None = None,
) -> Analysis:
    """What `match.analysis.analyze` finds, with a memory and in up to `jobs` processes.

    `tool` is a digest of this program and of the pages that it judges by. What was parsed and found out is put into
    `unfreed`: who is about to end need not wait until each object is freed. Raises RootError and WorkerError.
    """
    links = known_links(store, files, tool)
    tree = files.tree(checked, links)
    digest = _digests(files)
    program, units = plan(tree, settings, lambda tree, names: settings_made(tree, names, files, store, tool, digest))
    if len(tree.graph.links) > len(links) * _WORTH_KEEPING:
        keep_links(store, files, tool, tree.graph.links)
    job = Job(files, tuple(rules), program)
    walk = walker(job, tree)
    if unfreed is not None:
        unfreed.append(walk)
    surroundings = surroundings_of(job, tool)
    found = known(store, surroundings, units, digest, tree.graph)
    again = with_outlines(tree, units, found, store, tool, digest)
    keep(store, surroundings, again)
    walked = {**found.holding, **again}
    missing = [unit for unit in units if unit not in walked]
    done = _telling(progress, len(walked), len(units))
    sizes = [files.states[unit.name].characters if unit.name in files.states else 0 for unit in missing]
    fresh: dict[Unit, Walked] = {}
    outlines: dict[str, Outline] = {}
    try:
        for position, each in walk_all(job, walk, missing, sizes, jobs, done):
            unit = missing[position]
            walked[unit] = each
            outlines.update(each.outlines)
            if _is_lasting(each, files):
                fresh[unit] = replace(each, outlines={})
            if len(fresh) >= _KEPT_AT_ONCE:
                keep(store, surroundings, fresh)
                fresh.clear()
    finally:
        # An editor ends a check whenever somebody types: the next one goes on from here.
        keep(store, surroundings, fresh)
        keep_outlines(store, tool, outlines)
    analysis = together_of(checked, [walked[unit].result for unit in units])
    return replace(analysis, templates=tree.graph.templates)


def _is_lasting(walked: Walked, files: Files) -> bool:
    """Whether what a unit showed is to be remembered, true as it is.

    What was read differently from what the digests are of may be newer; what did not fit on the stack may fit on that
    of another process, or thread.
    """
    now = ((files.states[name].digest, was) for name, was in walked.texts.items() if name in files.states)
    return not walked.result.cut_short and all(digest == was for digest, was in now)


def _digests(files: Files) -> Callable[[str], str]:
    """The digest of any file: of the project's it is known, those of packages are read."""
    library = files.library()
    of_packages: dict[str, str] = {}

    def digest(name: str) -> str:
        if name in files.states:
            return files.states[name].digest
        if name not in of_packages:
            text = library.read(name)
            of_packages[name] = digest_of(text) if text is not None else ""
        return of_packages[name]

    return digest


def _telling(progress: Progress | None, known: int, total: int) -> Callable[[int], None]:
    def done(count: int) -> None:
        if progress is not None:
            progress(known + count, total)

    return done
