from __future__ import annotations

import pytest

from compilelint.report.html import figures
from compilelint.report.html.code import finder, highlighter
from compilelint.report.html.functions import functions
from compilelint.report.model import CompileKind, FrameCost, Moment, Process
from tests.report.make import observation, run


def process(rank: int | None = None, seconds: float = 3.0, **changes: object) -> Process:
    values: dict[str, object] = {
        "pid": 7,
        "rank": rank,
        "began": 0.0,
        "wall_seconds": 10.0,
        "compile_seconds": seconds,
        "compilations": 2,
        "breaks": 1,
        "recompiles": 0,
        "first_result_seconds": 1.0,
        "ended": "exit code 0",
        "cut_off": False,
        **changes,
    }
    return Process(**values)  # type: ignore[arg-type]


def compiled(kind: CompileKind, seconds: float, process: int = 0) -> Moment:
    return Moment("compile", 0.0, process, "a.py", 10, "f", seconds=seconds, kind=kind)


def test_what_is_counted_is_what_happened_and_counts() -> None:
    breaks = observation(hits=3), observation(line=40, hits=2), observation(accepted=True), observation(severity="info")
    limit = observation(type="recompile-limit", hits=1)
    assert [(each.words, each.source) for each in figures.hits([*breaks, limit])] == [
        ("5 graph breaks", "from 2 places"),
        ("1 recompile limit hit", ""),
    ]


def test_the_time_of_a_run_is_split_without_a_rest() -> None:
    spent = (compiled("first", 2.0), compiled("backward", 0.5), compiled("first", 0.5))
    slices = figures.slices(run(per_process=(process(),), timeline=spent))
    assert [(each.kind, each.seconds) for each in slices] == [("first", 2.5), ("backward", 0.5), (None, 7.0)]
    assert sum(each.share for each in slices) == pytest.approx(100.0)


def test_of_ranks_the_one_that_compiled_longest_is_shown() -> None:
    slices = figures.slices(
        run(
            per_process=(process(0, 1.0), process(1, 4.0)),
            timeline=(compiled("first", 1.0), compiled("recompile", 4.0, process=1)),
        )
    )
    assert [(each.kind, each.seconds) for each in slices] == [("recompile", 4.0), (None, 6.0)]


def test_a_function_costs_what_its_parts_do() -> None:
    frames = (FrameCost("a.py", 10, "f", 2, 1.0, 3), FrameCost("a.py", 12, "f (after line 12)", 1, 3.0, 4, 12))
    of = run(frames=frames, compile_seconds=8.0, timeline=(compiled("first", 1.0), compiled("recompile", 3.0)))
    (cost,) = figures.costs(of, functions(of, (), finder(()), highlighter(), lambda each: ("", "")))
    assert (cost.function.seconds, cost.function.share, cost.function.compilations, cost.ops) == (4.0, 50.0, 3, 7)
    assert [(each.kind, each.seconds, each.share) for each in cost.slices] == [
        ("first", 1.0, 25.0),
        ("recompile", 3.0, 75.0),
    ]


def test_seconds_that_are_of_no_function_are_not_lost() -> None:
    assert figures.unattributed(run(compile_seconds=2.0)) == 0.5
    assert figures.unattributed(run(compile_seconds=1.5)) == 0.0


def test_a_recompile_knows_the_limit_that_its_function_hit() -> None:
    again = observation(type="recompile", compile_seconds=1.0)
    elsewhere = observation(type="recompile", function="other", line=40, compile_seconds=2.0)
    limit = observation(type="recompile-limit", line=10)
    rows = figures.recompiles(run(), [again, elsewhere, limit])
    assert [(each.observation, each.limit) for each in rows] == [(elsewhere, None), (again, limit)]


def test_one_process_stands_beside_no_other() -> None:
    launcher = process(None, 0.0, compilations=0)
    assert figures.processes(run(per_process=(process(), launcher))) == ()


def test_ranks_are_in_order_and_what_differs_is_marked() -> None:
    first, second = figures.processes(run(per_process=(process(1, recompiles=3), process(0, 1.5))))
    assert (first.name, first.bar, first.share, first.apart) == ("rank 0", 50.0, 15.0, frozenset())
    assert (second.name, second.apart) == ("rank 1", {"recompiles"})
