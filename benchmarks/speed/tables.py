"""The figures as Markdown."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.markdown import table
from benchmarks.speed import check_works as check
from benchmarks.speed import trace_works as trace
from benchmarks.speed.figures import Part, processor_round_ratio, round_ratio
from benchmarks.speed.goals import Reached, reached
from benchmarks.speed.parts import TREES
from benchmarks.speed.peers import FLOOR, PEERS


def blocks(parts: Mapping[str, Part]) -> dict[str, str]:
    """What stands between the markers of the page, by name."""
    return {
        "goals": goals_table(parts),
        "trees": "\n\n".join(tree_section(parts[name]) for name in TREES if name in parts),
        "linear": linear_table([parts[name] for name, tree in TREES.items() if tree.twice and name in parts]),
        "trace": trace_section([parts[name] for name in trace.PROGRAMS if name in parts]),
    }


def goals_table(parts: Mapping[str, Part]) -> str:
    """What is to be reached, and what is."""
    return table(
        ("on", "work", "at most", "measured", "reached"),
        [
            (
                each.goal.part,
                each.goal.work,
                each.goal.measure.format(_limit(each.goal.most)),
                "not measured" if each.figure is None else each.goal.measure.format(_figure(each)),
                "" if each.figure is None else "yes" if each.is_met else "no",
            )
            for each in reached(parts)
        ],
    )


def _limit(most: float) -> str:
    return f"1/{1 / most:.0f}" if most < 0.1 else f"{most:g}"


def _figure(each: Reached) -> str:
    assert each.figure is not None
    return f"1/{1 / each.figure:.1f}" if each.goal.most < 0.1 else f"{each.figure:.2f}"


def tree_section(part: Part) -> str:
    """Where it was measured, and what each work cost."""
    head = ("work", "s", "from, to", "runs", "processors, s", "memory, MB", "× `ast.parse`", "µs per line")
    return f"{_where(part)}\n\n{table(head, [_tree_row(part, work) for work in part.measured])}{_not_run(part)}"


def _tree_row(part: Part, work: str) -> tuple[object, ...]:
    walls = [cost.wall for cost in part.measured[work].costs]
    lines = 2 * part.lines if work in (check.TWICE, check.TWICE_ONE_PROCESS) else part.lines
    per_line = part.wall(work) / lines * 1e6
    return (
        work if work not in part.versions else f"{work} {part.versions[work]}",
        seconds(part.wall(work)),
        "" if len(walls) == 1 else f"{seconds(min(walls))}, {seconds(max(walls))}",
        len(walls),
        seconds(part.processor(work)),
        f"{part.peak(work) / 1e6:.0f}",
        f"{part.wall(work) / part.wall(FLOOR):.2f}" if FLOOR in part.measured else "",
        f"{per_line:.1f}",
    )


def _not_run(part: Part) -> str:
    left_out = [peer.name for peer in PEERS if peer.name not in part.measured]
    return f"\n\nNot run here: {', '.join(left_out)}." if left_out else ""


def linear_table(parts: list[Part]) -> str:
    """What twice the lines cost."""
    rows = []
    for part in parts:
        for once, twice in ((check.FIRST, check.TWICE), (check.ONE_PROCESS, check.TWICE_ONE_PROCESS)):
            if once in part.measured and twice in part.measured:
                wall, processor = (get(twice) / get(once) for get in (part.wall, part.processor))
                lines = f"{part.lines:,} → {2 * part.lines:,}"
                rows.append((part.name, once, lines, f"{wall:.2f}", f"{processor:.2f}"))
    return table(("tree", "work", "lines", "× the time", "× processor time"), rows)


def trace_section(parts: list[Part]) -> str:
    """What the recorder and what goes on beside the program cost."""
    head = ("program", "run", "s", "× alone", "processors, s", "× alone")
    rows = [
        (
            part.name,
            work,
            seconds(part.wall(work)),
            f"{round_ratio(part, work, trace.ALONE):.3f}",
            seconds(part.processor(work)),
            f"{processor_round_ratio(part, work, trace.ALONE):.3f}",
        )
        for part in parts
        for work in part.measured
    ]
    places: dict[str, list[str]] = {}
    for part in parts:
        places.setdefault(_where(part), []).append(part.name)
    return "\n\n".join([*(f"{', '.join(names)}: {where}" for where, names in places.items()), table(head, rows)])


def _where(part: Part) -> str:
    tools = ", ".join(f"{name} {version}" for name, version in part.versions.items())
    return f"{part.subject}. {part.date}, {part.machine}; {tools}."


def seconds(value: float) -> str:
    """With as many digits as mean something."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
