"""`compilelint check` held against what Dynamo did with real models.

    python benchmarks/accuracy/score.py --sources DIR [DIR …] [--packages NAME …] [--truth DIR] [--details]

The truth is a folder of PACKAGE.json (see truth.py, and README.md for how it is collected); each DIR holds installed
packages, in the versions that the truth was collected on. They are read, never imported.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks.accuracy import baselines, figures, table
from benchmarks.accuracy.claims import CheckFailed, Claim, check
from benchmarks.accuracy.details import details
from benchmarks.accuracy.figures import PackageFigures
from benchmarks.accuracy.judge import Judge
from benchmarks.accuracy.models import Prediction, predictions
from benchmarks.accuracy.packages import PackageError, locate, public, read_sources
from benchmarks.accuracy.truth import TruthError, read

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Scored:
    """One package: the figures, and what they were made of."""

    judge: Judge
    claims: tuple[Claim, ...]
    predictions: tuple[Prediction, ...]
    figures: PackageFigures


def score_package(truth_file: Path, folders: list[Path], *, with_models: bool = True) -> Scored:
    """Checks and scores one package. Raises TruthError, PackageError or CheckFailed."""
    truth = read(truth_file)
    package = locate(truth, folders)
    sources = read_sources(package)
    judge = Judge(truth, sources)
    # Asked for low confidence, the check shows what it shows by default and more, with the confidence of each.
    claims = check(package, "--min-confidence", "low")
    predicted = tuple(predictions(package, sources, truth)) if with_models else ()
    return Scored(
        judge,
        claims,
        predicted,
        PackageFigures(
            public(truth.version),
            len(truth.models),
            figures.apart(judge),
            figures.score(judge, claims),
            figures.score(judge, baselines.grep(sources)),
            figures.score(judge, baselines.every_if(sources)),
            figures.model_counts(predicted),
        ),
    )


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
            scored[file.stem] = score_package(file, options.sources, with_models=not options.no_models)
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
    parser.add_argument("--no-models", action="store_true", help="leave out the model level")
    parser.add_argument("--details", action="store_true", help="list misses and false alarms")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
