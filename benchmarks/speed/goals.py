"""What was asked for, and whether it was reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.speed import check_works as check
from benchmarks.speed import trace_works as trace
from benchmarks.speed.figures import Part, ratio, round_ratio
from benchmarks.speed.peers import FLOOR, START, TORCHFIX


@dataclass(frozen=True, slots=True)
class Goal:
    """One figure that is at most so much."""

    part: str
    work: str
    measure: str
    """What is measured, in words: `{}` stands for the figure."""
    most: float
    reached: Callable[[Part], float]
    """Raises KeyError if what it needs was left out."""


def _ratio(work: str, other: str) -> Callable[[Part], float]:
    return lambda part: ratio(part, work, other)


def _seconds(work: str) -> Callable[[Part], float]:
    return lambda part: part.wall(work)


def _overhead(part: Part) -> float:
    return round_ratio(part, trace.TRACED, trace.ALONE)


GOALS = (
    Goal("timm", check.FIRST, "{} of TorchFix's time", 1 / 25, _ratio(check.FIRST, TORCHFIX)),
    Goal("timm", check.FIRST, "{} × `ast.parse`", 5, _ratio(check.FIRST, FLOOR)),
    Goal("transformers", check.FIRST, "{} × `ast.parse`", 4, _ratio(check.FIRST, FLOOR)),
    Goal("transformers", check.FIRST, "{} GB", 1.2, lambda part: part.peak(check.FIRST) / 1e9),
    Goal("timm", check.NOTHING, "{} s", 0.4, _seconds(check.NOTHING)),
    Goal("timm", check.NOTHING, "{} × " + START, 3, _ratio(check.NOTHING, START)),
    Goal("transformers", check.NOTHING, "{} s", 1.0, _seconds(check.NOTHING)),
    Goal("timm", check.FUNCTION, "{} s", 0.8, _seconds(check.FUNCTION)),
    Goal("transformers", check.HOOK, "{} s", 1.0, _seconds(check.HOOK)),
    Goal("timm", check.TWICE, "{} × the time of half", 2.1, _ratio(check.TWICE, check.FIRST)),
    *(Goal(part, trace.TRACED, "{} × without the tool", 1.03, _overhead) for part in trace.PROGRAMS),
)


@dataclass(frozen=True, slots=True)
class Reached:
    goal: Goal
    figure: float | None
    """None if it was not measured."""

    @property
    def is_met(self) -> bool:
        return self.figure is not None and self.figure <= self.goal.most


def reached(parts: Mapping[str, Part]) -> tuple[Reached, ...]:
    """All goals, and what came of them."""
    return tuple(Reached(goal, _figure(goal, parts)) for goal in GOALS)


def _figure(goal: Goal, parts: Mapping[str, Part]) -> float | None:
    try:
        return goal.reached(parts[goal.part])
    except KeyError:
        return None
