"""Findings joined with what a run did: verdicts.

A finding is `confirmed` if Dynamo did there what it said, `refuted` if Dynamo traced its lines and did
nothing of the kind, `not-reached` if it never traced them (or gave up on the way). What the run cannot
tell, such as a wrong result, stays without a verdict. An observation that no finding predicted is
`runtime-only`, or has no verdict where none could: nobody checked the files that it is about.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from compilelint.report import library
from compilelint.report.model import Effect, Finding, Observation, ObservationType, Verdict
from compilelint.report.stack import StackFrame, is_of_torch

_PROOF: dict[Effect, frozenset[ObservationType]] = {
    "graph-break": frozenset({"graph-break", "frame-skipped", "compile-error"}),
    "recompile": frozenset({"recompile", "recompile-limit"}),
    "compile-error": frozenset({"compile-error", "graph-break"}),
    "not-compiled": frozenset({"frame-skipped"}),
    "slow-start": frozenset({"repeated-blocks"}),
}
"""What a run does if it shows an effect; a wrong result shows in nothing that Dynamo says."""
_REFUTABLE: frozenset[Effect] = frozenset({"graph-break", "recompile", "compile-error"})
"""Effects that would have been seen, had they been there."""
_OF_CHANGING_SIZES = frozenset({"CL522", "CL737"})
"""Rules about what happens only if sizes change. Which statement asked for a size Dynamo does not say: where it was
compiled anew for one, nobody knows for which, and where sizes stayed the same, nothing was tried."""
_NAME = re.compile(r"[^\W\d]\w*")
_WORD = re.compile(r"[a-z]{4,}")
_KEYWORD = re.compile(r"\s*(if|elif|while|for)\b")
_BLOCK = re.compile(r"\s*(if|elif|else|while|for|with|try)\b.*?:\s")
"""A line that begins with the head of a block, and goes on with what is in it."""
_CONDITIONAL = re.compile(r"\b(if|else|and|or|for|lambda)\b")
_ATTRIBUTE = re.compile(r"self\.\w|\w+(\.\w+)+(?![\w(])")
"""How a finding's text begins that is about something that an object holds."""
_READS_VALUE = frozenset({"GB0033"})
"""What breaks on the value of a tensor of the graph, and makes a constant of that of an argument: an index, a size."""
_COMPILED_AT = re.compile(r"(?P<path>.+?):(?P<line>\d+) ")
_ASSIGNS = re.compile(r"(?<![=!<>])=(?!=)")
_MODES = ("state ", "modes ")
_NO_MODES = frozenset({"state", "modes", "torch", "enabled"})
_OF_GRADIENTS = frozenset({"CL515"})
_GRADIENT = re.compile(r"requires (a|no) gradient")
_SHOWN_BY: dict[str, Callable[[Observation], bool]] = {
    "CL514": lambda each: each.change.startswith((*_MODES, "training")),
    "CL515": lambda each: _GRADIENT.search(each.reason) is not None,
}
"""What changes, for rules that are about one kind of change alone: names in their text are only what decides on it."""
_NOT_TELLING = frozenset({"self", "torch", "Tensor", "def", "return", "if", "for", "in", "is", "not", "None"})


@dataclass(frozen=True, slots=True)
class Merged:
    """Findings with their verdicts, observations with theirs and the finding that predicted them."""

    findings: tuple[Finding, ...]
    observations: tuple[Observation, ...]


def merge(
    findings: Iterable[Finding],
    observations: Iterable[Observation],
    traced: Mapping[str, frozenset[int]] | None,
    *,
    called_again: Callable[[Finding], bool] = lambda finding: True,
    is_checked: Callable[[str], bool] = lambda path: True,
    went_on: Callable[[StackFrame], bool] = lambda place: True,
) -> Merged:
    """The verdict of a run on each finding. Paths of all three are named alike.

    `traced` are the lines that Dynamo traced, by file; None if nobody recorded them, and then a finding
    that is not confirmed has no verdict. A recompile needs more than one call: what would recompile counts
    as not reached where, as `called_again` says, its function was not called twice. `is_checked` tells of
    which files there would be findings, if there were any. `went_on` says of a break whether Dynamo traced what
    follows it.
    """
    hazards = tuple(findings)
    seen = tuple(observations)
    proofs = [_proofs(finding, hazards, seen) for finding in hazards]
    explained = frozenset(index for proof in proofs for index in proof)
    proofs = [
        proof or _proofs_at_call(finding, seen, explained) for finding, proof in zip(hazards, proofs, strict=True)
    ]
    predictors: defaultdict[int, list[Finding]] = defaultdict(list)
    for finding, proof in zip(hazards, proofs, strict=True):
        for index in proof:
            predictors[index].append(finding)
    predicted = {
        index: next((each for each in those if _names_it(seen[index], each)), those[0]).fingerprint
        for index, those in predictors.items()
    }
    return Merged(
        tuple(
            replace(
                finding,
                verdict="confirmed" if proof else _without_proof(finding, seen, traced, called_again(finding), went_on),
            )
            for finding, proof in zip(hazards, proofs, strict=True)
        ),
        tuple(
            replace(
                each,
                finding=predicted.get(index),
                verdict="confirmed" if index in predicted else _unpredicted(each, is_checked),
            )
            for index, each in enumerate(seen)
        ),
    )


def _unpredicted(observation: Observation, is_checked: Callable[[str], bool]) -> Verdict | None:
    within = (frame.path for frame in observation.stack[observation.inside :])
    return "runtime-only" if any(map(is_checked, (observation.path, *within))) else None


def shows_effect(kind: ObservationType, effect: Effect) -> bool:
    """Whether an observation of this type is what a rule with this effect predicts."""
    return kind in _PROOF.get(effect, ())


def _proofs(finding: Finding, findings: Sequence[Finding], observations: Sequence[Observation]) -> tuple[int, ...]:
    """The observations that show what a finding says, by their place in the sequence."""
    return tuple(
        index
        for index, each in enumerate(observations)
        if shows_effect(each.type, finding.effect) and _shows(each, finding, findings)
    )


def _shows(observation: Observation, finding: Finding, findings: Sequence[Finding]) -> bool:
    if finding.library:
        return library.shows(observation, finding, findings)
    if finding.effect == "recompile":
        return _same_variable(observation, finding)
    if not _stands_in(_frames(observation), finding) and not _is_of_definition(observation, finding):
        return False
    if observation.type not in ("graph-break", "compile-error"):
        return True
    rivals = [
        each for each in findings if each.effect == finding.effect and each is not finding and _overlap(each, finding)
    ]
    return _same_construct(observation, finding, rivals)


def _frames(observation: Observation) -> tuple[StackFrame, ...]:
    """Where an observation may have been predicted: where it happened, and in the user's code."""
    place = StackFrame(observation.path, observation.line, observation.function)
    return (place, observation.owner) if observation.owner else (place,)


def _stands_in(frames: Iterable[StackFrame], finding: Finding) -> bool:
    return any(frame.path == finding.path and finding.line <= frame.line <= finding.end_line for frame in frames)


def _is_of_definition(observation: Observation, finding: Finding) -> bool:
    """Whether both are about a whole function: Dynamo takes its first decorator for its first line."""
    name = observation.function.rpartition(".")[2]
    return (
        observation.type == "frame-skipped"
        and observation.path == finding.path
        and observation.line <= finding.line
        and re.search(rf"\bdef {re.escape(name)}\b", finding.source_line) is not None
    )


def _overlap(one: Finding, other: Finding) -> bool:
    return one.path == other.path and one.line <= other.end_line and other.line <= one.end_line


def _same_construct(observation: Observation, finding: Finding, rivals: Sequence[Finding]) -> bool:
    """Whether a break on the finding's lines is the finding's break.

    Dynamo's ids tell constructs apart; where they do not (an older torch, an id that covers several
    constructs) the words do. A finding that stands alone on its lines needs no more than either.
    """
    if observation.gb_id and observation.gb_id in finding.gb_ids:
        return True
    claimed = any(observation.gb_id in each.gb_ids for each in rivals)
    if claimed:
        return False
    spoken = _names(f"{observation.title} {observation.reason} {observation.context}")
    if _names(_apart_from(finding, rivals)) & spoken:
        return True
    called = observation.owner is not None and observation.owner.path != observation.path
    if called and not rivals:
        # It happened below a call into somebody else's code, and that call is all there is on these lines.
        return True
    return not rivals and not (observation.gb_id and finding.gb_ids)


def _span(finding: Finding) -> str:
    """The source of a finding; of one that goes over several lines, the rest of the first."""
    end = finding.end_column - 1 if finding.end_line == finding.line else None
    return finding.source_line[finding.column - 1 : end]


def _apart_from(finding: Finding, rivals: Iterable[Finding]) -> str:
    """The source of a finding less that of others in it: `print(x.tolist())` is not about `tolist`."""
    line, whole = finding.source_line, _extent(finding)
    for each in rivals:
        start, end = _extent(each)
        if start[0] == end[0] == finding.line and whole[0] <= start and end <= whole[1] and (start, end) != whole:
            line = line[: start[1] - 1] + " " * (end[1] - start[1]) + line[end[1] - 1 :]
    return _span(replace(finding, source_line=line))


def _extent(finding: Finding) -> tuple[tuple[int, int], tuple[int, int]]:
    return (finding.line, finding.column), (finding.end_line, finding.end_column)


def _same_variable(observation: Observation, finding: Finding) -> bool:
    """Whether a recompile is due to what a finding is about.

    Its guard is checked where the function begins, and says where the value is used: there, or by the
    variable's name in a function of the same file.
    """
    used = _frames_of_recompile(observation)
    if all(frame.path != finding.path for frame in used) or not _is_shown_by(observation, finding):
        return False
    about = [each for each in _variables(observation) if _is_about(finding, each, observation)]
    if not about:
        return False
    inside = (*observation.stack[observation.inside :], *_frames(observation))
    if _stands_in(used, finding) or finding.function == observation.function or _is_of_function(inside, finding):
        return True
    # A caller's variables are others, of whatever name: only what it sets there may be what the function reads.
    return _is_of_function(used, finding) and any(_sets(finding, each) for each in about)


def _sets(finding: Finding, variable: str) -> bool:
    """Whether a finding's line sets a variable, or something of its object's: `net.scale = step` sets `self.scale`."""
    statement = _BLOCK.sub("", finding.source_line, count=1)
    if _KEYWORD.match(statement):
        return False
    target = _outside_calls(_ASSIGNS.split(statement, maxsplit=1)[0])
    is_held = not variable.isidentifier()
    return any((found[1] != "") == is_held for found in re.finditer(rf"(\.|['\"]|\b){_own_name(variable)}\b", target))


def _is_shown_by(observation: Observation, finding: Finding) -> bool:
    """Whether what changed is of the kind that a rule is about, if it is about one."""
    of_rule = _SHOWN_BY.get(finding.code)
    return of_rule is None or of_rule(observation)


def _frames_of_recompile(observation: Observation) -> tuple[StackFrame, ...]:
    return (*observation.stack, *_frames(observation))


def _is_of_function(frames: Iterable[StackFrame], finding: Finding) -> bool:
    return finding.function.split(".")[-1] in {frame.function.split(".")[-1] for frame in frames}


def _variables(observation: Observation) -> tuple[str, ...]:
    return tuple(filter(None, (observation.variable, *observation.other_variables)))


def _is_about(finding: Finding, variable: str, observation: Observation) -> bool:
    # What is only handed to a call there, as `x` in `self.seen.append(x.mean())`, is not what the finding is about.
    changed = finding.source_line
    if "." not in variable and _ATTRIBUTE.match(_span(finding)):
        changed = _outside_calls(_span(finding))
    elif observation.change.startswith("size"):
        changed = f"{_outside_calls(changed)} {_outside_calls(_span(finding))}"
    return _own_name(variable) in _names(changed)


def _names_it(observation: Observation, finding: Finding) -> bool:
    return bool(observation.variable) and _is_about(finding, observation.variable, observation)


def is_about_first(observation: Observation, finding: Finding) -> bool:
    """Whether a finding that predicted it is about what is said to have changed.

    It may be about what older versions did not fit for, or about another recompile that led to the same limit.
    """
    if not observation.variable or _is_about(finding, observation.variable, observation):
        return True
    return observation.finding == finding.fingerprint and not observation.other_variables


def _own_name(variable: str) -> str:
    """`net.step` and `net.scale` have `net` in common, which is not what changed."""
    names = _NAME.findall(variable)
    return names[-1] if names else ""


def _outside_calls(text: str) -> str:
    return text.partition("(")[0]


def _names(text: str) -> frozenset[str]:
    return frozenset(_NAME.findall(text)) - _NOT_TELLING


def _proofs_at_call(
    finding: Finding, observations: Sequence[Observation], explained: Container[int]
) -> tuple[int, ...]:
    """The recompiles that nothing else explains of what a finding's own line calls, or compiles."""
    if finding.effect != "recompile":
        return ()
    return tuple(
        index
        for index, each in enumerate(observations)
        if index not in explained and shows_effect(each.type, "recompile") and _is_at_call(each, finding)
    )


def _is_at_call(observation: Observation, finding: Finding) -> bool:
    if not _is_shown_by(observation, finding):
        return False
    callers = [frame for frame in observation.stack[: observation.inside] if not is_of_torch(frame)]
    compiled = _COMPILED_AT.match(observation.compiled_by)
    sites = callers[-1:]
    if compiled is not None:
        sites.append(StackFrame(compiled["path"], int(compiled["line"]), ""))
    if _stands_in(sites, finding) or _is_of_smaller_batch(observation, finding):
        return True
    if all(frame.path != finding.path for frame in callers):
        return False
    # What needs gradients is set somewhere before the call, a mode around it: not in its line.
    if finding.code in _OF_GRADIENTS:
        return True
    changed = _words(observation.change) if observation.change.startswith(_MODES) else frozenset()
    return bool(changed & _words(_span(finding)))


def _is_of_smaller_batch(observation: Observation, finding: Finding) -> bool:
    """What a loader ends an epoch with shows in what it is given to: its first dimension is smaller for once."""
    is_size = observation.change.startswith("size ") and "dimension 0" in observation.reason
    sizes = [int(size) for size in observation.change.split()[1:] if size.isdigit()] if is_size else []
    is_smaller = len(sizes) > 1 and min(sizes[1:]) < sizes[0]
    return (
        is_smaller and "DataLoader" in _span(finding) and any(each.path == finding.path for each in observation.stack)
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower())) - _NO_MODES


def _without_proof(
    finding: Finding,
    observations: Sequence[Observation],
    traced: Mapping[str, frozenset[int]] | None,
    called_again: bool,
    went_on: Callable[[StackFrame], bool],
) -> Verdict | None:
    if finding.effect not in _REFUTABLE or traced is None:
        return None
    if not (library.is_traced(finding, traced) if finding.library else _is_traced(finding, traced)):
        return None if finding.effect == "recompile" and finding.function == "<module>" else "not-reached"
    if finding.code in _OF_CHANGING_SIZES:
        return None
    if finding.effect == "recompile":
        return _of_recompile_without_proof(finding, observations, called_again)
    # Dynamo gave up on this very statement before it came to this part of it.
    gave_up = any(
        each.frame_dropped or each.severity == "error" or not went_on(frame)
        for each in observations
        if each.type == "graph-break"
        for frame in _frames(each)
        if _stands_in((frame,), finding)
    )
    if gave_up:
        return "not-reached"
    if _may_be_left_out(finding):
        return None
    return None if _READS_VALUE & set(finding.gb_ids) and _is_behind_break(finding, observations) else "refuted"


def _may_be_left_out(finding: Finding) -> bool:
    """Whether it is a part of its line that may be left out: `x.item() if debug else 0`, `if debug: print()`."""
    if finding.end_line != finding.line:
        return False
    before, after = (
        finding.source_line[: finding.column - 1],
        finding.source_line[finding.end_column - 1 :].partition("#")[0],
    )
    block = _BLOCK.match(before)
    around = _KEYWORD.sub("", before, count=1)
    return block is not None or _CONDITIONAL.search(f"{around} {after}") is not None


def _is_behind_break(finding: Finding, observations: Sequence[Observation]) -> bool:
    """Whether its function broke before it: what was computed there is an argument of the part that goes on."""
    return any(
        frame.path == finding.path and frame.line < finding.line and _is_of_function((frame,), finding)
        for each in observations
        if each.type == "graph-break"
        for frame in _frames(each)
    )


def _is_traced(finding: Finding, traced: Mapping[str, frozenset[int]]) -> bool:
    lines = traced.get(finding.path, frozenset())
    return any(line in lines for line in range(finding.line, finding.end_line + 1))


def _of_recompile_without_proof(
    finding: Finding, observations: Sequence[Observation], called_again: bool
) -> Verdict | None:
    if not called_again:
        return "not-reached"
    # The first guard that fails is told, and hides the rest: what was compiled again may have been so for this, too.
    hidden = any(
        _is_of_function(frames, finding) and any(frame.path == finding.path for frame in frames)
        for each in observations
        if shows_effect(each.type, "recompile")
        for frames in [_frames_of_recompile(each)]
    )
    return None if hidden else "refuted"
