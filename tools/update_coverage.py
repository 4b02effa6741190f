"""Writes into docs/coverage.md which rules have evidence of which break type of Dynamo's.

    python tools/update_coverage.py

The ids, their types and the notes stand in the tables of that page; the third column is read from
rules/evidence.json. Rules about what only a run shows (CL9) are about every break, and are left out.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from compilelint.catalog import Rule, load_rules

PAGE = Path(__file__).resolve().parents[1] / "docs" / "coverage.md"
NONE = "–"
_ROW = re.compile(r"^(?P<start>\| (?P<id>GB\d{4}) \| (?:[^|\\]|\\.)* \| )(?P<rules>[^|]*)(?P<end> \|.*)$", re.MULTILINE)


def rules_by_id(rules: Iterable[Rule]) -> dict[str, list[str]]:
    """GB id → codes of the rules whose examples Dynamo gave it to, on any torch in any mode, sorted."""
    found: dict[str, set[str]] = {}
    for rule in rules:
        if rule.code.startswith("CL9"):
            continue
        for versions in rule.evidence.values():
            for modes in versions.values():
                for outcome in modes.values():
                    for gb_id in outcome.gb_ids:
                        found.setdefault(gb_id, set()).add(rule.code)
    return {gb_id: sorted(codes) for gb_id, codes in found.items()}


def rewritten(text: str, found: Mapping[str, list[str]]) -> str:
    """The page with the third column of every row that begins with an id as it is to be."""
    return _ROW.sub(lambda row: f"{row['start']}{', '.join(found.get(row['id'], [])) or NONE}{row['end']}", text)


def main() -> int:
    PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8"), rules_by_id(load_rules())), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
