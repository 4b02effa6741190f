"""The committed figures (figures.json), and what fell below them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.accuracy.claims import TARGET
from benchmarks.accuracy.figures import PackageFigures, from_json, overall, to_json
from benchmarks.accuracy.table import percent

MARGIN = 0.01
"""By how much a share may fall before it counts: one percentage point."""


class FiguresError(Exception):
    """The committed figures cannot be read; the message is one line for the user."""


def load(path: Path) -> dict[str, PackageFigures]:
    """The figures of each package. Raises FiguresError."""
    try:
        packages = json.loads(path.read_text(encoding="utf-8"))["packages"]
        return {name: from_json(entry) for name, entry in packages.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise FiguresError(f"{path}: no figures: {type(error).__name__}: {error}") from error


def dumps(packages: Mapping[str, PackageFigures]) -> str:
    """The text of figures.json."""
    entries = {name: to_json(figures) for name, figures in sorted(packages.items())}
    return json.dumps({"torch": TARGET, "packages": entries}, indent=1) + "\n"


def fallen(committed: Mapping[str, PackageFigures], measured: Mapping[str, PackageFigures]) -> list[str]:
    """A line for each share that is lower than committed by more than the margin, and for each package that is only in
    one of the two. Whoever measures some packages only passes what was committed of these."""
    lines = [f"{name}: there are no committed figures" for name in measured.keys() - committed.keys()]
    lines += [f"{name}: committed, but not measured" for name in committed.keys() - measured.keys()]
    for name in committed.keys() & measured.keys():
        lines += _fallen(name, committed[name], measured[name])
    lines += _fallen("all", overall(committed), overall(measured))
    return sorted(lines)


def fallen_models(committed: Mapping[str, PackageFigures], measured: Mapping[str, PackageFigures]) -> list[str]:
    """The same for the model level, which is measured over all packages together."""
    before, now = overall(committed).model_level.f1, overall(measured).model_level.f1
    return list(_fallen_share("all", "F1 of models", before, now))


def _fallen(name: str, before: PackageFigures, now: PackageFigures) -> Iterator[str]:
    yield from _fallen_share(name, "recall of sites", before.check.recall, now.check.recall)
    yield from _fallen_share(name, "precision", before.check.claims.precision, now.check.claims.precision)


def _fallen_share(name: str, what: str, before: float | None, now: float | None) -> Iterator[str]:
    """A share that cannot be had any more, of nothing, has fallen to nothing."""
    if before is not None and (now is None or now < before - MARGIN):
        yield f"{name}: {what} fell from {percent(before)} to {percent(now) or 'nothing'}"
