"""`compilelint check` held against what Dynamo did with real models.

    python benchmarks/accuracy/score.py --sources DIR [DIR …] [--packages NAME …] [--truth DIR] [--details]

The truth is a folder of PACKAGE.json (see truth.py, and README.md for how it is collected); each DIR holds installed
packages, in the versions that the truth was collected on. They are read, never imported.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from benchmarks.accuracy import baselines, figures, guard, table
from benchmarks.accuracy.claims import CheckFailed, Claim, check
from benchmarks.accuracy.details import details
from benchmarks.accuracy.figures import PackageFigures
from benchmarks.accuracy.guard import FiguresError
from benchmarks.accuracy.in_process import check_files
from benchmarks.accuracy.judge import Judge
from benchmarks.accuracy.models import Prediction, predict
from benchmarks.accuracy.packages import PackageError, locate, pin, public, read_sources
from benchmarks.accuracy.publish import filled
from benchmarks.accuracy.truth import Truth, TruthError, read

HERE = Path(__file__).resolve().parent
_SOURCES_HEAD = "# What score.py reads, at the versions of truth/; pip install --no-deps. Written by --write-sources."
DOCS = HERE.parents[1] / "docs" / "accuracy.md"


@dataclass(frozen=True, slots=True)
class Scored:
    """One package: the figures, and what they were made of."""

    judge: Judge
    claims: tuple[Claim, ...]
    predictions: tuple[Prediction, ...]
    figures: PackageFigures


def score_packages(given: Sequence[tuple[Truth, Path]], *, with_models: bool, jobs: int) -> list[Scored]:
    """Checks and scores packages (`locate` says where they are), `jobs` things at a time. Raises CheckFailed."""
    # The largest first: the others fill the time that it takes.
    largest_first = sorted(given, key=lambda each: -len(each[0].models))
    with ProcessPoolExecutor(jobs) as pool:
        predicted = {
            truth.package: pool.submit(predict, truth, package) for truth, package in largest_first if with_models
        }
        # Asked for low confidence, the check shows what it shows by default and more, with the confidence of each.
        claims = {
            truth.package: pool.submit(check, package, "--min-confidence", "low") for truth, package in largest_first
        }
        return [
            _scored(
                Judge(truth, read_sources(package)),
                claims[truth.package].result(),
                predicted[truth.package].result() if with_models else (),
            )
            for truth, package in given
        ]


def score_files(truth: Truth, package: Path, patterns: Sequence[str]) -> Scored:
    """Checks and scores only the files of a package whose names (`package/path.py`) match a pattern, in a few seconds.

    Calls that lead there from other files count as far as these import one of them, and not the 41st of them.
    """
    sources = read_sources(package)
    names = [name for name in sources if any(fnmatchcase(name, pattern) for pattern in patterns)]
    claims = check_files(package, sources, names)
    return _scored(Judge(truth.of_files(names), {name: sources[name] for name in names}), claims, ())


def _scored(judge: Judge, claims: tuple[Claim, ...], predicted: tuple[Prediction, ...]) -> Scored:
    # What the two baselines claim of files that Dynamo never saw would only be counted, and published nowhere.
    seen = {name: text for name, text in judge.sources.items() if name in judge.truth.traced}
    result = PackageFigures(
        public(judge.truth.version),
        len(judge.truth.models),
        figures.apart(judge, claims),
        figures.score(judge, claims),
        figures.score(judge, baselines.grep(seen)),
        figures.score(judge, baselines.every_if(seen)),
        figures.model_counts(predicted),
    )
    return Scored(judge, claims, predicted, result)


def main(arguments: list[str] | None = None) -> int:
    options = _options(arguments)
    try:
        if options.write_docs:
            return _write_docs(options.figures)
        given = _given(options)
        if options.write_sources:
            lines = [_SOURCES_HEAD, *sorted(pin(package) for _, package in given)]
            (HERE / "sources.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
            return 0
        scored = _score_all(given, options)
        packages = {name: each.figures for name, each in scored.items()}
        if options.details:
            for each in scored.values():
                print(details(each.judge, each.claims, each.predictions) + "\n")
        print(table.tables(packages))
        if options.json:
            options.json.write_text(guard.dumps(packages), encoding="utf-8")
        if options.write_figures:
            options.figures.write_text(guard.dumps(packages), encoding="utf-8")
        return _guarded(packages, options) if options.guard else 0
    except (TruthError, PackageError, CheckFailed, FiguresError) as error:
        print(error, file=sys.stderr)
        return 2


def _given(options: argparse.Namespace) -> list[tuple[Truth, Path]]:
    files = {file.stem: file for file in sorted(options.truth.glob("*.json"))}
    if missing := set(options.packages) - files.keys():
        raise TruthError(f"no truth about {', '.join(sorted(missing))} in {options.truth}")
    if not files:
        raise TruthError(f"no truth in {options.truth}")
    truths = [read(file) for name, file in files.items() if not options.packages or name in options.packages]
    return [(truth, locate(truth, options.sources)) for truth in truths]


def _score_all(given: Sequence[tuple[Truth, Path]], options: argparse.Namespace) -> dict[str, Scored]:
    if options.files:
        scored = [score_files(truth, package, options.files) for truth, package in given]
    else:
        scored = score_packages(given, with_models=not options.no_models, jobs=options.jobs)
    return {each.judge.truth.package: each for each in scored}


def _guarded(packages: Mapping[str, PackageFigures], options: argparse.Namespace) -> int:
    committed = guard.load(options.figures)
    asked = {name: each for name, each in committed.items() if not options.packages or name in options.packages}
    lines = guard.fallen(asked, packages)
    if not options.no_models:
        lines += guard.fallen_models(asked, packages)
    for line in lines:
        print(line, file=sys.stderr)
    return 1 if lines else 0


def _write_docs(figures_file: Path) -> int:
    page = DOCS.read_text(encoding="utf-8")
    DOCS.write_text(filled(page, guard.load(figures_file)), encoding="utf-8")
    return 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--sources", type=Path, nargs="+", default=[], metavar="DIR", help="where packages are installed"
    )
    parser.add_argument("--truth", type=Path, default=HERE / "truth", metavar="DIR")
    parser.add_argument("--packages", nargs="+", default=[], metavar="NAME", help="score only these")
    parser.add_argument(
        "--files", nargs="+", default=[], metavar="PATTERN", help="check only these, such as 'timm/layers/*': seconds"
    )
    parser.add_argument("--no-models", action="store_true", help="leave out the model level")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="things to do at a time")
    parser.add_argument("--details", action="store_true", help="list misses and false alarms")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    parser.add_argument(
        "--figures", type=Path, default=HERE / "figures.json", metavar="FILE", help="the committed ones"
    )
    parser.add_argument("--guard", action="store_true", help="exit with 1 if anything fell below the committed figures")
    parser.add_argument("--write-figures", action="store_true", help="make these the committed figures")
    parser.add_argument(
        "--write-docs", action="store_true", help="only put the committed figures into docs/accuracy.md"
    )
    parser.add_argument("--write-sources", action="store_true", help="only pin the sources' versions in sources.txt")
    options = parser.parse_args(arguments)
    partial = options.packages or options.files or options.no_models
    if (options.write_figures or options.write_sources) and partial:
        parser.error("what is committed is about everything: no --packages, --files or --no-models")
    if options.guard and options.files:
        parser.error("--guard allows no --files")
    if not options.write_docs and not options.sources:
        parser.error("--sources is needed")
    return options


if __name__ == "__main__":
    sys.exit(main())
