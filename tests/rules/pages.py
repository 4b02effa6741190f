"""The pages that the tests in this folder run over. A page that cannot be read fails in test_pages only."""

from __future__ import annotations

from pathlib import Path

from compilelint.catalog import Example, PageError, Rule, load_page, page_paths, rules_directory
from compilelint.catalog.evidence import Evidence, parse_evidence

RULES = rules_directory()
EVIDENCE_FILE = RULES / "evidence.json"


def read_evidence() -> Evidence:
    return parse_evidence(EVIDENCE_FILE.read_text(encoding="utf-8"))


def readable_rules() -> list[tuple[Path, Rule]]:
    evidence = read_evidence()
    found = []
    for path in page_paths(RULES):
        try:
            found.append((path, load_page(path, evidence)))
        except PageError:
            continue
    return found


def examples() -> list[tuple[Rule, Example]]:
    return [(rule, example) for _, rule in readable_rules() for example in rule.examples]


def example_id(value: object) -> str:
    match value:
        case Rule():
            return value.code
        case Example():
            return ("hazard-" if value.hazard else "clean-") + value.name
        case _:
            return str(value)
