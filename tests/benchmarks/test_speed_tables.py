"""Figures, goals and tables, over costs that are made up; and that the page shows the figures."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("psutil")

from benchmarks.markdown import filled, table
from benchmarks.speed import check_works as check
from benchmarks.speed import tables, trace_works
from benchmarks.speed.figures import FiguresError, Part, dumps, load, processor_round_ratio, ratio, round_ratio
from benchmarks.speed.goals import GOALS, Reached, reached
from benchmarks.speed.measuring import Cost, Measured
from benchmarks.speed.peers import FLOOR, TORCHFIX

ROOT = Path(__file__).parents[2]


def part(name: str, peak: int = 10**8, **walls: tuple[float, ...]) -> Part:
    """Processor time is twice the time on the wall."""
    measured = {
        work: Measured(work, tuple(Cost(wall, 2 * wall) for wall in each), peak) for work, each in walls.items()
    }
    return Part(name, f"{name} 1.0", "2026-01-02", "a machine", {"Python": "3.11", TORCHFIX: "0.7.0"}, 1000, measured)


def works(**named: float | tuple[float, ...]) -> dict[str, tuple[float, ...]]:
    names = {"floor": FLOOR, "first": check.FIRST, "torchfix": TORCHFIX, "twice": check.TWICE, "again": check.NOTHING}
    return {names[name]: value if isinstance(value, tuple) else (value,) for name, value in named.items()}


def figures(parts: dict[str, Part]) -> dict[tuple[str, str, str], Reached]:
    return {(each.goal.part, each.goal.work, each.goal.measure): each for each in reached(parts)}


def test_ratios_are_of_medians() -> None:
    made = part("timm", **works(floor=(1.0, 1.1, 9.0), first=(4.0, 30.0, 4.4)))
    assert ratio(made, check.FIRST, FLOOR) == pytest.approx(4.0)


def test_a_round_in_which_all_was_slow_does_not_change_the_ratio_of_rounds() -> None:
    made = part("training", **{trace_works.ALONE: (10.0, 20.0, 100.0), trace_works.TRACED: (11.0, 20.2, 102.0)})
    assert round_ratio(made, trace_works.TRACED, trace_works.ALONE) == pytest.approx(1.02)
    assert processor_round_ratio(made, trace_works.TRACED, trace_works.ALONE) == pytest.approx(1.02)


def test_goals_that_are_met_missed_and_not_measured() -> None:
    made = part("timm", **works(floor=1.0, first=5.5, torchfix=200.0, twice=11.0))
    found = figures({"timm": made})
    faster = found["timm", check.FIRST, "{} of TorchFix's time"]
    assert (faster.figure, faster.is_met) == (pytest.approx(5.5 / 200), True)
    assert not found["timm", check.FIRST, "{} × `ast.parse`"].is_met
    assert found["timm", check.TWICE, "{} × the time of half"].is_met
    assert found["timm", check.NOTHING, "{} s"].figure is None
    assert not found["timm", check.NOTHING, "{} s"].is_met
    memory = found["transformers", check.FIRST, "{} GB"]
    assert memory.figure is None


def test_the_peak_of_memory_has_a_goal() -> None:
    found = figures({"transformers": part("transformers", peak=1_300_000_000, **works(first=9.0))})
    memory = found["transformers", check.FIRST, "{} GB"]
    assert (memory.figure, memory.is_met) == (1.3, False)


def test_the_table_of_goals() -> None:
    text = tables.goals_table({"timm": part("timm", **works(floor=1.0, first=5.5, torchfix=200.0))})
    assert "| timm | first run | 1/25 of TorchFix's time | 1/36.4 of TorchFix's time | yes |" in text
    assert "| timm | first run | 5 × `ast.parse` | 5.50 × `ast.parse` | no |" in text
    assert "| timm | nothing changed | 0.4 s | not measured |  |" in text


def test_the_table_of_a_tree_has_all_works_and_says_what_was_not_run() -> None:
    text = tables.tree_section(part("timm", **works(floor=0.5, first=(2.0, 2.5, 2.25), torchfix=80.0, twice=4.0)))
    assert "timm 1.0. 2026-01-02, a machine; Python 3.11, TorchFix 0.7.0." in text
    assert "| first run | 2.25 | 2.00, 2.50 | 3 | 4.50 | 100 | 4.50 | 2250.0 |" in text
    assert "| TorchFix 0.7.0 | 80.0 |  | 1 | 160 | 100 | 160.00 | 80000.0 |" in text
    assert "| first run, with a copy beside it | 4.00 |  | 1 | 8.00 | 100 | 8.00 | 2000.0 |" in text, (
        "of twice the lines"
    )
    assert text.endswith("Not run here: Fixit, flake8, pylint, ruff.")


def test_twice_the_lines() -> None:
    text = tables.linear_table([part("timm", **works(first=(2.0, 2.0), twice=4.1))])
    assert "| timm | first run | 1,000 → 2,000 | 2.05 | 2.05 |" in text


def test_the_table_of_traced_programs() -> None:
    made = part("training", **{trace_works.ALONE: (20.0, 22.0), trace_works.TRACED: (20.4, 22.44)})
    text = tables.trace_section([made])
    assert "| training | alone | 21.0 | 1.000 | 42.0 | 1.000 |" in text
    assert "| training | `compilelint trace` | 21.4 | 1.020 | 42.8 | 1.020 |" in text


def test_figures_survive_their_file(tmp_path: Path) -> None:
    parts = {"timm": part("timm", **works(floor=(1.0, 2.0), first=3.0))}
    path = tmp_path / "figures.json"
    assert load(path) == {}
    path.write_text(dumps(parts))
    assert load(path) == parts
    path.write_text('[{"name": 1}]')
    with pytest.raises(FiguresError, match="no figures of this benchmark"):
        load(path)
    path.write_text("{")
    with pytest.raises(FiguresError, match=r"figures\.json"):
        load(path)


def test_a_page_is_filled_between_its_markers() -> None:
    page = "before\n<!-- figures: goals -->\nold\n<!-- end of figures -->\nafter\n"
    made = filled(page, {"goals": table(("a", "b"), [(1, 2)])})
    assert made == (
        "before\n<!-- figures: goals -->\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n<!-- end of figures -->\nafter\n"
    )
    with pytest.raises(KeyError):
        filled(page, {})
    with pytest.raises(ValueError, match="no tables"):
        filled("nothing\n", {})


def test_docs_show_the_figures() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text("utf-8")
    known = load(ROOT / "benchmarks" / "speed" / "figures.json")
    assert filled(page, tables.blocks(known)) == page, "run python -m benchmarks.speed --write"


def test_all_goals_of_a_part_are_of_works_that_it_has() -> None:
    assert {goal.part for goal in GOALS} == {"timm", "transformers", *trace_works.PROGRAMS}
