"""The places that an observation is about, held against the lines of a finding."""

from __future__ import annotations

from collections.abc import Iterable

from compilelint.report.model import Finding, Observation
from compilelint.report.stack import StackFrame


def frames_of(observation: Observation) -> tuple[StackFrame, ...]:
    """Where an observation may have been predicted: where it happened, and in the user's code."""
    place = StackFrame(observation.path, observation.line, observation.function)
    return (place, observation.owner) if observation.owner else (place,)


def frames_of_recompile(observation: Observation) -> tuple[StackFrame, ...]:
    """The same, and all that led to where the value is used that changed."""
    return (*observation.stack, *frames_of(observation))


def stands_in(frames: Iterable[StackFrame], finding: Finding) -> bool:
    """Whether one of these places is on the lines of a finding."""
    return any(frame.path == finding.path and finding.line <= frame.line <= finding.end_line for frame in frames)


def is_of_function(frames: Iterable[StackFrame], finding: Finding) -> bool:
    """Whether one of these places is in a function of the finding's name, whatever its class is called."""
    return finding.function.split(".")[-1] in {frame.function.split(".")[-1] for frame in frames}


def overlap(one: Finding, other: Finding) -> bool:
    """Whether two findings have a line in common."""
    return one.path == other.path and one.line <= other.end_line and other.line <= one.end_line
