"""Time compilelint next to other linters, and programs with and without `compilelint trace`.

    make bench                                                      # all of it, into docs/benchmarks.md
    python -m benchmarks.speed --sources DIR --peers DIR --only timm --skip pylint

`--sources` is a folder into which timm and transformers are installed (`sources.txt`), `--peers` one of environments
with the other linters, `torchfix` and `linters` (`torchfix.txt`, `linters.txt`). Each work is a whole process, timed
from start to end; all works of a part take turns. A part takes minutes; nothing else should run on the machine
meanwhile. Prints Markdown. With --write, the figures go into figures.json, and from there into docs/benchmarks.md. Exit
code 1 if a part that was measured misses a goal and --guard is given, 2 if a run failed.
"""

from __future__ import annotations

import argparse
import compileall
import sys
import tempfile
from collections.abc import Collection, Sequence
from datetime import date
from pathlib import Path

import compilelint
from benchmarks import markdown
from benchmarks.speed import parts, tables, trace_works, trees
from benchmarks.speed.figures import FiguresError, Part, dumps, load
from benchmarks.speed.goals import reached
from benchmarks.speed.machine import machine, own_versions, source_version
from benchmarks.speed.measuring import FailedRun, measure
from benchmarks.speed.peers import PEERS, versions

FIGURES = Path(__file__).with_name("figures.json")
PAGE = Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md"
_TRACE_PROJECT = "timm"
"""The package that lies beside the traced programs."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    measured: dict[str, Part] = {}
    _compile_own_modules()
    try:
        for name in options.only or (*parts.TREES, *trace_works.PROGRAMS):
            print(f"{name}:", file=sys.stderr)
            if name in parts.TREES:
                measured[name] = _tree_part(name, options.sources, options.peers, options.skip)
            else:
                measured[name] = _trace_part(name, options.sources / _TRACE_PROJECT, options.rounds)
        known = load(FIGURES)
    except (FailedRun, FiguresError, LookupError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print("\n\n".join(text for text in tables.blocks(measured).values() if text))
    if options.write:
        known |= measured
        FIGURES.write_text(dumps(known), encoding="utf-8")
        page = PAGE.read_text(encoding="utf-8")
        # Figures are rounded where they are written: the page is made from these.
        PAGE.write_text(markdown.filled(page, tables.blocks(load(FIGURES))), encoding="utf-8")
    missed = [each for each in reached(measured) if each.figure is not None and not each.is_met]
    return 1 if missed and options.guard else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=(__doc__ or "").splitlines()[0])
    names = (*parts.TREES, *trace_works.PROGRAMS)
    parser.add_argument("--sources", type=Path, required=True, metavar="DIR", help="where timm and transformers are")
    parser.add_argument("--peers", type=Path, required=True, metavar="DIR", help="where their environments are")
    parser.add_argument("--only", action="append", choices=names, help="measure this part; may be given again")
    parser.add_argument(
        "--skip", action="append", default=[], choices=[peer.name for peer in PEERS], help="leave this linter out"
    )
    parser.add_argument("--rounds", type=int, default=5, help="how often each traced run is timed; default: 5")
    parser.add_argument("--write", action="store_true", help="into figures.json and docs/benchmarks.md")
    parser.add_argument("--guard", action="store_true", help="fail if a goal is missed")
    return parser


def _compile_own_modules() -> None:
    """Write the tool's bytecode, as pip did for the other linters: in an editable installation it may be missing."""
    compileall.compile_dir(Path(compilelint.__file__).parent, quiet=1)


def _tree_part(name: str, sources: Path, environments: Path, skipped: Collection[str]) -> Part:
    source = sources / name
    subject = f"{name} {source_version(source)}"
    files, lines = trees.size(source)
    where = machine()
    with tempfile.TemporaryDirectory(prefix="compilelint-speed-") as folder:
        works = parts.works(parts.TREES[name], source, environments, Path(folder), skipped)
        measured = measure(works, _tell)
    found = own_versions()
    for peer in parts.peers_of(lines, skipped):
        found |= versions(peer, environments)
    return Part(
        name=name,
        subject=f"{subject}, {files:,} files, {lines:,} lines",
        date=date.today().isoformat(),
        machine=where,
        versions=found,
        lines=lines,
        measured={each.work: each for each in measured},
    )


def _trace_part(name: str, beside: Path, rounds: int) -> Part:
    where = machine()
    subject = f"programs in a project with {beside.name} {source_version(beside)}"
    with tempfile.TemporaryDirectory(prefix="compilelint-speed-") as folder:
        project = trees.project(beside, Path(folder) / "project")
        measured = measure(trace_works.works(name, project, rounds), _tell)
    return Part(
        name=name,
        subject=subject,
        date=date.today().isoformat(),
        machine=where,
        versions=own_versions("torch"),
        lines=0,
        measured={each.work: each for each in measured},
    )


def _tell(progress: str) -> None:
    print(f"  {progress}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
