"""The verdict of a finding that nothing in a run shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from compilelint.report.model import Effect, Finding, Observation, Verdict
from compilelint.report.stack import StackFrame
from compilelint.report.verdicts import library
from compilelint.report.verdicts.breaks import (
    OF_PROPERTIES,
    gave_up_bodies,
    may_be_outside_body,
    may_be_use_of_property,
)
from compilelint.report.verdicts.frames import frames_of, frames_of_recompile, is_of_function, stands_in
from compilelint.report.verdicts.proofs import shows_effect
from compilelint.report.verdicts.recompiles import is_reached_through
from compilelint.report.verdicts.wording import BLOCK, KEYWORD, told

_REFUTABLE: frozenset[Effect] = frozenset({"graph-break", "recompile", "compile-error"})
"""Effects that would have been seen, had they been there."""
_OF_CHANGING_SIZES = frozenset({"CL522", "CL737", "CL738", "CL752"})
"""Rules about what happens only if sizes change. Which statement asked for a size Dynamo does not say: where it was
compiled anew for one, nobody knows for which, and where sizes stayed the same, nothing was tried."""
_ONCE_SIZES_CHANGE = re.compile(r"as soon as that changes, sizes are dynamic")
"""What the message says of such a thing whose page is about others, too (CL731: what draws for a batch)."""
_FAILS_OUTSIDE = frozenset({"CL632", "CL744", "CL748", "CL804"})
"""Rules about what fails, or would, next to what is compiled, or in the block that the line opens: it shows in no
compilation of the line."""
_FAILS_IN_BACKEND = frozenset({"CL750"})
"""Rules about what AOTAutograd refuses, which the backend `"eager"` never asks."""
_READS_VALUE = frozenset({"GB0033"})
"""What breaks on the value of a tensor of the graph, and makes a constant of that of an argument: an index, a size."""
_LEAKS = frozenset({"GB8985"})
"""What breaks once the graph is done, by what it gives: where Dynamo dropped the function, it never comes to that."""
_LEAVE_OUT = frozenset({"frame-skipped", "graph-break", "compile-error"})
"""What may make Dynamo leave out a function."""
_OF_CONDITIONS = frozenset({"CL103"})
"""Rules about what may be given a whole condition: `bool(p and torch.rand(1) < p)`, of which the part that matters may
never be asked."""
_CONDITIONAL = re.compile(r"\b(if|else|and|or|for|lambda)\b")
_JOINED = re.compile(r"\b(and|or)\b")


def without_proof(
    finding: Finding,
    observations: Sequence[Observation],
    traced: Mapping[str, frozenset[int]] | None,
    called_again: bool,
    went_on: Callable[[StackFrame], bool],
) -> Verdict | None:
    """What a run says of a finding by not doing what it predicts; None if that says nothing."""
    if finding.effect not in _REFUTABLE or traced is None or finding.code in _FAILS_OUTSIDE:
        return None
    if not (library.is_traced(finding, traced) if finding.library else is_traced(finding, traced)):
        return None if _is_around_regions(finding) else "not-reached"
    if _is_of_changing_sizes(finding) or finding.code in _FAILS_IN_BACKEND:
        return None
    if finding.effect == "recompile":
        return _of_recompile_without_proof(finding, observations, called_again)
    # Dynamo gave up on this very statement before it came to this part of it.
    gave_up = any(
        each.frame_dropped or each.severity == "error" or not went_on(frame)
        for each in observations
        if each.type in ("graph-break", "compile-error")
        for frame in frames_of(each)
        if stands_in((frame,), finding)
    )
    gave_up = gave_up or any(_is_left_out_at_call(finding, each) for each in observations)
    if gave_up or (_LEAKS & set(finding.gb_ids) and _is_left_out(finding, observations)):
        return "not-reached"
    if may_be_outside_body(finding, observations):
        return "not-reached"
    if _may_be_left_out(finding) or gave_up_bodies(finding, observations):
        return None
    if any(may_be_use_of_property(each, finding) for each in observations):
        return None
    if _READS_VALUE & set(finding.gb_ids) and _is_behind_break(finding, observations):
        return None
    return None if finding.code in OF_PROPERTIES and _is_before_break(finding, observations) else "refuted"


def _is_around_regions(finding: Finding) -> bool:
    """Whether it is about code that Dynamo never traces, a module's own or a function's that no region leads to: the
    run may have come to the setting, the call or the compilation there all the same."""
    return finding.function == "<module>" or finding.reached_from == (finding.function,)


def _is_of_changing_sizes(finding: Finding) -> bool:
    return finding.code in _OF_CHANGING_SIZES or _ONCE_SIZES_CHANGE.search(finding.message) is not None


def _of_recompile_without_proof(
    finding: Finding, observations: Sequence[Observation], called_again: bool
) -> Verdict | None:
    if not called_again or _is_left_out(finding, observations):
        return "not-reached"
    if _was_part_of_what_is_left_out(finding, observations):
        return None
    # The first guard that fails is told, and hides the rest: what was compiled again may have been so for this, too.
    hidden = any(
        (is_of_function(frames, finding) and any(frame.path == finding.path for frame in frames))
        or is_reached_through(each, finding)
        for each in observations
        if shows_effect(each.type, "recompile")
        for frames in [frames_of_recompile(each)]
    )
    return None if hidden else "refuted"


def _is_left_out_at_call(finding: Finding, observation: Observation) -> bool:
    """Whether a break in what its line calls made Dynamo drop its function: `table[i, :n] = self.row(n)` in a loop."""
    calls = observation.stack[observation.inside :]
    return stands_in(calls, finding) and _is_left_out(finding, (observation,))


def _is_left_out(finding: Finding, observations: Sequence[Observation]) -> bool:
    """Whether Dynamo left its function out, or the part of it: then no later call can have been compiled anew."""
    return any(
        frame.path == finding.path and _is_of_part(frame, finding)
        for each in observations
        if each.type in _LEAVE_OUT
        for frame in each.dropped
    )


def _is_of_part(frame: StackFrame, finding: Finding) -> bool:
    """Whether what runs uncompiled has the finding in it: a function, or what follows a break in it.

    A model's `forward` and that of its block have the last part of their names in common; up to Python 3.10 that is
    all that is known of what was dropped.
    """
    name, _, line = frame.function.partition(" (after line ")
    begins = int(line.rstrip(")")) if line.rstrip(")").isdigit() else 0
    is_it = name == finding.function if "." in name else name == finding.function.rpartition(".")[2]
    return is_it and begins <= finding.line


def _was_part_of_what_is_left_out(finding: Finding, observations: Sequence[Observation]) -> bool:
    """Whether a break in its function, or below it, made Dynamo drop another one around it: what is checkpointed is
    never compiled by itself then."""
    return any(
        frame.path == finding.path and is_of_function((frame,), finding)
        for each in observations
        if each.type == "graph-break" and each.dropped
        for frame in each.stack[each.inside :]
    )


def is_traced(finding: Finding, traced: Mapping[str, frozenset[int]]) -> bool:
    lines = traced.get(finding.path, frozenset())
    return any(line in lines for line in range(finding.line, finding.end_line + 1))


def _may_be_left_out(finding: Finding) -> bool:
    """Whether it is a part of its line that may be left out: `x.item() if debug else 0`, `if debug: print()`,
    `bool(debug and x.any())`."""
    if finding.code in _OF_CONDITIONS and _JOINED.search(told(finding)) is not None:
        return True
    if finding.end_line != finding.line:
        return False
    before, after = (
        finding.source_line[: finding.column - 1],
        finding.source_line[finding.end_column - 1 :].partition("#")[0],
    )
    block = BLOCK.match(before)
    around = KEYWORD.sub("", before, count=1)
    return block is not None or _CONDITIONAL.search(f"{around} {after}") is not None


def _is_behind_break(finding: Finding, observations: Sequence[Observation]) -> bool:
    """Whether its function broke before it: what was computed there is an argument of the part that goes on."""
    return any(line < finding.line for line in _broken_lines(finding, observations))


def _is_before_break(finding: Finding, observations: Sequence[Observation]) -> bool:
    return any(line > finding.line for line in _broken_lines(finding, observations))


def _broken_lines(finding: Finding, observations: Sequence[Observation]) -> Iterator[int]:
    """The lines of its function at which, or at a call in which, Dynamo broke."""
    return (
        frame.line
        for each in observations
        if each.type == "graph-break"
        for frame in frames_of(each)
        if frame.path == finding.path and is_of_function((frame,), finding)
    )
