"""Which observations show what a finding says."""

from __future__ import annotations

from collections.abc import Container, Sequence

from compilelint.report.model import Effect, Finding, Observation, ObservationType
from compilelint.report.stack import StackFrame
from compilelint.report.verdicts import library
from compilelint.report.verdicts.breaks import (
    fails_in_backends,
    is_at_use,
    is_failed_backend,
    is_left_in_body,
    is_of_definition,
    is_of_first_call,
    is_of_layer_alone,
    is_of_module_hook,
    is_of_second_gradient,
    is_of_transform,
    is_use_of_property,
    same_construct,
)
from compilelint.report.verdicts.frames import frames_of, overlap, stands_in
from compilelint.report.verdicts.recompiles import (
    is_at_call,
    is_of_held_size,
    names_it,
    of_held_size_in_turn,
    same_variable,
)

_PROOF: dict[Effect, frozenset[ObservationType]] = {
    "graph-break": frozenset({"graph-break", "frame-skipped", "compile-error"}),
    "recompile": frozenset({"recompile", "recompile-limit"}),
    "compile-error": frozenset({"compile-error", "graph-break"}),
    "not-compiled": frozenset({"frame-skipped"}),
    "slow-start": frozenset({"repeated-blocks"}),
}
"""What a run does if it shows an effect; a wrong result shows in nothing that Dynamo says."""


def shows_effect(kind: ObservationType, effect: Effect) -> bool:
    """Whether an observation of this type is what a rule with this effect predicts."""
    return kind in _PROOF.get(effect, ())


def find_proofs(finding: Finding, findings: Sequence[Finding], observations: Sequence[Observation]) -> tuple[int, ...]:
    """The observations that show what a finding says, by their place in the sequence."""
    proofs = tuple(
        index
        for index, each in enumerate(observations)
        if is_of_layer_alone(each, finding)
        or (
            (shows_effect(each.type, finding.effect) or (is_failed_backend(each) and fails_in_backends(finding)))
            and _shows(each, finding, findings)
        )
    )
    # Where the finding is what changed, it does not stand for recompiles for something else, of which it only kept
    # older versions from being used again.
    first = tuple(index for index in proofs if names_it(observations[index], finding))
    return first if finding.effect == "recompile" and first else proofs


def find_proofs_at_call(
    finding: Finding, observations: Sequence[Observation], explained: Container[int]
) -> tuple[int, ...]:
    """The recompiles that nothing else explains of what a finding's own line calls, or compiles.

    Of a finding in a package that line is only where it is reached from: all of the package is compiled there.
    """
    if finding.effect != "recompile" or finding.library:
        return ()
    return tuple(
        index
        for index, each in enumerate(observations)
        if index not in explained and shows_effect(each.type, "recompile") and is_at_call(each, finding)
    )


def find_breaks_at_use(
    finding: Finding, observations: Sequence[Observation], explained: Container[int]
) -> tuple[int, ...]:
    """The breaks that nothing else explains where what a line calls does with a number what the finding says."""
    return tuple(
        index for index, each in enumerate(observations) if index not in explained and is_at_use(each, finding)
    )


def find_proofs_of_size(finding: Finding, observations: Sequence[Observation]) -> tuple[int, ...]:
    """The recompiles for sizes that kept changing, of a function in which a finding says that one is held, and the
    limit that they led to, which knows the last of the sizes only."""
    if finding.effect != "recompile":
        return ()
    held = {(each.function, each.variable) for each in observations if is_of_held_size(each, finding)}
    in_turn = of_held_size_in_turn(observations, finding)
    return tuple(
        index
        for index, each in enumerate(observations)
        if (
            shows_effect(each.type, "recompile")
            and (each.function, each.variable) in held
            # Another dimension that had two sizes only has nothing to do with it.
            and (each.type != "recompile" or is_of_held_size(each, finding))
        )
        or any(each is one for one in in_turn)
    )


def find_proofs_of_property(finding: Finding, observations: Sequence[Observation]) -> tuple[int, ...]:
    """The breaks at what is done with a property that a finding says is read by `super()`, wherever that is done."""
    return tuple(
        index
        for index, each in enumerate(observations)
        if shows_effect(each.type, finding.effect) and is_use_of_property(each, finding)
    )


def _shows(observation: Observation, finding: Finding, findings: Sequence[Finding]) -> bool:
    if finding.library:
        return library.shows(observation, finding, findings)
    if is_failed_backend(observation) and stands_in(_places(observation), finding):
        failing = [each for each in findings if fails_in_backends(each) and stands_in(_places(observation), each)]
        if failing:
            return finding in failing
    if finding.effect == "recompile":
        return same_variable(observation, finding)
    if any(shows(observation, finding) for shows in (is_of_first_call, is_of_transform, is_left_in_body)):
        return True
    if any(shows(observation, finding, findings) for shows in (is_of_second_gradient, is_of_module_hook)):
        return True
    if not stands_in(_places(observation), finding) and not is_of_definition(observation, finding):
        return False
    if observation.type not in ("graph-break", "compile-error"):
        # A generator is left out for what it is: it has nothing to do with what else stands on its line.
        return finding.effect != "graph-break" or not observation.title.endswith("generator")
    rivals = [
        each for each in findings if each.effect == finding.effect and each is not finding and overlap(each, finding)
    ]
    return same_construct(observation, finding, rivals)


def _places(observation: Observation) -> tuple[StackFrame, ...]:
    """Where a finding may stand for an observation to show it: what led there, and the owners of all hits."""
    return (*frames_of(observation), *observation.owners)
