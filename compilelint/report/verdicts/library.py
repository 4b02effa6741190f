"""What a run says of findings in packages that the check followed into."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

from compilelint.report.model import Finding, LibraryPlace, Observation
from compilelint.report.stack import StackFrame, is_of_torch_or_python, package_of
from compilelint.report.verdicts.recompiles import is_shown_by
from compilelint.report.verdicts.wording import names, own_name, told

_OPERATOR_FAILED = "TorchRuntimeError"
"""What Dynamo raises where an operator does not take what it is given while the graph is built: that is no break."""


def shows(observation: Observation, finding: Finding, findings: Iterable[Finding]) -> bool:
    """Whether a run did what a finding says at one of its places in a package, below the finding's line.

    Of what is compiled as it is, no line of the user's runs in the region: such a finding is shown by whatever no other
    one's line leads to.
    """
    if observation.title == _OPERATOR_FAILED and finding.effect == "graph-break":
        return False
    stands_there = _stands_there(observation, finding) and not _is_claimed(observation, finding, findings)
    if not any((stands_there, _is_of_same_variable(observation, finding), _is_in_what_is_called(observation, finding))):
        return False
    return _is_below(observation, finding) or not any(
        _is_below(observation, each) for each in findings if each.library and each.code == finding.code
    )


def _stands_there(observation: Observation, finding: Finding) -> bool:
    places = (*finding.library, *finding.unsure)
    return any(_stands_in(frame, place) for frame in _frames(observation) for place in places)


def _is_claimed(observation: Observation, finding: Finding, findings: Iterable[Finding]) -> bool:
    """Whether what Dynamo calls it is another finding's on this line, and not this one's: `x.masked_select(m).view(n)`
    breaks for how many elements come out, whatever `n` is."""
    if not observation.gb_id or observation.gb_id in finding.gb_ids:
        return False
    return any(
        each.effect == finding.effect and observation.gb_id in each.gb_ids and _stands_there(observation, each)
        for each in findings
    )


def is_traced(finding: Finding, traced: Mapping[str, frozenset[int]]) -> bool:
    """Whether Dynamo traced one of the finding's places in a package."""
    return any(
        line in lines
        for place in finding.library
        for path, lines in traced.items()
        if _is_file(path, place)
        for line in range(place.line, place.end_line + 1)
    )


def _frames(observation: Observation) -> tuple[StackFrame, ...]:
    """Where it happened, and of what happened inside torch or Python, which line led there; of a recompile, also where
    the value is used that changed."""
    place = StackFrame(observation.path, observation.line, observation.function)
    if observation.type == "recompile":
        return (place, *observation.stack)
    led = (
        (frame for frame in reversed(observation.stack) if not is_of_torch_or_python(frame))
        if is_of_torch_or_python(place)
        else ()
    )
    return (place, *islice(led, 1))


def _is_of_same_variable(observation: Observation, finding: Finding) -> bool:
    """Whether a function of a place reads what changed, and the finding names that: `if self.table is None:` is made
    anew for what `self.table = …` below it sets."""
    if not observation.variable or not is_shown_by(observation, finding):
        return False
    if own_name(observation.variable) not in names(told(finding)):
        return False
    return any(
        _is_file(frame.path, place) and own_name(frame.function) == own_name(place.function)
        for frame in _frames(observation)
        for place in finding.library
    )


def _is_in_what_is_called(observation: Observation, finding: Finding) -> bool:
    """Whether a place calls another package in which this happened, and the finding is about such things there: of a
    solver that looks at tensors the check knows that it does, and Dynamo names each look."""
    if not observation.gb_id or observation.gb_id not in finding.gb_ids:
        return False
    return any(
        package_of(observation.path) not in ("", _top(place)) and _stands_in(frame, place)
        for frame in observation.stack
        for place in finding.library
    )


def _top(place: LibraryPlace) -> str:
    """The package of a place: the first part of its path, which is told from where packages are."""
    return place.path.partition("/")[0]


def _stands_in(frame: StackFrame, place: LibraryPlace) -> bool:
    return place.line <= frame.line <= place.end_line and _is_file(frame.path, place)


def _is_file(path: str, place: LibraryPlace) -> bool:
    """Whether a file is the one of that name in the package, wherever that is installed."""
    return path == place.path or path.endswith(f"/{place.path}")


def _is_below(observation: Observation, finding: Finding) -> bool:
    """Whether the finding's line led to what happened."""
    frames = (*observation.stack, *observation.calls)
    return any(frame.path == finding.path and finding.line <= frame.line <= finding.end_line for frame in frames)
