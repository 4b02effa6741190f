"""What counts as fallen, and that the published tables are those of the committed figures."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.accuracy.figures import Apart, Counts, ModelCounts, PackageFigures, Score, overall
from benchmarks.accuracy.guard import FiguresError, dumps, fallen, fallen_models, load
from benchmarks.accuracy.publish import filled
from benchmarks.accuracy.table import percent, tables

ROOT = Path(__file__).parents[2]
BASE = PackageFigures(
    version="1.0",
    models=10,
    apart={"run": Apart(2, 1)},
    check=Score(
        sites=200,
        found=170,
        claims=Counts(180, 20, 5),
        levels={"high": Counts(100, 5, 1), "low": Counts(1, 30, 7)},
        rules={"CL101": Counts(9, 1, 0)},
        not_judged={"severity info": 3},
    ),
    grep=Score(200, 50, Counts(60, 40, 0)),
    every_if=Score(200, 20, Counts(20, 300, 0)),
    model_level=ModelCounts(40, 10, 5, 45, 2),
)


def with_check(found: int = 170, claims: Counts = BASE.check.claims) -> PackageFigures:
    return replace(BASE, check=replace(BASE.check, found=found, claims=claims))


def test_within_a_point_nothing_fell() -> None:
    assert fallen({"a": BASE}, {"a": with_check(found=168, claims=Counts(179, 21, 5))}) == []
    assert fallen({"a": BASE}, {"a": with_check(found=200)}) == []


def test_more_than_a_point_has_fallen_of_the_package_and_of_all() -> None:
    assert fallen({"a": BASE}, {"a": with_check(found=167)}) == [
        "a: recall of sites fell from 85.0 % to 83.5 %",
        "all: recall of sites fell from 85.0 % to 83.5 %",
    ]
    lines = fallen({"a": BASE}, {"a": with_check(claims=Counts(170, 30, 5))})
    assert lines == ["a: precision fell from 90.0 % to 85.0 %", "all: precision fell from 90.0 % to 85.0 %"]


def test_one_package_may_fall_while_all_do_not() -> None:
    small = replace(BASE, check=replace(BASE.check, sites=2, found=2))
    worse = replace(small, check=replace(small.check, found=1))
    lines = fallen({"a": BASE, "b": small}, {"a": BASE, "b": worse})
    assert lines == ["b: recall of sites fell from 100.0 % to 50.0 %"]


def test_finding_nothing_at_all_is_a_fall() -> None:
    lines = fallen({"a": BASE}, {"a": with_check(found=170, claims=Counts())})
    assert lines == ["a: precision fell from 90.0 % to nothing", "all: precision fell from 90.0 % to nothing"]


def test_models_are_guarded_together() -> None:
    worse = replace(BASE, model_level=ModelCounts(40, 20, 5, 35, 2))
    assert fallen_models({"a": BASE}, {"a": worse}) == ["all: F1 of models fell from 84.2 % to 76.1 %"]


def test_packages_come_and_go_with_their_figures() -> None:
    assert fallen({"a": BASE}, {"a": BASE, "b": BASE}) == ["b: there are no committed figures"]
    assert fallen({"a": BASE, "b": BASE}, {"a": BASE}) == ["b: committed, but not measured"]


def test_figures_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    (tmp_path / "figures.json").write_text(dumps({"b": BASE, "a": with_check(1)}))
    assert load(tmp_path / "figures.json") == {"a": with_check(1), "b": BASE}


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"packages": {"a": {}}}', '{"packages": {"a": []}}'])
def test_what_is_no_figures_is_said_to_be_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "figures.json").write_text(text)
    with pytest.raises(FiguresError, match="no figures"):
        load(tmp_path / "figures.json")


def test_figures_add_up() -> None:
    total = overall({"a": BASE, "b": BASE})
    assert (total.models, total.apart, total.check.sites) == (20, {"run": Apart(4, 2)}, 400)
    assert (total.check.claims, total.check.recall) == (Counts(360, 40, 10), 0.85)
    assert (total.check.levels["high"], total.check.not_judged) == (Counts(200, 10, 2), {"severity info": 6})
    assert (total.model_level.no_root, total.model_level.f1) == (4, BASE.model_level.f1)


def test_model_level_shares() -> None:
    counts = ModelCounts(true_positive=40, false_positive=10, false_negative=5, true_negative=45)
    assert (counts.precision, counts.recall, counts.f1) == (0.8, 40 / 45, pytest.approx(16 / 19))
    assert ModelCounts(true_negative=3).f1 is None


def test_a_share_is_rounded_down() -> None:
    assert [percent(0.8999), percent(0.9), percent(0.29), percent(0.0), percent(None)] == [
        "89.9 %", "90.0 %", "29.0 %", "0.0 %", "",
    ]  # fmt: skip


def test_all_together_has_a_row_only_where_there_are_several() -> None:
    assert "| all |" not in tables({"a": BASE})
    assert "| all | 20 | 400 | 340 | 85.0 % | 360 | 40 | 90.0 % | 10 |" in tables({"a": BASE, "b": BASE})


def test_a_page_is_filled_between_its_markers() -> None:
    page = "# A\n\n<!-- figures: sites -->\nold\n<!-- end of figures -->\n\ntext\n"
    new = filled(page, {"a": BASE})
    assert "old" not in new
    assert new.startswith("# A\n\n<!-- figures: sites -->\n\n| package |")
    assert new.endswith("<!-- end of figures -->\n\ntext\n")
    assert "| a 1.0 | 10 | 200 | 170 | 85.0 % | 180 | 20 | 90.0 % | 5 |" in new
    assert filled(new, {"a": BASE}) == new
    with pytest.raises(ValueError, match="no tables"):
        filled("# A\n", {"a": BASE})
    with pytest.raises(KeyError):
        filled(page.replace("sites", "unknown"), {"a": BASE})


def test_the_documentation_shows_the_committed_figures() -> None:
    page = (ROOT / "docs" / "accuracy.md").read_text(encoding="utf-8")
    figures = load(ROOT / "benchmarks" / "accuracy" / "figures.json")
    assert filled(page, figures) == page, "run python -m benchmarks.accuracy.score --write-docs"
    assert set(re.findall(r"<!-- figures: ([\w-]+) -->", page)) == {
        "sites", "models", "levels", "baselines", "apart", "rules",
    }  # fmt: skip
