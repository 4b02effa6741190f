"""Whether what stopped Dynamo on the lines of a finding is what the finding is about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from compilelint.report.model import Finding, Observation
from compilelint.report.verdicts.frames import frames_of, is_of_function
from compilelint.report.verdicts.wording import apart_from, names, span, told

_OF_FIRST_CALLS = frozenset({"CL630"})
"""Rules about functions of which the first call decides whether they are compiled at all."""
_OF_TRANSFORMS = frozenset({"CL631"})
"""Rules about functions that are given up because of what calls them: what Dynamo says is at their definition."""


_OF_BODIES = frozenset({"CL742", "CL746"})
"""Rules about what is written in a function that an operator runs: a checkpoint, a branch of `torch.cond`."""
_NOT_RESTORED = re.compile(r"Attribute '(\w+)' was not restored to its original value")
"""What Dynamo finds of a Python value once it has traced such a function to its end: its place is that of the call."""
_PLACE = re.compile(r"\S+:\d+(?= )")
"""How the call of torch.compile begins by which something is reached."""
_GIVEN_UP_BODY = re.compile(r"\bHOP: |HigherOrderOperator: Mutating|\(SideEffects\)")


_OF_GRADIENTS = frozenset({"CL744"})
"""Rules about gradients that fail once they are differentiated, which may be anywhere."""
_DIFFERENTIATED = "does not currently support double backward"
"""What torch says of it then; `runtime/dynamo/uncaught.py` has heard it."""


_BREAKS = ("graph-break", "compile-error")
"""What stops Dynamo at a line, of effects and of observations."""
_OF_HOOKS = frozenset({"CL629", "CL633"})
"""Rules about modules that Dynamo cannot call in a graph, because of what was registered on them somewhere."""
_HAS_BACKWARD_HOOK = "odule-level backwards hooks require compiled autograd"


_PROPERTY_ITSELF = "'property'"
"""What Python says it is that cannot be gone through ("'property' object"), or added to, which Dynamo has taken for
its value."""
OF_PROPERTIES = frozenset({"CL438"})
"""Rules about reading what Dynamo takes for another thing, and breaks where that is used, which may be further down."""
_READ_BY_SUPER = re.compile(r"GetAttrVariable\(SuperVariable\(\), (\w+)\)")
"""What it takes a property for that is read by `super()`."""


_FAIL_IN_BACKENDS = frozenset({"CL521"})
_BACKEND_FAILED = "Backend compiler "
"""How every torch begins to say so."""


_OF_LAYERS_ALONE = frozenset({"CL634"})
"""Rules about layers of torch's that are all that is compiled: what breaks is put where they are given to it."""
_REFUSED_LAYER = "Attempted to wrap RNN, GRU, or LSTM"


_READS_DATA = frozenset({"GB0033", "GB0036", "GB0124", "GB0170"})
"""What Dynamo calls it where what a tensor holds is wanted: as a number, a decision of Python's, or a size."""
_MAKES_LIST, _READS_NUMBER = "GB0109", "GB0033"
"""What it calls a list of floats or bools, and reading a number: so it calls a list of whole numbers. Which of the two
an array holds no check knows."""
_OF_DRAWS = frozenset({"CL207"})
"""Rules about numbers that Python drew, which Dynamo holds as tensors: all sorts of uses read one."""
_DRAWN = "UnspecializedPythonVariable"
"""What it calls such a number."""
_OPERATOR_FAILED = "TorchRuntimeError"
"""What it raises where a call of torch's fails while the graph is built."""
_OF_NUMBERS = re.compile(r"Dynamo failed to run FX node with fake tensors: call_\w+ \S.*?\(\*\((?!.*FakeTensor)")
"""How it begins to say so of an operator of Python's, on sizes and numbers that it has symbols for."""


def same_construct(observation: Observation, finding: Finding, rivals: Sequence[Finding]) -> bool:
    """Whether a break on the finding's lines is the finding's break.

    Dynamo's ids tell constructs apart; where they do not (an older torch, an id that covers several
    constructs) the words do. A finding that stands alone on its lines needs no more than either.
    """
    if observation.gb_id and observation.gb_id in finding.gb_ids:
        return True
    if observation.title == _OPERATOR_FAILED and finding.gb_ids and _READS_DATA.issuperset(finding.gb_ids):
        return False  # what was to be read could not even be computed
    if finding.effect == "graph-break" and _OF_NUMBERS.search(observation.context):
        return False  # what failed had nothing to do with a tensor
    claimed = any(observation.gb_id in each.gb_ids for each in rivals)
    if claimed:
        return False
    if observation.gb_id == _READS_NUMBER and _MAKES_LIST in finding.gb_ids:
        return True
    if finding.code in _OF_DRAWS and observation.gb_id in _READS_DATA and _DRAWN in observation.context:
        return True
    if names_construct(observation, finding, rivals) or may_be_use_of_property(observation, finding):
        return True
    called = observation.owner is not None and observation.owner.path != observation.path
    if called and (not rivals or is_running_call(observation, finding)):
        # It happened below a call into somebody else's code, and that call is all there is on these lines, or this one.
        return True
    return not rivals and not (observation.gb_id and finding.gb_ids)


def names_construct(observation: Observation, finding: Finding, rivals: Sequence[Finding]) -> bool:
    """Whether Dynamo's words about a break name something that the finding is about, and no rival is. One letter names
    nothing: "a number" is not about `torch.arange(0, n, a)`."""
    spoken = names(f"{observation.title} {observation.reason} {observation.context}")
    return any(len(name) > 1 for name in names(apart_from(finding, rivals)) & spoken)


def is_running_call(observation: Observation, finding: Finding) -> bool:
    """Whether the call that the owner's line was making begins where the finding does: statements may share a line."""
    if observation.owner is None or observation.owner.line != finding.line:
        return False
    return observation.owner_call == finding.source_line[finding.column - 1 :].rstrip()


def is_of_first_call(observation: Observation, finding: Finding) -> bool:
    """Whether both are about a function that was left out for what its first call did."""
    return (
        finding.code in _OF_FIRST_CALLS
        and observation.path == finding.path
        and "first call" in observation.title
        and is_of_function(frames_of(observation), finding)
    )


def is_failed_backend(observation: Observation) -> bool:
    """Whether Dynamo had a graph, and the backend could not compile it."""
    return observation.title.startswith(_BACKEND_FAILED)


def fails_in_backends(finding: Finding) -> bool:
    """Whether a finding is about what Dynamo puts into the graph, with a guard, and most backends cannot compile."""
    return finding.code in _FAIL_IN_BACKENDS


def is_of_layer_alone(observation: Observation, finding: Finding) -> bool:
    """Whether both are about a recurrent layer that is compiled, and nothing with it."""
    return (
        finding.code in _OF_LAYERS_ALONE
        and observation.title.startswith(_REFUSED_LAYER)
        and (observation.path, observation.line) == (finding.path, finding.line)
    )


def is_of_transform(observation: Observation, finding: Finding) -> bool:
    """Whether both are about a function that a transform of `torch.func` calls, named where it is given to that."""
    name = observation.function.rpartition(".")[2]
    return (
        finding.code in _OF_TRANSFORMS
        and "functorch" in observation.title
        and re.search(rf"\b{re.escape(name)}\b", finding.source_line) is not None
    )


def is_of_second_gradient(observation: Observation, finding: Finding, findings: Sequence[Finding]) -> bool:
    """Whether a gradient that could not be differentiated may be the finding's.

    Torch does not say which it was: one of a function that was running, or else of a file that was, or the only one.
    """
    if _DIFFERENTIATED not in observation.context:
        return False
    taken = [each for each in findings if each.code in _OF_GRADIENTS]
    return finding in (_running(observation, taken) or (taken if len(taken) == 1 else []))


def is_of_module_hook(observation: Observation, finding: Finding, findings: Sequence[Finding]) -> bool:
    """Whether a module that has a backward hook, which Dynamo does not say, may be the one that the finding hooks:
    where the model is compiled, and called."""
    return _HAS_BACKWARD_HOOK in observation.title and finding in _running(
        observation, [each for each in findings if each.code in _OF_HOOKS]
    )


def is_at_use(observation: Observation, finding: Finding) -> bool:
    """Whether a break is where the compiled function does with a number that changes what the finding says: the call
    gives it one, `step(x, i)`, and what splits the graph stands there."""
    use = finding.use
    if use is None or use.effect not in _BREAKS or observation.type not in _BREAKS:
        return False
    is_there = observation.function.rpartition(".")[2] == use.function.rpartition(".")[2]
    return is_there and use.source.rstrip("…") in observation.source_line


def _running(observation: Observation, findings: Sequence[Finding]) -> list[Finding]:
    """Those of some findings that are in a function that was running, or else in a file of which one was."""
    of_file = [each for each in findings if any(frame.path == each.path for frame in observation.stack)]
    return [each for each in of_file if is_of_function(observation.stack, each)] or of_file


def is_use_of_property(observation: Observation, finding: Finding) -> bool:
    """Whether Dynamo gave up on what `super().raw` of the finding has given: `return super().raw` may be all that its
    own function does."""
    read = _READ_BY_SUPER.search(observation.context) if finding.code in OF_PROPERTIES else None
    return read is not None and re.match(rf"super\(.*\)\.{read[1]}\b", told(finding)) is not None


def may_be_use_of_property(observation: Observation, finding: Finding) -> bool:
    """Whether what Dynamo gave up on was a property itself, of which it does not say the name: it may be this one."""
    return finding.code in OF_PROPERTIES and _PROPERTY_ITSELF in observation.context


def is_left_in_body(observation: Observation, finding: Finding) -> bool:
    """Whether Dynamo found an attribute changed, at the end of the function that an operator runs, that this writes."""
    found = _NOT_RESTORED.search(observation.context) if finding.code in _OF_BODIES else None
    if found is None or not re.search(rf"\.{found[1]}\b", span(finding)):
        return False
    root, *steps = finding.reached_from or ("",)
    compiled = _PLACE.match(observation.compiled_by)
    is_of_root = compiled is None or _PLACE.match(root) is None or root.startswith(f"{compiled[0]} ")
    above = {step.partition(" ")[0].rpartition(".")[2] for step in steps}
    return is_of_root and any(frame.function.rpartition(".")[2] in above for frame in observation.stack)


def gave_up_bodies(finding: Finding, observations: Sequence[Observation]) -> bool:
    """Whether Dynamo gave up such a function, for one thing that is written in it: of the others it says nothing."""
    return finding.code in _OF_BODIES and any(
        _GIVEN_UP_BODY.search(f"{each.title} {each.context}")
        for each in observations
        if each.type in ("graph-break", "compile-error")
    )


def may_be_outside_body(finding: Finding, observations: Sequence[Observation]) -> bool:
    """Whether it is about what is written in such a function, and Dynamo left out something that leads there.

    Python ran the operator then, and what was traced of the function was compiled by itself.
    """
    if finding.code not in _OF_BODIES:
        return False
    way = {step.partition(" (")[0] for step in finding.reached_from}
    bare = {step.rpartition(".")[2] for step in way}  # up to Python 3.10 that is all that is known of what was dropped
    left_out = (frame.function.partition(" (after line ")[0] for each in observations for frame in each.dropped)
    return any(name in (way if "." in name else bare) for name in left_out)


def is_of_definition(observation: Observation, finding: Finding) -> bool:
    """Whether both are about a whole function: Dynamo takes its first decorator for its first line."""
    name = observation.function.rpartition(".")[2]
    return (
        observation.type == "frame-skipped"
        and observation.path == finding.path
        and observation.line <= finding.line
        and re.search(rf"\bdef {re.escape(name)}\b", finding.source_line) is not None
    )
