"""Which rules are on: `select`, `extend-select` and `ignore`, with ruff's meaning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from compilelint.catalog.model import Rule
from compilelint.spelling import nearest

ALL = "ALL"


class SelectionError(ValueError):
    """A selector names no rule."""

    def __init__(self, message: str, selector: str) -> None:
        super().__init__(message)
        self.selector = selector


def select(
    rules: Sequence[Rule],
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    extend_select: Iterable[str] = (),
) -> tuple[Rule, ...]:
    """The rules that are on, in the order given.

    A selector is a code, the beginning of one (`CL1`), a rule's name or `ALL`; without `select` all
    rules are on. The more specific selector wins, and `ignore` where both are equally specific.
    Raises SelectionError for a selector that fits no rule.
    """
    wanted = [*(tuple(select) or (ALL,)), *extend_select]
    ignored = list(ignore)
    for selector in (*wanted, *ignored):
        _check(selector, rules)
    return tuple(rule for rule in rules if _specificity(rule, wanted) > _specificity(rule, ignored))


def find_rule(rules: Iterable[Rule], code_or_name: str) -> Rule:
    """The rule with this code or name, in any case. Raises SelectionError."""
    known = list(rules)
    for rule in known:
        if code_or_name.upper() == rule.code or code_or_name.lower() == rule.name:
            return rule
    raise SelectionError(f"there is no rule {code_or_name!r}{_nearest_rule(code_or_name, known)}", code_or_name)


def matches_rule(selector: str, rule: Rule) -> bool:
    """Whether a selector covers a rule."""
    return _length(selector, rule) >= 0


def _check(selector: str, rules: Sequence[Rule]) -> None:
    if selector != ALL and not any(matches_rule(selector, rule) for rule in rules):
        raise SelectionError(f"no rule is called {selector!r}{_nearest_rule(selector, rules)}", selector)


def _nearest_rule(word: str, rules: Sequence[Rule]) -> str:
    codes, names = [rule.code for rule in rules], [rule.name for rule in rules]
    return nearest(word.upper(), [ALL, *codes]) if word[:2].isupper() else nearest(word.lower(), names)


def _specificity(rule: Rule, selectors: Iterable[str]) -> int:
    return max((_length(selector, rule) for selector in selectors), default=-1)


def _length(selector: str, rule: Rule) -> int:
    """How specific a selector is about a rule; -1 where it does not cover it."""
    if selector == ALL:
        return 0
    if selector == rule.name:
        return len(rule.code)
    return len(selector) if selector and rule.code.startswith(selector) else -1
