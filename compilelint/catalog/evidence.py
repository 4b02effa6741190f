"""What Dynamo did with the examples: reading `rules/evidence.json`, and what holds for a target torch.

Nobody types in on which versions or in which modes a rule holds; it is read here from measurements.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias, cast

from packaging.version import InvalidVersion, Version

from compilelint import installed
from compilelint.catalog.lazily import Lazily
from compilelint.catalog.model import Example, ExampleEvidence, Match, ModeName, Outcome, Rule, RuleEvidence
from compilelint.inspect.events import Mode

SAME = "as by default"
"""In evidence.json, in the place of an outcome that equals that of the default mode."""

Evidence: TypeAlias = Mapping[str, RuleEvidence]
"""Rule code → what was measured of it."""
RawOutcome: TypeAlias = dict[str, Any]
RawExample: TypeAlias = dict[str, Any]
"""As it stands in evidence.json: `source` (its hash), `proofs`, and `measured`: torch version → mode → outcome."""
RawEvidence: TypeAlias = dict[str, dict[str, RawExample]]
"""Rule code → example → what was measured of it."""


class TargetError(ValueError):
    """A torch version that was asked for cannot be served."""


def source_hash(example: Example) -> str:
    """Names the example's text, so that evidence of an older text is noticed."""
    return hashlib.sha256(example.source.encode()).hexdigest()[:12]


def outcome_to_json(outcome: Outcome) -> RawOutcome:
    """The form in which an outcome stands in evidence.json; what is empty is left out."""
    result: RawOutcome = {"hazard": outcome.hazard}
    for name in ("lines", "gb_ids", "reason", "unknown", "dropped", "recompiles", "error"):
        value = getattr(outcome, name)
        if value:
            result[name] = list(value) if isinstance(value, tuple) else value
    return result


def read_raw(text: str) -> RawEvidence:
    """evidence.json with each version and each mode spelled out. Raises ValueError if it is not of its form."""
    return {
        code: {
            name: {
                "source": example["source"],
                "proofs": {subject: list(lines) for subject, lines in example.get("proofs", {}).items()},
                "measured": {
                    version: {mode: _spelled(modes, mode) for mode in modes}
                    for version, modes in _by_version(example).items()
                },
            }
            for name, example in examples.items()
        }
        for code, examples in _loads(text).items()
    }


def parse_evidence(text: str) -> Evidence:
    """Read evidence.json. Raises ValueError if it is not of its form.

    What is in it becomes objects when it is looked at: a run looks at a hundredth of it.
    """
    return {
        code: RuleEvidence(
            Lazily(examples, _measured),
            Lazily(examples, _proofs),
            {name: example["source"] for name, example in examples.items()},
        )
        for code, examples in _loads(text).items()
    }


def _measured(example: RawExample) -> ExampleEvidence:
    return Lazily(_by_version(example), _outcomes)


def _loads(text: str) -> dict[str, dict[str, RawExample]]:
    """evidence.json as it is written, with its form checked."""
    raw = json.loads(text)
    try:
        for examples in raw.values():
            for example in examples.values():
                if not isinstance(example["source"], str) or not isinstance(example.get("proofs", {}), dict):
                    raise TypeError("an example has a source and proofs")
                for modes in example["measured"].values():
                    for mode in modes:
                        _spelled(modes, mode)["hazard"]
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"evidence.json is not of its form: {error!r}") from None
    return cast("dict[str, dict[str, RawExample]]", raw)


def _by_version(example: RawExample) -> dict[str, dict[str, Any]]:
    return {version: modes for versions, modes in example["measured"].items() for version in versions.split()}


def _spelled(modes: Mapping[str, Any], mode: str) -> RawOutcome:
    entry = modes[mode]
    return cast("RawOutcome", modes["default"] if entry == SAME else entry)


def _outcomes(modes: Mapping[str, Any]) -> dict[ModeName, Outcome]:
    return {cast("ModeName", mode): outcome_from_json(_spelled(modes, mode)) for mode in modes}


def _proofs(example: RawExample) -> dict[str, frozenset[int]]:
    return {subject: frozenset(lines) for subject, lines in example.get("proofs", {}).items()}


def with_evidence(rule: Rule, evidence: RuleEvidence) -> Rule:
    """The rule with what was measured of its examples as they are now: of another text nothing is proven."""
    present = {example.name for example in rule.examples if evidence.sources.get(example.name) == source_hash(example)}
    return replace(
        rule,
        evidence=Lazily({name: name for name in present}, evidence.outcomes.__getitem__),
        proofs=Lazily({name: name for name in present}, evidence.proofs.__getitem__),
    )


def outcome_from_json(entry: Mapping[str, Any]) -> Outcome:
    """The outcome that `outcome_to_json` wrote."""
    return Outcome(
        entry["hazard"],
        tuple(entry.get("lines", ())),
        tuple(entry.get("gb_ids", ())),
        entry.get("reason", ""),
        tuple(entry.get("unknown", ())),
        entry.get("dropped", False),
        entry.get("recompiles", 0),
        entry.get("error", ""),
    )


def format_evidence(evidence: RawEvidence) -> str:
    """Raw evidence as text: sorted, and short enough to be read and merged.

    A line for all versions of torch of which the same was measured; a mode that is like the default one says so.
    """
    codes = []
    for code in sorted(evidence):
        examples = []
        for name in sorted(evidence[code]):
            example = evidence[code][name]
            groups: dict[str, list[str]] = {}
            for version in sorted(example["measured"], key=Version):
                modes = example["measured"][version]
                default = modes.get("default")
                short = {mode: SAME if mode != "default" and each == default else each for mode, each in modes.items()}
                groups.setdefault(json.dumps(short, sort_keys=True), []).append(version)
            measured = ",\n".join(f'    "{" ".join(versions)}": {text}' for text, versions in groups.items())
            lines = [f'   "source": {json.dumps(example["source"])}', f'   "measured": {{\n{measured}\n   }}']
            if proofs := {subject: sorted(lines) for subject, lines in example.get("proofs", {}).items()}:
                lines.append(f'   "proofs": {json.dumps(proofs, sort_keys=True)}')
            examples.append(f'  "{name}": {{\n' + ",\n".join(lines) + "\n  }")
        codes.append(f' "{code}": {{\n' + ",\n".join(examples) + "\n }")
    return "{\n" + ",\n".join(codes) + "\n}\n"


def measured_versions(rules: Iterable[Rule]) -> tuple[str, ...]:
    """All torch versions on which some example was measured, oldest first."""
    found = {version for rule in rules for example in rule.evidence.values() for version in example}
    return tuple(sorted(found, key=Version))


def installed_torch() -> str | None:
    """The version of torch where the tool runs, from package metadata: torch is not imported."""
    return installed.version_of("torch")


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


def names_of_breaks(rule: Rule, match: Match, mode: Mode, target: str) -> tuple[str, ...]:
    """What Dynamo calls what the match is about: as in its example, then as in those of matches about the same callee.

    They differ in what they ask of the arguments, of which the source may tell less than Dynamo sees.
    """
    about_the_same = (each for each in rule.matches if not set(each.callee).isdisjoint(match.callee))
    outcomes = (outcome_of(rule, each, mode, target) for each in (match, *about_the_same))
    return tuple(dict.fromkeys(gb_id for outcome in outcomes if outcome is not None for gb_id in outcome.gb_ids))


def holds(rule: Rule, match: Match, mode: Mode, target: str, subject: str = "") -> bool:
    """Whether what the match describes is a hazard in this mode on this measured torch version.

    `subject` is what the event is about: where the example has it, the lines on which it stands there decide, else
    any marked line of the example. A line to which no run came in this mode is taken to do what it does by default.
    What was never measured does not hold: no finding without evidence.
    """
    found = outcome_of(rule, match, mode, target)
    by_default = outcome_of(rule, match, Mode(), target)
    if found is None or by_default is None or not found.hazard:
        return False
    marked = marked_lines(rule, match.example, mode_name(mode))
    own = rule.proofs.get(match.example, {}).get(subject, frozenset()) & marked
    shown = {*found.lines, *(line for line in found.unknown if line in by_default.lines)}
    return not (own or marked).isdisjoint(shown)


def marked_lines(rule: Rule, name: str, mode: ModeName) -> frozenset[int]:
    """Lines on which an example shows this rule in this mode, and not only another rule's hazard on the way to it.

    Under fullgraph=True numbers that are read out of tensors are captured, as the settings for that have it: what is
    marked for the one is so for the others, where it was measured there.
    """
    modes = (None, mode) if mode == "default" else (None, mode, "fullgraph")
    return frozenset(
        line
        for example in rule.examples
        if example.name == name
        for line, code, marked in example.marks
        if code == rule.code and marked in modes
    )


def shown(modes: Mapping[ModeName, Outcome]) -> dict[ModeName, tuple[bool, tuple[int, ...]]]:
    """What decides what is reported by an example: in each mode, whether there is a hazard and on which lines."""
    return {mode: (outcome.hazard, outcome.lines) for mode, outcome in modes.items()}


def lines_shown(rule: Rule, name: str, but: str = "") -> frozenset[int]:
    """Lines of an example at which Dynamo did something, in any mode, on any measured version `but` this one."""
    return frozenset(
        line
        for version, modes in rule.evidence.get(name, {}).items()
        if version != but
        for outcome in modes.values()
        for line in outcome.lines
    )
