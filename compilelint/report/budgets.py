"""What a run may do, and the exit code that follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from compilelint.report.model import Budget, Observation, ObservationType, Report

_BREAKS: frozenset[ObservationType] = frozenset({"graph-break", "frame-skipped"})
_ALWAYS: frozenset[ObservationType] = frozenset({"recompile-limit", "compile-error"})
"""Silent eager, or a failure: no budget allows for it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the user allows; None is no limit. With any given, only those (and errors) decide."""

    max_breaks: int | None = None
    max_recompiles: int | None = None
    max_compile_seconds: float | None = None

    @property
    def any(self) -> bool:
        return not (self.max_breaks is None and self.max_recompiles is None and self.max_compile_seconds is None)


def judged(limits: Limits, observations: Iterable[Observation], compile_seconds: float) -> tuple[Budget, ...]:
    """Each budget with what the run did. What comments accept, or torch does to itself, is not counted.

    Breaks are counted by cause: one line that breaks is one break, however often it is compiled.
    Recompiles are counted one by one, per rank, after the warm-up; `compile_seconds` is without it, too.
    """
    counted = [each for each in observations if not each.accepted and each.severity != "info"]
    found: tuple[tuple[str, float | None, float], ...] = (
        ("max-breaks", limits.max_breaks, sum(each.type in _BREAKS for each in counted)),
        (
            "max-recompiles",
            limits.max_recompiles,
            sum(ceil(each.hits_after_warmup / max(len(each.ranks), 1)) for each in counted if each.type == "recompile"),
        ),
        ("max-compile-seconds", limits.max_compile_seconds, compile_seconds),
    )
    return tuple(Budget(name, limit, value) for name, limit, value in found if limit is not None)


def is_allowed(observation: Observation, budgets: Sequence[Budget]) -> bool:
    """Whether a run may do this without failing, under these budgets, those that are broken among them.

    With none given nothing is allowed; with any, what no budget is about is.
    """
    if not _counts(observation):
        return True
    if observation.type in _ALWAYS or not budgets:
        return False
    about = "max-breaks" if observation.type in _BREAKS else f"max-{observation.type}s"
    return not any(each.broken for each in budgets if each.name == about)


def _counts(observation: Observation) -> bool:
    """Whether a run may fail for it: recompiles of the warm-up are free."""
    is_free = observation.type == "recompile" and not observation.hits_after_warmup
    return not observation.accepted and observation.severity != "info" and not is_free


def exit_code(report: Report, limits: Limits) -> int:
    """0 nothing to report, 1 something happened that is not allowed, 2 the run proves nothing.

    It proves nothing if something of it could not be read, or if nothing was compiled and nothing says
    why. The traced program's own exit code is not looked at.
    """
    run = report.run
    if run is None or run.unreadable:
        return 2
    counted = [each for each in report.observations if _counts(each)]
    if any(each.type in _ALWAYS for each in counted) or any(each.broken for each in run.budgets):
        return 1
    if not run.compilations:
        return 1 if counted else 2
    if limits.any:
        return 0
    return 1 if counted else 0
