from __future__ import annotations

from compilelint.report.html.code import finder, highlighter
from compilelint.report.html.functions import Function, functions, is_own
from compilelint.report.model import FrameCost, Observation, Source
from compilelint.report.stack import StackFrame
from tests.report.make import observation, run

TEXT = "def f(x):\n    y = x + 1\n    n = y.item()\n    y = helper(y)\n    return y * n"
SOURCE = Source("a.py", "f", 10, TEXT)
FIRST = FrameCost("a.py", 10, "f", 1, 0.5, 3)
AFTER_ITEM = FrameCost("a.py", 12, "f (after line 12)", 8, 1.5, 2, 12, 0.25)
AFTER_CALL = FrameCost("a.py", 13, "f (after line 13)", 1, 0.25, 0, 13)


def made(*observations: Observation, costs: tuple[FrameCost, ...], source: Source = SOURCE) -> Function:
    shown = functions(
        run(frames=costs),
        observations,
        finder([source]),
        highlighter(),
        lambda each: (each.reason, f"cause-of-{each.line}"),
    )
    return shown[0]


def broke(line: int = 12, **changes: object) -> Observation:
    return observation(path="a.py", line=line, function="f", hits=1, stack=(), **changes)


def states(function: Function) -> list[tuple[int | None, str, int]]:
    return [
        (line.number, line.part.state if line.part else "", line.part.color if line.part else 0)
        for line in function.lines
    ]


def test_the_source_is_split_into_the_graphs_that_dynamo_made() -> None:
    function = made(broke(), costs=(FIRST, AFTER_ITEM))
    assert states(function) == [
        (10, "graph", 1),
        (11, "graph", 1),
        (12, "graph", 1),
        (13, "graph", 2),
        (14, "graph", 2),
    ]
    assert [(part.title, part.facts) for part in function.parts] == [
        ("graph 1", "3 operators, compiled once, 0.50 s"),
        ("graph 2", "2 operators, compiled 8 times, 1.5 s, 0.25 s of it backward"),
    ]


def test_a_broken_line_says_why_and_leads_to_the_cause() -> None:
    function = made(broke(), costs=(FIRST, AFTER_ITEM))
    (note,) = function.lines[2].notes
    assert (note.title, note.link) == ("graph break", "cause-of-12")
    assert note.text == "`.item()` reads a tensor's value back into Python"


def test_a_part_without_a_graph_says_so() -> None:
    function = made(costs=(FIRST, AFTER_CALL))
    assert [part.state for part in function.parts] == ["graph", "no-graph"]
    assert function.graphs == 1


def test_a_call_below_which_it_broke_is_marked_where_the_function_goes_on_after_it() -> None:
    below = observation(path="b.py", line=3, stack=(StackFrame("a.py", 13, "f"), StackFrame("b.py", 3, "helper")))
    (note,) = made(below, costs=(FIRST, AFTER_CALL)).lines[3].notes
    assert note.text.endswith("in what this calls (b.py:3)")


def test_what_is_given_up_runs_without_dynamo_from_there_on() -> None:
    dropped = StackFrame("a.py", 12, "f (after line 12)")
    part = FrameCost("a.py", 12, "f (after line 12)", 0, 0.5, None, 12)
    function = made(broke(line=13, frame_dropped=True, dropped=(dropped,)), costs=(FIRST, part))
    assert states(function)[2:4] == [(12, "graph", 1), (13, "eager", 0)]


def test_what_was_compiled_first_and_given_up_later_tells_both() -> None:
    limit = broke(line=10, type="recompile-limit", frame_dropped=True, dropped=(StackFrame("a.py", 10, "f"),))
    function = made(limit, costs=(FIRST,))
    assert function.parts[0].facts == "3 operators, compiled once, 0.50 s, given up since"
    assert [note.title for note in function.notes] == ["recompile limit"]


def test_a_function_that_only_broke_is_shown_without_costs() -> None:
    function = made(broke(), costs=())
    assert (function.name, function.seconds, function.parts) == ("f", 0.0, ())
    assert function.lines[2].notes


def test_of_a_long_function_the_lines_around_what_happened_are_shown() -> None:
    long = Source("a.py", "f", 10, "def f(x):\n" + "    x = x + 1\n" * 998 + "    return x")
    function = made(broke(line=500), costs=(FrameCost("a.py", 10, "f", 1, 0.5, 3),), source=long)
    numbers = [line.number for line in function.lines]
    assert 500 in numbers
    assert None in numbers
    assert len(numbers) < 60


def test_a_function_without_source_has_its_parts() -> None:
    function = made(costs=(FrameCost("gone.py", 1, "g", 1, 0.5, 3),))
    assert (function.lines, len(function.parts)) == ((), 1)


def test_a_comprehension_is_not_shown_as_the_function_around_it() -> None:
    function = made(costs=(FrameCost("a.py", 12, "f.<locals>.<listcomp>", 1, 0.5, 3),))
    assert (function.name, function.lines) == ("f.<locals>.<listcomp>", ())


def test_the_users_own_functions_come_first() -> None:
    costs = (FrameCost("/env/site-packages/torch/a.py", 1, "g", 1, 9.0, 3), FIRST)
    assert [
        each.name for each in functions(run(frames=costs), (), finder([SOURCE]), highlighter(), lambda each: ("", ""))
    ] == [
        "f",
        "g",
    ]


def test_of_thousands_of_functions_the_source_of_those_with_most_to_tell_is_listed() -> None:
    costs = tuple(FrameCost(f"m{each}.py", 1, f"f_{each}", 1, 1 + each / 1000, 3) for each in range(400))
    texts = [Source(cost.path, cost.function, 1, f"def {cost.function}():\n    pass") for cost in costs]
    broken = observation(path="m3.py", line=2, function="f_3", stack=())
    found = functions(run(frames=costs), (broken,), finder(texts), highlighter(), lambda each: ("", ""))
    listed = [each.name for each in found if each.lines]
    assert len(found) == 400
    assert len(listed) == 150
    assert listed[0] == "f_399"
    assert "f_3" in listed
    assert "f_4" not in listed


def test_a_library_function_that_cost_next_to_nothing_is_not_listed() -> None:
    cheap = FrameCost("/lib/a.py", 10, "f", 1, 0.001, 3)
    source = Source("/lib/a.py", "f", 10, TEXT)
    assert made(costs=(cheap,), source=source).lines == ()


def test_whose_a_file_is() -> None:
    assert is_own("src/a.py")
    assert not any(map(is_own, ("/lib/a.py", "C:/lib/a.py", "<string>", ".venv/lib/site-packages/a.py")))
