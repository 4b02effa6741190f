from __future__ import annotations

import pytest

from compilelint.report.html.timeline import Chart, chart
from compilelint.report.model import Moment, Process
from tests.report.make import run

CALL = "train.py:40 torch.compile(Net)"


def compiled(at: float, seconds: float = 1.0, **changes: object) -> Moment:
    values: dict[str, object] = {"path": "a.py", "function": "f", "compiled_by": CALL, "kind": "first", **changes}
    return Moment("compile", at, 0, seconds=seconds, **values)  # type: ignore[arg-type]


def broke(at: float, **changes: object) -> Moment:
    return Moment("graph-break", at, 0, "a.py", 3, "f", CALL, **changes)  # type: ignore[arg-type]


def drawn(*moments: Moment, wall: float = 100.0, processes: int = 1) -> Chart:
    of = tuple(Process(7, each, 0.0, wall, 1.0, 1, 0, 0, None, "exit code 0", False) for each in range(processes))
    made = chart(run(per_process=of), moments, lambda moment: f"of-{moment.function}")
    assert made is not None
    return made


def test_a_run_that_compiled_nothing_has_no_timeline() -> None:
    assert chart(run(), (broke(1.0),), lambda moment: "") is None


def test_a_bar_is_as_long_as_its_compilation() -> None:
    ((bar,),) = (lane.bars for lane in drawn(compiled(10.0, 20.0)).lanes)
    assert (bar.left, bar.width, bar.kind, bar.link) == (10.0, 20.0, "first", "of-f")
    assert bar.title == "f (a.py:1): first compile, 20.0 s, begun at 10.0 s"


def test_thousands_of_compilations_become_bars_that_can_be_seen_and_none_is_lost() -> None:
    kinds = ("first", "after-break", "recompile", "backward")
    many = [compiled(each * 0.033, 0.03, kind=kinds[each % 4]) for each in range(3000)]
    (lane,) = drawn(*many).lanes
    assert len(lane.bars) < 200
    assert sum(bar.count for bar in lane.bars) == 3000
    assert sum(bar.seconds for bar in lane.bars) == pytest.approx(90.0)


def test_what_is_long_enough_to_be_seen_stands_alone() -> None:
    (lane,) = drawn(compiled(0.0, 0.1), compiled(0.1, 5.0, kind="recompile"), compiled(5.1, 0.1)).lanes
    assert [(bar.kind, bar.count) for bar in lane.bars] == [("first", 1), ("recompile", 1), ("first", 1)]


def test_marks_of_a_kind_at_nearly_one_time_are_one() -> None:
    (lane,) = drawn(compiled(0.0), broke(10.0), broke(10.1), broke(50.0)).lanes
    assert [(flag.left, flag.count) for flag in lane.flags] == [(10.0, 2), (50.0, 1)]
    assert lane.flags[0].title == "2 × graph break at 10.0 s: a.py:3 f (2×)"


def test_a_first_result_is_marked_where_it_came() -> None:
    (lane,) = drawn(compiled(0.0), Moment("first-result", 5.0, 0, compiled_by=CALL, seconds=20.0)).lanes
    (flag,) = lane.flags
    assert (flag.left, flag.title) == (25.0, "first call returned after 20.0 s")


def test_each_rank_and_call_has_a_lane() -> None:
    other = compiled(3.0, compiled_by="")
    second = Moment("compile", 1.0, 1, "a.py", 1, "f", CALL, seconds=1.0, kind="first")
    lanes = drawn(compiled(1.0), other, second, processes=2).lanes
    assert [(lane.process, lane.name, lane.place) for lane in lanes] == [
        ("rank 0", "torch.compile(Net)", "train.py:40"),
        ("rank 0", "outside of compiled calls", ""),
        ("rank 1", "torch.compile(Net)", "train.py:40"),
    ]


def test_the_least_expensive_of_many_calls_share_a_lane() -> None:
    many = [compiled(each, 0.5 + each / 100, compiled_by=f"a.py:{each} torch.compile(f)") for each in range(40)]
    lanes = drawn(*many).lanes
    assert len(lanes) == 12
    assert lanes[-1].name == "29 other calls"
    assert sum(bar.count for lane in lanes for bar in lane.bars) == 40


@pytest.mark.parametrize(
    ("wall", "labels"), [(0.04, ["0.000", "0.005"]), (7.0, ["0", "1"]), (69.8, ["0", "10"]), (3600.0, ["0", "500"])]
)
def test_the_axis_has_round_numbers(wall: float, labels: list[str]) -> None:
    assert [tick.label for tick in drawn(compiled(0.0, wall), wall=wall).ticks][:2] == labels
