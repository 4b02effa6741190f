"""Finds the rule pages, in a wheel as in a source checkout, and loads them with their evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeAlias

from compilelint.catalog.evidence import Evidence, parse_evidence, with_evidence
from compilelint.catalog.model import Rule
from compilelint.catalog.page_error import PageError
from compilelint.catalog.pages import parse_page
from compilelint.catalog.pythons import nearest_file
from compilelint.installed import EVIDENCE_FILE, rules_folder

Parse: TypeAlias = Callable[[str, str], Rule]
"""From the text of a page and the path of its file to a rule without evidence."""


def rules_directory() -> Path:
    """Where the rule pages are. Raises FileNotFoundError if they are missing."""
    return Path(rules_folder())


def load_rules(extra: Iterable[Path] = (), parse: Parse = parse_page) -> tuple[Rule, ...]:
    """All rules, by code: the built-in ones and those on the `extra` pages (files).

    `parse` does what `parse_page` does. The evidence of a page is in the evidence.json beside it. Raises PageError for
    a page that is not well-formed or that repeats a code or name, and OSError for one that cannot be read.
    """
    built_in = page_paths(rules_directory())
    evidence: dict[Path, Evidence] = {}
    rules: dict[str, Rule] = {}
    names: dict[str, str] = {}
    for path in (*built_in, *extra):
        folder = path.parent
        if folder not in evidence:
            evidence[folder] = _read_evidence(folder / EVIDENCE_FILE)
        rule = load_page(path, evidence[folder], parse)
        if rule.code in rules:
            raise PageError(str(path), 2, f"code {rule.code} is taken by {rules[rule.code].name}")
        if rule.name in names:
            raise PageError(str(path), 3, f"name {rule.name!r} is taken by {names[rule.name]}")
        rules[rule.code] = rule
        names[rule.name] = rule.code
    return tuple(rules[code] for code in sorted(rules))


def load_page(path: Path, evidence: Evidence, parse: Parse = parse_page) -> Rule:
    """The rule on one page. Raises PageError or OSError."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise PageError(str(path), 1, f"not UTF-8: {error.reason} at byte {error.start}") from None
    rule = parse(text, str(path))
    return with_evidence(rule, evidence[rule.code]) if rule.code in evidence else rule


def load_differing(python: str) -> Evidence:
    """What is different on a Python (`"3.12"`) in the evidence of the built-in rules.

    Raises PageError for a file that is not well-formed, and OSError for one that cannot be read.
    """
    file = nearest_file(rules_directory(), python)
    return {} if file is None else _read_evidence(file)


def page_paths(folder: Path) -> tuple[Path, ...]:
    """The rule pages in a folder, by name."""
    return tuple(sorted(path for path in folder.glob("*.md") if path.name != "README.md"))


def _read_evidence(path: Path) -> Evidence:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    try:
        return parse_evidence(text)
    except ValueError as error:
        raise PageError(str(path), getattr(error, "lineno", 1), str(error)) from None
