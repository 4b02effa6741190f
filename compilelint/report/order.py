"""The one order in which findings, observations and errors are shown, in every format."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from compilelint.report.model import SEVERITIES, Finding, Observation, Problem


def ordered_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """By file, then by place; findings at the same place by what they say, so that runs compare equal."""
    return tuple(
        sorted(
            findings,
            key=lambda each: (
                each.path,
                each.cell or 0,
                each.line,
                each.column,
                each.code,
                each.end_line,
                each.end_column,
                each.function,
                each.message,
                each.reached_from,
            ),
        )
    )


def ordered_observations(observations: Iterable[Observation]) -> tuple[Observation, ...]:
    """What to change first comes first: what is accepted last, errors before the rest, then by cost.

    A dropped function costs more than any break that splits a graph: all of it runs without Dynamo, at each
    call; a comprehension that is dropped on its own is no more than a piece. After that come the seconds
    spent compiling, then how often it happened. What was compiled again only once comes last: one more size, one more
    mode. That is paid, however long it took, where a break costs at each call.
    """
    return tuple(sorted(observations, key=cost))


def cost(observation: Observation, parts: Sequence[Observation] = ()) -> tuple[object, ...]:
    """A key for sorting: the smaller, the more it costs. Seconds are rounded, so that runs compare equal.

    `parts` are those that it sums up, if it does.
    """
    return (
        observation.accepted,
        SEVERITIES.index(observation.severity),
        not (observation.frame_dropped and _drops_a_function(observation)),
        all(map(_is_paid, parts or (observation,))),
        -round(observation.compile_seconds, 1),
        -observation.hits,
        observation.path,
        observation.line,
        observation.type,
        observation.reason,
    )


def _is_paid(observation: Observation) -> bool:
    """Whether it is a recompile that each process came to once at most."""
    return observation.type == "recompile" and observation.hits <= max(len(observation.ranks), 1)


def _drops_a_function(observation: Observation) -> bool:
    """Not only `<listcomp>` and the like, which Dynamo meets where the function around them runs without it."""
    return not observation.dropped or any(
        not frame.function.rpartition(".")[2].startswith("<") for frame in observation.dropped
    )


def ordered_errors(errors: Iterable[Problem]) -> tuple[Problem, ...]:
    """By file and line; errors of a whole file come before those of its lines."""
    return tuple(sorted(errors, key=lambda each: (each.path, each.cell or 0, each.line or 0, each.message)))
