"""The pages of rules, where an editor shows them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from compilelint.catalog.describe import rule_markdown
from compilelint.catalog.model import Rule
from compilelint.report.model import Finding
from compilelint.server.session import Known


def hover_text(findings: Iterable[Finding], known: Known) -> str:
    """What hangs over a place: the page of each rule that found something there, as Markdown; empty if none has one."""
    codes = dict.fromkeys(finding.code for finding in findings)
    return "\n\n---\n\n".join(filter(None, (page(code, known) for code in codes)))


def page(code: str, known: Known) -> str:
    """The page of a rule as Markdown; empty if there is none."""
    rule = known.rules.get(code)
    return rule_markdown(rule, known.target_torch) if rule is not None and rule.prose else ""


def write_page(folder: Path, rule: Rule, markdown: str) -> Path:
    """Puts a page where an editor can open it."""
    file = folder / f"{rule.code}-{rule.name}.md"
    file.write_text(markdown, encoding="utf-8")
    return file
