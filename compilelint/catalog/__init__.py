"""The catalogue: rule pages read into `Rule` objects, what is measured about them, and which are on."""

from compilelint.catalog.evidence import (
    TargetError,
    holds,
    installed_torch,
    measured_versions,
    names_of_breaks,
    resolve_target,
)
from compilelint.catalog.load import load_differing, load_page, load_rules, page_paths, rules_directory
from compilelint.catalog.model import Example, Match, ModeName, Outcome, Requirement, Rule
from compilelint.catalog.page_error import PageError
from compilelint.catalog.pages import parse_page
from compilelint.catalog.pythons import on_python, resolve_python
from compilelint.catalog.selection import SelectionError, find_rule, matches_rule, select

__all__ = [
    "Example",
    "Match",
    "ModeName",
    "Outcome",
    "PageError",
    "Requirement",
    "Rule",
    "SelectionError",
    "TargetError",
    "find_rule",
    "holds",
    "installed_torch",
    "load_differing",
    "load_page",
    "load_rules",
    "matches_rule",
    "measured_versions",
    "names_of_breaks",
    "on_python",
    "page_paths",
    "parse_page",
    "resolve_python",
    "resolve_target",
    "rules_directory",
    "select",
]
