"""`compilelint check` held against what Dynamo did with real models.

    python benchmarks/accuracy/score.py --sources DIR [DIR …] [--packages NAME …] [--truth DIR] [--details]

The truth is a folder of PACKAGE.json (see truth.py, and README.md for how it is collected); each DIR holds installed
packages, in the versions that the truth was collected on. They are read, never imported.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from benchmarks.accuracy import baselines, figures, table
from benchmarks.accuracy.claims import CheckFailed, Claim, check
from benchmarks.accuracy.details import details
from benchmarks.accuracy.figures import PackageFigures
from benchmarks.accuracy.in_process import check_files
from benchmarks.accuracy.judge import Judge
from benchmarks.accuracy.models import Prediction, predictions
from benchmarks.accuracy.packages import PackageError, locate, public, read_sources
from benchmarks.accuracy.truth import Truth, TruthError, read

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Scored:
    """One package: the figures, and what they were made of."""

    judge: Judge
    claims: tuple[Claim, ...]
    predictions: tuple[Prediction, ...]
    figures: PackageFigures


def score_package(truth: Truth, package: Path, *, with_models: bool) -> Scored:
    """Checks and scores one package. Raises CheckFailed."""
    sources = read_sources(package)
    # Asked for low confidence, the check shows what it shows by default and more, with the confidence of each.
    claims = check(package, "--min-confidence", "low")
    predicted = tuple(predictions(package, sources, truth)) if with_models else ()
    return _scored(Judge(truth, sources), claims, predicted)


def score_files(truth: Truth, package: Path, patterns: Sequence[str]) -> Scored:
    """Checks and scores only the files of a package whose names (`package/path.py`) match a pattern, in a few seconds.

    Calls that lead there from other files count as far as these import one of them, and not the 41st of them.
    """
    sources = read_sources(package)
    names = [name for name in sources if any(fnmatchcase(name, pattern) for pattern in patterns)]
    claims = check_files(package, sources, names)
    return _scored(Judge(truth.of_files(names), {name: sources[name] for name in names}), claims, ())


def _scored(judge: Judge, claims: tuple[Claim, ...], predicted: tuple[Prediction, ...]) -> Scored:
    result = PackageFigures(
        public(judge.truth.version),
        len(judge.truth.models),
        figures.apart(judge, claims),
        figures.score(judge, claims),
        figures.score(judge, baselines.grep(judge.sources)),
        figures.score(judge, baselines.every_if(judge.sources)),
        figures.model_counts(predicted),
    )
    return Scored(judge, claims, predicted, result)


def main(arguments: list[str] | None = None) -> int:
    options = _options(arguments)
    files = [
        file for file in sorted(options.truth.glob("*.json")) if not options.packages or file.stem in options.packages
    ]
    missing = set(options.packages) - {file.stem for file in files}
    if missing or not files:
        print(f"no truth about {', '.join(sorted(missing)) or 'anything'} in {options.truth}", file=sys.stderr)
        return 2
    scored = {}
    try:
        for file in files:
            truth = read(file)
            package = locate(truth, options.sources)
            if options.files:
                scored[file.stem] = score_files(truth, package, options.files)
            else:
                scored[file.stem] = score_package(truth, package, with_models=not options.no_models)
    except (TruthError, PackageError, CheckFailed) as error:
        print(error, file=sys.stderr)
        return 2
    packages = {name: each.figures for name, each in scored.items()}
    if options.details:
        for each in scored.values():
            print(details(each.judge, each.claims, each.predictions) + "\n")
    print(table.tables(packages))
    if options.json:
        options.json.write_text(json.dumps({name: figures.to_json(each) for name, each in packages.items()}, indent=1))
    return 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--sources", type=Path, nargs="+", required=True, metavar="DIR", help="where packages are installed"
    )
    parser.add_argument("--truth", type=Path, default=HERE / "truth", metavar="DIR")
    parser.add_argument("--packages", nargs="+", default=[], metavar="NAME", help="score only these")
    parser.add_argument(
        "--files", nargs="+", default=[], metavar="PATTERN", help="check only these, such as 'timm/layers/*': seconds"
    )
    parser.add_argument("--no-models", action="store_true", help="leave out the model level")
    parser.add_argument("--details", action="store_true", help="list misses and false alarms")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
