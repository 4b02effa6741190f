"""Rules told to people and programs: the page as Markdown, the table, and JSON-ready records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from compilelint.catalog.evidence import measured_versions, outcome_to_json
from compilelint.catalog.evidence_table import evidence_table, release, version_ranges
from compilelint.catalog.front_matter import PLACEHOLDERS
from compilelint.catalog.model import MODES, ModeName, Rule
from compilelint.report.model import Report, RulePage
from compilelint.report.run_rules import NOTHING_COMPILED, rule_of

_EXAMPLE = re.compile(r"^```python (?P<kind>hazard|clean) (?P<name>\S+)$", re.MULTILINE)


def modes_held(rule: Rule, version: str) -> tuple[ModeName, ...]:
    """The measured modes in which some example that proves the rule is a hazard on this measured torch version."""
    measured = [rule.evidence.get(name, {}).get(version, {}) for name in _proving(rule)]
    return tuple(mode for mode in MODES if any(mode in modes and modes[mode].hazard for modes in measured))


def _proving(rule: Rule) -> tuple[str, ...]:
    """The examples of its matches; of a rule that matches nothing in source, all that are hazards."""
    hazards = tuple(example.name for example in rule.examples if example.hazard)
    return tuple(match.example for match in rule.matches) or hazards


def versions_held(rule: Rule) -> tuple[str, ...]:
    """The measured torch versions on which the rule holds in some mode, oldest first."""
    return tuple(version for version in measured_versions([rule]) if modes_held(rule, version))


def gb_ids(rule: Rule, version: str) -> tuple[str, ...]:
    """What Dynamo called the breaks of the rule's examples on this torch version."""
    outcomes = (
        outcome for match in rule.matches for outcome in rule.evidence.get(match.example, {}).get(version, {}).values()
    )
    return tuple(sorted({gb_id for outcome in outcomes for gb_id in outcome.gb_ids}))


def rule_markdown(rule: Rule, target: str) -> str:
    """The page that a user reads: what the rule says, on which torch it holds, and the prose."""
    modes = ", ".join(modes_held(rule, target)) or "no mode"
    facts = [f"- On torch {release(target)} it holds in: {modes}"]
    if ids := gb_ids(rule, target):
        facts.append(f"- Dynamo's own names for it there: {', '.join(ids)}")
    return _page(rule, facts)


def rule_page(rule: Rule) -> str:
    """The same for every torch, as the documentation has it."""
    ids = dict.fromkeys(gb_id for version in versions_held(rule) for gb_id in gb_ids(rule, version))
    return _page(rule, [f"- Dynamo's own names for it: {', '.join(ids)}"] if ids else [])


def described(report: Report, rules: Iterable[Rule]) -> Report:
    """The report with the pages of the rules that it names."""
    findings = {each.fingerprint: each for each in report.findings}
    named = {each.code for each in report.findings} | {rule_of(each, findings) for each in report.observations}
    if report.run is not None and not report.run.compilations:
        named.add(NOTHING_COMPILED)
    pages = {rule.code: _rule_page_for(rule, report.target_torch) for rule in rules if rule.code in named}
    return replace(report, rules=tuple(page for _, page in sorted(pages.items())))


def _rule_page_for(rule: Rule, target: str) -> RulePage:
    page = rule_markdown(rule, target)
    return RulePage(rule.code, rule.name, rule.effect, rule.severity, _sentence(rule.message), page)


def _page(rule: Rule, facts: Sequence[str]) -> str:
    held = version_ranges(versions_held(rule), measured_versions([rule]))
    table = evidence_table(rule)
    parts = [
        f"# {rule.code} {rule.name}",
        _sentence(rule.message),
        _sentence(rule.suggestion),
        "\n".join(
            [
                f"- Effect: {rule.effect}, severity: {rule.severity}",
                f"- Holds on {f'torch {held}' if held else 'no measured version of torch'}",
                *facts,
            ]
        ),
        *([f"What Dynamo did with the examples below, line by line, by mode and torch:\n\n{table}"] if table else []),
        _EXAMPLE.sub(_caption, rule.prose),
    ]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _sentence(template: str) -> str:
    text = template
    for field in PLACEHOLDERS:
        text = text.replace(f"{{{field}}}", "…")
    text = text.replace("{{", "{").replace("}}", "}")
    return text if text.endswith((".", "…")) else f"{text}."


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
