"""What the source line of a finding says."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from compilelint.report.model import Finding

_NAME = re.compile(r"[^\W\d]\w*")
_NOT_TELLING = frozenset({"self", "torch", "Tensor", "def", "return", "if", "for", "in", "is", "not", "None"})
KEYWORD = re.compile(r"\s*(if|elif|while|for)\b")
BLOCK = re.compile(r"\s*(if|elif|else|while|for|with|try)\b.*?:\s")
"""A line that begins with the head of a block, and goes on with what is in it."""
_TOLD = re.compile(r"`([^`]+)`")
"""The source that a message begins with."""


def span(finding: Finding) -> str:
    """The source of a finding; of one that goes over several lines, the rest of the first."""
    end = finding.end_column - 1 if finding.end_line == finding.line else None
    return finding.source_line[finding.column - 1 : end]


def told(finding: Finding) -> str:
    """The source that a finding's message begins with, which may be cut: of a package nothing else tells it."""
    found = _TOLD.search(finding.message)
    return found[1] if found is not None else ""


def apart_from(finding: Finding, rivals: Iterable[Finding]) -> str:
    """The source of a finding less that of others in it: `print(x.tolist())` is not about `tolist`."""
    line, whole = finding.source_line, _extent(finding)
    for each in rivals:
        start, end = _extent(each)
        if start[0] == end[0] == finding.line and whole[0] <= start and end <= whole[1] and (start, end) != whole:
            line = line[: start[1] - 1] + " " * (end[1] - start[1]) + line[end[1] - 1 :]
    return span(replace(finding, source_line=line))


def _extent(finding: Finding) -> tuple[tuple[int, int], tuple[int, int]]:
    return (finding.line, finding.column), (finding.end_line, finding.end_column)


def outside_calls(text: str) -> str:
    """What stands before the first parenthesis: `a.b` of `a.b(c.d)`."""
    return text.partition("(")[0]


def own_name(variable: str) -> str:
    """`net.step` and `net.scale` have `net` in common, which is not what changed."""
    names = _NAME.findall(variable)
    return names[-1] if names else ""


def names(text: str) -> frozenset[str]:
    """The names in a text that tell one construct from another."""
    return frozenset(_NAME.findall(text)) - _NOT_TELLING
