"""Rules told to people and programs: the page as Markdown, the table, and JSON-ready records."""

from __future__ import annotations

import re
from collections.abc import Sequence

from packaging.version import Version

from compilelint.catalog.evidence import measured_versions, outcome_to_json
from compilelint.catalog.model import ModeName, Rule
from compilelint.catalog.pages import MODES

_EXAMPLE = re.compile(r"^```python (?P<kind>hazard|clean) (?P<name>\S+)$", re.MULTILINE)


def modes_held(rule: Rule, version: str) -> tuple[ModeName, ...]:
    """The measured modes in which some match of the rule is a hazard on this measured torch version."""
    measured = [rule.evidence.get(match.example, {}).get(version, {}) for match in rule.matches]
    return tuple(mode for mode in MODES if any(mode in modes and modes[mode].hazard for modes in measured))


def versions_held(rule: Rule) -> tuple[str, ...]:
    """The measured torch versions on which the rule holds in some mode, oldest first."""
    return tuple(version for version in measured_versions([rule]) if modes_held(rule, version))


def gb_ids(rule: Rule, version: str) -> tuple[str, ...]:
    """What Dynamo called the breaks of the rule's examples on this torch version."""
    outcomes = (
        outcome for match in rule.matches for outcome in rule.evidence.get(match.example, {}).get(version, {}).values()
    )
    return tuple(sorted({gb_id for outcome in outcomes for gb_id in outcome.gb_ids}))


def release(version: str) -> str:
    """ "2.13" for "2.13.0": the name by which people know a torch."""
    major, minor, *_ = Version(version).release
    return f"{major}.{minor}"


def version_ranges(held: Sequence[str], measured: Sequence[str]) -> str:
    """ "2.5-2.9, 2.13": versions as ranges over those that were measured."""
    ranges: list[list[str]] = []
    previous = -2
    for index, version in enumerate(measured):
        if version not in held:
            continue
        if index == previous + 1:
            ranges[-1].append(version)
        else:
            ranges.append([version])
        previous = index
    return ", ".join(
        release(group[0]) if len(group) == 1 else f"{release(group[0])}-{release(group[-1])}" for group in ranges
    )


def rule_markdown(rule: Rule, target: str) -> str:
    """The page that a user reads: what the rule says, on which torch it holds, and the prose."""
    measured = measured_versions([rule])
    held = version_ranges(versions_held(rule), measured) or "no measured version"
    modes = ", ".join(modes_held(rule, target)) or "no mode"
    facts = [
        f"{rule.message.replace('{source}', '…').replace('{callee}', '…')}.".replace("..", "."),
        "",
        f"- Effect: {rule.effect}, severity: {rule.severity}",
        f"- Holds on torch {held}; on {release(target)} in: {modes}",
    ]
    if ids := gb_ids(rule, target):
        facts.append(f"- Dynamo's own names for it: {', '.join(ids)}")
    prose = _EXAMPLE.sub(_caption, rule.prose)
    return f"# {rule.code} {rule.name}\n\n" + "\n".join(facts) + f"\n\n{prose}"


def _caption(fence: re.Match[str]) -> str:
    kind = "Hazard" if fence["kind"] == "hazard" else "Clean"
    return f"{kind}, {fence['name'].replace('-', ' ')}:\n\n```python"


def rule_record(rule: Rule) -> dict[str, object]:
    """Everything about a rule, ready for JSON."""
    return {
        **rule_summary(rule),
        "group": rule.group,
        "message": rule.message,
        "suggestion": rule.suggestion,
        "prose": rule.prose,
        "evidence": {
            example: {
                version: {mode: outcome_to_json(outcome) for mode, outcome in modes.items()}
                for version, modes in versions.items()
            }
            for example, versions in rule.evidence.items()
        },
    }


def rule_summary(rule: Rule) -> dict[str, object]:
    """The rule's line in the list, ready for JSON."""
    return {
        "code": rule.code,
        "name": rule.name,
        "effect": rule.effect,
        "severity": rule.severity,
        "holds": {version: list(modes_held(rule, version)) for version in versions_held(rule)},
    }
