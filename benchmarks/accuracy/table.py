"""The figures as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from benchmarks.accuracy.figures import Counts, ModelCounts, PackageFigures, Score, overall
from benchmarks.markdown import table

_APART = {
    "outside": "in torch, another package or the caller's program",
    "after-break": "a comprehension that is only compiled by itself after an earlier break",
    "run": "hangs on a flag, on what is installed, on the backend or on earlier compilations",
}


def tables(packages: Mapping[str, PackageFigures]) -> str:
    """Everything that is published, one table after the other."""
    total = overall(packages)
    models = [] if total.model_level == ModelCounts() else [model_table(packages)]
    return "\n\n".join(
        [
            main_table(packages),
            *("Model level: does this model break?\n\n" + each for each in models),
            "What each level of confidence is worth:\n\n" + level_table(_with_total(packages)),
            "What anyone would try first, scored the same way:\n\n" + baseline_table(_with_total(packages)),
            "Set apart:\n\n" + apart_table(total),
            "Per rule, the worst first:\n\n" + rule_table(total.check),
        ]
    )


def main_table(packages: Mapping[str, PackageFigures]) -> str:
    head = ("package", "models", "sites", "found", "recall", "confirmed", "refuted", "precision", "unknown")
    return table(head, [_main_row(name, each) for name, each in _with_total(packages)])


def _main_row(name: str, figures: PackageFigures) -> Sequence[object]:
    check = figures.check
    counts = check.claims
    return (
        f"{name} {figures.version}".strip(),
        figures.models,
        check.sites,
        check.found,
        percent(check.recall),
        counts.confirmed,
        counts.refuted,
        percent(counts.precision),
        counts.unknown,
    )


def model_table(packages: Mapping[str, PackageFigures]) -> str:
    head = ("package", "breaks, said so", "breaks, not said", "clean, not said", "clean, said to break", "no root")
    rows = []
    for name, figures in _with_total(packages):
        level = figures.model_level
        counts = (level.true_positive, level.false_negative, level.true_negative, level.false_positive, level.no_root)
        rows.append((name, *counts, percent(level.precision), percent(level.recall), _ratio(level.f1)))
    return table((*head, "precision", "recall", "F1"), rows)


def level_table(packages: Iterable[tuple[str, PackageFigures]]) -> str:
    rows = []
    for name, figures in packages:
        for level, counts in figures.check.levels.items():
            if counts.confirmed or counts.refuted:
                rows.append((name, level, *_counts(counts)))
    return table(("package", "level", "confirmed", "refuted", "unknown", "precision"), rows)


def baseline_table(packages: Iterable[tuple[str, PackageFigures]]) -> str:
    rows = []
    for name, figures in packages:
        for way, score in (("grep", figures.grep), ("every if", figures.every_if), ("compilelint", figures.check)):
            counts = score.claims
            judged = (counts.confirmed, counts.refuted, percent(counts.precision))
            rows.append((name, way, score.found, score.sites, percent(score.recall), *judged))
    return table(("package", "way", "found", "sites", "recall", "confirmed", "refuted", "precision"), rows)


def apart_table(total: PackageFigures) -> str:
    rows: list[Sequence[object]] = [
        (f"site: {_APART[reason]}", apart.sites, apart.found) for reason, apart in total.apart.items()
    ]
    rows += [(f"finding: {reason}", count, "") for reason, count in total.check.not_judged.items()]
    return table(("what", "number", "found all the same"), rows)


def rule_table(score: Score) -> str:
    worst = sorted(score.rules.items(), key=lambda item: (-item[1].refuted, -item[1].confirmed, item[0]))
    return table(
        ("rule", "confirmed", "refuted", "unknown", "precision"),
        [(rule, *_counts(counts)) for rule, counts in worst],
    )


def _counts(counts: Counts) -> Sequence[object]:
    return (counts.confirmed, counts.refuted, counts.unknown, percent(counts.precision))


def _with_total(packages: Mapping[str, PackageFigures]) -> list[tuple[str, PackageFigures]]:
    """The packages by name, and all together if there are several."""
    return [*sorted(packages.items()), *([("all", overall(packages))] if len(packages) > 1 else [])]


def percent(value: float | None) -> str:
    """With one decimal, rounded down, so that what is not reached does not look reached; empty for None."""
    return "" if value is None else f"{int(1000 * value + 1e-9) / 10:.1f} %"


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{int(100 * value + 1e-9) / 100:.2f}"
