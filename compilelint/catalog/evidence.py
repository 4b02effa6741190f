"""What Dynamo did with the examples: reading `rules/evidence.json`, and what holds for a target torch.

Nobody types in on which versions or in which modes a rule holds; it is read here from measurements.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from packaging.version import InvalidVersion, Version

from compilelint.catalog.model import Example, Match, ModeName, Outcome, Rule
from compilelint.inspect.events import Mode

ExampleEvidence: TypeAlias = Mapping[str, Mapping[ModeName, Outcome]]
"""Torch version → mode → outcome."""
Evidence: TypeAlias = Mapping[str, Mapping[str, ExampleEvidence]]
"""Rule code → example name → torch version → mode → outcome."""


class TargetError(ValueError):
    """A torch version that was asked for cannot be served."""


def source_hash(example: Example) -> str:
    """Names the example's text, so that evidence of an older text is noticed."""
    return hashlib.sha256(example.source.encode()).hexdigest()[:12]


def outcome_to_json(outcome: Outcome) -> dict[str, object]:
    """The form in which an outcome stands in evidence.json; what is empty is left out."""
    result: dict[str, object] = {"hazard": outcome.hazard}
    if outcome.lines:
        result["lines"] = list(outcome.lines)
    if outcome.gb_ids:
        result["gb_ids"] = list(outcome.gb_ids)
    if outcome.reason:
        result["reason"] = outcome.reason
    return result


def parse_evidence(text: str) -> Evidence:
    """Read evidence.json. Raises ValueError if it is not of its form."""
    try:
        return {
            code: {
                example: {
                    version: {mode: _outcome(entry) for mode, entry in modes.items() if mode != "source"}
                    for version, modes in versions.items()
                }
                for example, versions in examples.items()
            }
            for code, examples in json.loads(text).items()
        }
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"evidence.json is not of its form: {error!r}") from None


def _outcome(entry: Mapping[str, Any]) -> Outcome:
    return Outcome(
        entry["hazard"],
        tuple(entry.get("lines", ())),
        tuple(entry.get("gb_ids", ())),
        entry.get("reason", ""),
    )


def format_evidence(evidence: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> str:
    """Raw evidence as text: sorted, one line per example and version, so that diffs merge."""
    codes = []
    for code in sorted(evidence):
        examples = []
        for example in sorted(evidence[code]):
            versions = evidence[code][example]
            lines = [
                f'   "{version}": {json.dumps(versions[version], sort_keys=True)}'
                for version in sorted(versions, key=Version)
            ]
            examples.append(f'  "{example}": {{\n' + ",\n".join(lines) + "\n  }")
        codes.append(f' "{code}": {{\n' + ",\n".join(examples) + "\n }")
    return "{\n" + ",\n".join(codes) + "\n}\n"


def measured_versions(rules: Iterable[Rule]) -> tuple[str, ...]:
    """All torch versions on which some example was measured, oldest first."""
    found = {version for rule in rules for example in rule.evidence.values() for version in example}
    return tuple(sorted(found, key=Version))


def installed_torch() -> str | None:
    """The version of torch where the tool runs, from package metadata: torch is not imported."""
    try:
        return importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return None


def resolve_target(asked: str | None, measured: tuple[str, ...]) -> str:
    """The measured version by which to judge code for the torch version `asked`.

    That is the nearest measured one that is not newer, by release ("2.9" and "2.9.1+cu128" are
    served by "2.9.1"). None asks for the torch that is installed here, else for the newest. A torch
    older than all that was measured raises TargetError, and so does what is no version.
    """
    if not measured:
        raise TargetError("no evidence was measured for any torch version")
    wanted = asked if asked is not None else installed_torch()
    if wanted is None:
        return measured[-1]
    try:
        minor = Version(wanted).release[:2]
    except InvalidVersion:
        raise TargetError(f"{wanted!r} is not a torch version; measured: {', '.join(measured)}") from None
    older = [version for version in measured if Version(version).release[:2] <= minor]
    if older:
        return older[-1]
    if asked is None:
        return measured[0]
    raise TargetError(f"torch {wanted} is older than all that was measured: {', '.join(measured)}")


def mode_name(mode: Mode) -> ModeName:
    """The measured mode that stands for how a root was compiled."""
    if mode.fullgraph:
        return "fullgraph"
    if mode.capture_shapes:
        return "capture-shapes"
    return "capture-scalars" if mode.capture_scalars else "default"


def outcome_of(rule: Rule, match: Match, mode: Mode, target: str) -> Outcome | None:
    """What Dynamo did with the match's example; None where that was not measured on this version.

    Where the mode was not measured (a script chooses its own), the default one stands for it.
    """
    modes = rule.evidence.get(match.example, {}).get(target)
    if modes is None:
        return None
    return modes.get(mode_name(mode), modes.get("default"))


def holds(rule: Rule, match: Match, mode: Mode, target: str) -> bool:
    """Whether what the match describes is a hazard in this mode on this measured torch version.

    What was never measured does not hold: no finding without evidence.
    """
    found = outcome_of(rule, match, mode, target)
    return found is not None and found.hazard and _is_marked(rule, match.example, mode_name(mode))


def _is_marked(rule: Rule, name: str, mode: ModeName) -> bool:
    """Whether the example shows the rule in this mode, and not only another rule's hazard on the way to it."""
    example = next((example for example in rule.examples if example.name == name), None)
    if example is None or not example.marks:
        return example is not None
    return any(code == rule.code and marked in (None, mode) for _, code, marked in example.marks)
