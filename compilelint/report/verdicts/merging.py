"""Findings joined with what a run did.

A finding is `confirmed` if Dynamo did there what it said, `refuted` if Dynamo traced its lines and did
nothing of the kind, `not-reached` if it never traced them (or gave up on the way). What the run cannot
tell, such as a wrong result, stays without a verdict. An observation that no finding predicted is
`runtime-only`, or has no verdict where none could: nobody checked the files that it is about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

from compilelint.report.model import Finding, Observation, Verdict
from compilelint.report.stack import StackFrame, package_of, package_that_led_to
from compilelint.report.verdicts.breaks import names_construct
from compilelint.report.verdicts.compiled_by import files_that_compile, is_of_run
from compilelint.report.verdicts.proofs import (
    find_breaks_at_use,
    find_proofs,
    find_proofs_at_call,
    find_proofs_of_property,
    find_proofs_of_size,
)
from compilelint.report.verdicts.recompiles import names_it
from compilelint.report.verdicts.unproven import is_traced, without_proof


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
    compiles: Callable[[str | None], bool] = lambda path: True,
) -> Merged:
    """The verdict of a run on each finding. Paths of all three are named alike.

    `traced` are the lines that Dynamo traced, by file; None if nobody recorded them, and then a finding
    that is not confirmed has no verdict. A recompile needs more than one call: what would recompile counts
    as not reached where, as `called_again` says, its function was not called twice. `is_checked` tells of
    which files there would be findings, if there were any. `went_on` says of a break whether Dynamo traced what
    follows it. `compiles` says of a file whether it called torch.compile in the run, see `compiled_by.py`.
    """
    hazards = tuple(findings)
    seen = tuple(observations)
    ran = None if traced is None else _files_of(seen) | traced.keys()
    compiling = files_that_compile(hazards)
    is_run = [is_of_run(finding, ran, compiles, compiling) for finding in hazards]
    rivals = tuple(compress(hazards, is_run))
    proofs = [find_proofs(finding, rivals, seen) if run else () for finding, run in zip(hazards, is_run, strict=True)]
    explained = frozenset(index for proof in proofs for index in proof)
    proofs = [
        (
            *(
                proof
                or find_proofs_at_call(finding, seen, explained)
                or (
                    find_proofs_of_size(finding, seen) or find_proofs_of_property(finding, seen)
                    if run and (traced is None or is_traced(finding, traced))
                    else ()
                )
            ),
            *find_breaks_at_use(finding, seen, explained),
        )
        for finding, proof, run in zip(hazards, proofs, is_run, strict=True)
    ]
    predictors: defaultdict[int, list[Finding]] = defaultdict(list)
    for finding, proof in zip(hazards, proofs, strict=True):
        for index in proof:
            predictors[index].append(finding)
    predicted = {index: _closest(seen[index], those).fingerprint for index, those in predictors.items()}
    return Merged(
        tuple(
            replace(
                finding,
                verdict="confirmed"
                if proof
                else without_proof(finding, seen, traced if run else _untraced(traced), called_again(finding), went_on),
            )
            for finding, proof, run in zip(hazards, proofs, is_run, strict=True)
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


def _files_of(observations: Iterable[Observation]) -> frozenset[str]:
    """The files in which Dynamo did something, or that led there."""
    return frozenset(path for each in observations for path in (each.path, *(frame.path for frame in each.stack)))


def _untraced(traced: Mapping[str, frozenset[int]] | None) -> Mapping[str, frozenset[int]] | None:
    """What Dynamo traced for what was not compiled: nothing, if anybody recorded it."""
    return None if traced is None else {}


def _closest(observation: Observation, predictors: Sequence[Finding]) -> Finding:
    """Of several findings that predicted something the one that it is about by name, `net.inner.scale = i` rather than
    `net.scale = i` for `self.inner.scale`; if it names none, the surest."""
    _, _, held = observation.variable.partition(".")
    within = [each for each in predictors if "." in held and f".{held}" in each.source_line]
    predictors = within or predictors
    for each in predictors:
        rivals = [other for other in predictors if other is not each]
        if names_it(observation, each) or (rivals and names_construct(observation, each, rivals)):
            return each
    return max(predictors, key=lambda each: each.confidence)


def _unpredicted(observation: Observation, is_checked: Callable[[str], bool]) -> Verdict | None:
    inside = observation.stack[observation.inside :]
    within = (observation.path, *(frame.path for frame in inside))
    package = package_that_led_to(observation.path, inside)
    if package and not any(is_checked(path) for path in within if package_of(path) == package):
        return None  # A check that does not read a package sees no more of it than the call.
    return "runtime-only" if any(map(is_checked, within)) else None
