"""Whether a recompile is due to what a finding is about: its variable, or its call."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from compilelint.report.model import Finding, Observation
from compilelint.report.stack import StackFrame, is_of_torch
from compilelint.report.verdicts.frames import frames_of, frames_of_recompile, is_of_function, stands_in
from compilelint.report.verdicts.wording import BLOCK, KEYWORD, names, outside_calls, own_name, span, told

_ATTRIBUTE = re.compile(r"self\.\w|\w+(\.\w+)+(?![\w(])")
"""How a finding's text begins that is about something that an object holds."""
_ASSIGNS = re.compile(r"(?<![=!<>])=(?!=)")
_COMPILED_AT = re.compile(r"(?P<path>.+?):(?P<line>\d+) ")
_WORD = re.compile(r"[a-z]{4,}")
_MODES = ("state ", "modes ")
_NO_MODES = frozenset({"state", "modes", "torch", "enabled"})
_OF_GRADIENTS = frozenset({"CL515"})
_HOLDS_SIZES = frozenset({"CL522", "CL523"})
"""Rules about what makes a size a constant of the graph."""
_OF_ARGUMENTS = frozenset({"CL519"})
"""Rules about one argument of a call."""
_PASSED_AS = re.compile(r"(\w+)\s*=\s*$")
_HOLDS_OTHERS = frozenset({"CL505"})
"""Rules about what an object has that may hold what changed: `self.drop_path`, of `self.drop_path.p`."""
_SETS_AROUND_CALLS = frozenset({"CL506", "CL513"})
"""Rules about what the code around a compiled call sets."""
_CALL = re.compile(r"\s*[\w.\[\]]+\(.*\)\s*(?:#.*)?")
"""A statement that is a call and nothing else."""
_LOOP = re.compile(r"\s*for (?P<target>.+?) in ")
_SIZES_WITHOUT_A_HOLD = 2
_CELL = ".__closure__["
_GUARDED_FOR = re.compile(
    r"  # (?P<path>[^\s#]+\.py):(?P<line>\d+) in (?P<function>\w+)(?: \([^()]*\))?$", re.MULTILINE
)
"""How the text of a guard ends: `self.nfe == 0.0  # self.nfe += 1  # net.py:9 in forward`."""
_ANOTHER_OBJECT = " is another object of the same kind now"
_ASKS_SIZE = re.compile(r"\.shape\b|\.size\(|\blen\(")
_GRADIENT = re.compile(r"requires (a|no) gradient")
_NUMBER = re.compile(r"is a Python (int|float|bool)\b|^optional ")
_NUMBER_OR_TEXT = re.compile(r"is a Python (int|float|bool|str)\b|^optional ")
_FILLED = re.compile(r" was empty before, | has \S+ in it now, ")
_SHOWN_BY: dict[str, Callable[[Observation], bool]] = {
    # Of `self.n += x` the check may not know whether that is a list.
    "CL502": lambda each: _NUMBER.search(each.reason) is None,
    # What counts may be filled by the first call, which is another matter.
    "CL503": lambda each: _FILLED.search(each.reason) is None,
    # A size that differs with the number that is passed is another matter: of maps of several scales, for one.
    "CL507": lambda each: not each.change.startswith("size "),
    "CL514": lambda each: each.change.startswith((*_MODES, "training")),
    "CL515": lambda each: _GRADIENT.search(each.reason) is not None,
    # What comes with a flag or a state may have another size each time, which is another matter.
    "CL519": lambda each: _GRADIENT.search(each.reason) is None and not each.change.startswith("size "),
    # What is filled is made of what the call is given, whose own changes have nothing to do with it.
    "CL520": lambda each: _GRADIENT.search(each.reason) is None and not each.change.startswith("size "),
    # A step is compiled again for its state, too, which the first one fills.
    "CL516": lambda each: any("param_groups" in name for name in _variables(each)),
}
"""What changes, for rules that are about one kind of change alone: names in their text are only what decides on it."""


def same_variable(observation: Observation, finding: Finding) -> bool:
    """Whether a recompile is due to what a finding is about.

    Its guard is checked where the function begins, and says where the value is used: there, or by the
    variable's name in a function of the same file.
    """
    used = frames_of_recompile(observation)
    if not is_shown_by(observation, finding):
        return False
    about = [each for each in _variables(observation) if _is_about(finding, each, observation)]
    if _is_set_by_callee(about, observation, finding) or (about and _is_guarded_for(observation, finding)):
        return True
    if any(_CELL in each for each in _variables(observation)) and stands_in(used, finding):
        return True  # of a variable around a hook Dynamo tells the place that uses it, not the name
    if not about or all(frame.path != finding.path for frame in used):
        return False
    if stands_in(used, finding) or finding.function == observation.function:
        return True
    callers, inside = observation.stack[: observation.inside], observation.stack[observation.inside :]
    if _are_of_two_classes(observation.function, finding.function):
        inside = _below_own(observation)  # what it calls may be of the other one
    else:
        inside = (*inside, *frames_of(observation))
    if is_of_function(inside, finding):
        return True
    # A caller's variables are others, of whatever name: only what it sets there may be what the function reads.
    return is_of_function(callers, finding) and any(_sets(finding, each) for each in about)


def _is_guarded_for(observation: Observation, finding: Finding) -> bool:
    """Whether the text of a guard names the finding's line as the one that uses the value, in whatever file.

    Dynamo leaves out what the path begins with, as far as it is that of torch, too: `mp/models/net.py:9 in forward`.
    """
    return any(
        finding.line <= int(found["line"]) <= finding.end_line
        and found["function"] == own_name(finding.function)
        and (finding.path.endswith(found["path"]) or found["path"].endswith(finding.path))
        for found in _GUARDED_FOR.finditer(observation.context)
    )


def _are_of_two_classes(one: str, other: str) -> bool:
    """Whether two methods are called alike, and are not the same: `Encoder.forward` and `Decoder.forward`."""
    return one != other and "." in one and "." in other and one.rpartition(".")[2] == other.rpartition(".")[2]


def _below_own(observation: Observation) -> tuple[StackFrame, ...]:
    """The frames of what the function calls that was compiled again; its own has its bare name."""
    inside = observation.stack[observation.inside :]
    bare = observation.function.rpartition(".")[2]
    own = (index for index, frame in enumerate(inside) if frame.function.rpartition(".")[2] == bare)
    return inside[next(own, -1) + 1 :]


def _is_set_by_callee(about: Sequence[str], observation: Observation, finding: Finding) -> bool:
    """Whether an attribute that changed is set in a function that the compiled one calls, in whatever file.

    A guard on a tensor does not say where it is used: what Dynamo shows is only the function that has it.
    """
    attributes = [each for each in about if "." in each]
    is_callee = finding.function != observation.function and is_reached_through(observation, finding)
    return is_callee and any(_sets(finding, each) for each in attributes)


def is_about_first(observation: Observation, finding: Finding) -> bool:
    """Whether a finding that predicted it is about what is said to have changed.

    It may be about what older versions did not fit for, or about another recompile that led to the same limit.
    """
    if not observation.variable or _is_about(finding, observation.variable, observation):
        return True
    return observation.finding == finding.fingerprint and not observation.other_variables


def names_it(observation: Observation, finding: Finding) -> bool:
    """Whether a finding is about what is said to have changed, not about what older versions did not fit for."""
    return bool(observation.variable) and _is_about(finding, observation.variable, observation)


def is_at_call(observation: Observation, finding: Finding) -> bool:
    """Whether a recompile is of what a finding's line calls, compiles, or changes around the call."""
    if not is_shown_by(observation, finding):
        return False
    callers = [frame for frame in observation.stack[: observation.inside] if not is_of_torch(frame)]
    compiled = _COMPILED_AT.match(observation.compiled_by)
    sites = callers[-1:]
    if compiled is not None:
        sites.append(StackFrame(compiled["path"], int(compiled["line"]), ""))
    if stands_in(sites, finding) or _is_of_smaller_batch(observation, finding):
        return True
    if _is_set_by_function(observation, finding, callers):
        return True
    if all(frame.path != finding.path for frame in callers):
        return False
    # What needs gradients is set somewhere before the call, a mode around it: not in its line.
    if finding.code in _OF_GRADIENTS:
        return True
    changed = _words(observation.change) if observation.change.startswith(_MODES) else frozenset()
    return bool(changed & _words(span(finding)))


def is_of_held_size(observation: Observation, finding: Finding) -> bool:
    """Whether sizes kept changing of what a function is given that holds one as a constant, or calls what does.

    From its second value on Dynamo lets a size vary: what is compiled for a third one holds it. Where, it does not say,
    unless it computed with the size: then its guard names the line.
    """
    if finding.code in _HOLDS_SIZES and _is_guarded_for(observation, finding):
        return is_reached_through(observation, finding)
    return _may_be_of_held_size(observation, finding) and len(observation.values) > _SIZES_WITHOUT_A_HOLD


def _may_be_of_held_size(observation: Observation, finding: Finding) -> bool:
    return (
        finding.code in _HOLDS_SIZES
        and observation.change.startswith("size ")
        and is_reached_through(observation, finding)
    )


def is_reached_through(observation: Observation, finding: Finding) -> bool:
    """Whether the way to a finding leads through the function that was compiled again."""
    return any(step.partition(" (")[0] == observation.function for step in finding.reached_from)


def of_held_size_in_turn(observations: Sequence[Observation], finding: Finding) -> list[Observation]:
    """The recompiles of a function whose tensors share a size that is held, where Dynamo named another one each time:
    `values` was 11, now 12; `rewards` was 12, now 13."""
    given = [each for each in observations if each.type == "recompile" and _may_be_of_held_size(each, finding)]
    pairs = ((one, other) for one in given for other in given if one is not other and one.values and other.values)
    found = (
        pair
        for pair in pairs
        if pair[0].values[-1] == pair[1].values[0]
        and pair[0].function == pair[1].function
        and len({*pair[0].values, *pair[1].values}) > _SIZES_WITHOUT_A_HOLD
    )
    return [each for pair in found for each in pair]


def _variables(observation: Observation) -> tuple[str, ...]:
    return tuple(filter(None, (observation.variable, *observation.other_variables)))


def _is_about(finding: Finding, variable: str, observation: Observation) -> bool:
    # What is only handed to a call there, as `x` in `self.seen.append(x.mean())`, or is what is assigned, as in
    # `self.seen += x.shape[0]`, is not what the finding is about.
    if finding.code in _HOLDS_OTHERS and variable.startswith(f"{span(finding)}."):
        return True
    changed = finding.source_line
    if finding.end_line > finding.line:
        changed = f"{changed} {told(finding)}"  # What `self.register_buffer(` sets stands on the next line.
    if "." not in variable and _ATTRIBUTE.match(span(finding)):
        changed = _ASSIGNS.split(outside_calls(span(finding)), maxsplit=1)[0]
        # `p.grad.data += x` makes no other object of `p`.
        if _ANOTHER_OBJECT in observation.reason:
            changed = changed.rpartition(".")[2]
    elif observation.change.startswith("size"):
        changed = f"{outside_calls(changed)} {outside_calls(span(finding))}"
    return own_name(variable) in names(changed) or _sets_by_call(finding, variable)


def _sets_by_call(finding: Finding, variable: str) -> bool:
    """Whether a finding is about a method that sets an attribute, as far as the names in the call tell:
    `model.set_epoch(i)`, `model.advance(epoch)`."""
    if finding.code not in _SETS_AROUND_CALLS or "." not in variable or not _CALL.fullmatch(finding.source_line):
        return False
    return re.search(rf"(?<![^\W_]){re.escape(own_name(variable))}(?![^\W_])", finding.source_line) is not None


def _is_set_by_function(observation: Observation, finding: Finding, callers: Sequence[StackFrame]) -> bool:
    """Whether a finding is about a function that is called beside the compiled one, and that may set the number, or
    the text, that changed by whatever name it has there: `set_rate(net, i / 10)`."""
    if finding.code not in _SETS_AROUND_CALLS or not _CALL.fullmatch(finding.source_line):
        return False
    is_attribute = any("." in variable for variable in _variables(observation))
    beside = any(frame.path == finding.path and frame.function == finding.function for frame in callers)
    return is_attribute and beside and _NUMBER_OR_TEXT.search(observation.reason) is not None


def _sets(finding: Finding, variable: str) -> bool:
    """Whether a finding's line sets a variable, or something of its object's: `net.scale = step` sets `self.scale`."""
    if _sets_by_call(finding, variable):
        return True
    loop = _LOOP.match(finding.source_line)
    if loop is not None and span(finding) == loop["target"]:
        target = loop["target"]  # the finding is about what the loop gives its name
    else:
        statement = BLOCK.sub("", finding.source_line, count=1)
        if KEYWORD.match(statement):
            return False
        target = outside_calls(_ASSIGNS.split(statement, maxsplit=1)[0])
    is_held = not variable.isidentifier()
    return any((found[1] != "") == is_held for found in re.finditer(rf"(\.|['\"]|\b){own_name(variable)}\b", target))


def is_shown_by(observation: Observation, finding: Finding) -> bool:
    """Whether what changed is of the kind that a rule is about, if it is about one."""
    of_rule = _SHOWN_BY.get(finding.code)
    is_of_kind = of_rule is None or of_rule(observation) or _is_of_size_passed(observation, finding)
    return is_of_kind and not _is_of_other_argument(observation, finding)


def _is_of_size_passed(observation: Observation, finding: Finding) -> bool:
    """Whether the number that a finding is about is the size of a tensor that kept changing: Dynamo has one symbol for
    both, and names the tensor."""
    is_size = finding.code == "CL507" and _ASKS_SIZE.search(span(finding)) is not None
    return is_size and observation.change.startswith("size ") and len(observation.values) > _SIZES_WITHOUT_A_HOLD


def _is_of_other_argument(observation: Observation, finding: Finding) -> bool:
    """Whether what changed was passed by another name than what a finding is about: a call may have several such."""
    if finding.code not in _OF_ARGUMENTS:
        return False
    passed = _PASSED_AS.search(finding.source_line[: finding.column - 1])
    variables = _variables(observation)
    return passed is not None and bool(variables) and all(passed[1] not in names(each) for each in variables)


def _is_of_smaller_batch(observation: Observation, finding: Finding) -> bool:
    """What a loader ends an epoch with shows in what it is given to: its first dimension is smaller for once."""
    is_size = observation.change.startswith("size ") and "dimension 0" in observation.reason
    sizes = [int(size) for size in observation.change.split()[1:] if size.isdigit()] if is_size else []
    is_smaller = len(sizes) > 1 and min(sizes[1:]) < sizes[0]
    return is_smaller and "DataLoader" in span(finding) and any(each.path == finding.path for each in observation.stack)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower())) - _NO_MODES
