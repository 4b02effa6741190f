"""What was measured of a rule, as a table: its examples' lines × compile modes → versions of torch."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from packaging.version import Version

from compilelint.catalog.evidence import measured_versions
from compilelint.catalog.model import MODES, Example, ModeName, Rule

_MARK = re.compile(r"\s*#\s*<-.*$")
_LINES_SHOWN = 3
_LONGEST_LINE = 48


def evidence_table(rule: Rule) -> str:
    """Markdown that says for each marked line on which torch, in which mode, Dynamo did what the page says.

    Lines that always went together are one row. Empty if nothing was measured.
    """
    measured = measured_versions([rule])
    modes = tuple(mode for mode in MODES if _measures(rule, mode))
    rows = [row for example in rule.examples if example.hazard for row in _rows(rule, example, modes, measured)]
    if not modes:
        return ""
    lines = [f"| | {' | '.join(modes)} |", "|---" * (len(modes) + 1) + "|"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([*lines, *_not_clean(rule, measured)]) + "\n"


def release(version: str) -> str:
    """ "2.13" for "2.13.0": the name by which people know a torch."""
    major, minor, *_ = Version(version).release
    return f"{major}.{minor}"


def version_ranges(held: Iterable[str], measured: Sequence[str]) -> str:
    """ "2.5-2.9, 2.13": versions as ranges over those that were measured."""
    wanted = set(held)
    ranges: list[list[str]] = []
    previous = -2
    for index, version in enumerate(measured):
        if version not in wanted:
            continue
        if index == previous + 1:
            ranges[-1].append(version)
        else:
            ranges.append([version])
        previous = index
    return ", ".join(
        release(group[0]) if len(group) == 1 else f"{release(group[0])}-{release(group[-1])}" for group in ranges
    )


def _measures(rule: Rule, mode: ModeName) -> bool:
    return any(mode in modes for versions in rule.evidence.values() for modes in versions.values())


def _rows(
    rule: Rule, example: Example, modes: Sequence[ModeName], measured: Sequence[str]
) -> Iterator[tuple[str, ...]]:
    lines_of: dict[tuple[str, ...], list[int]] = {}
    for line in dict.fromkeys(line for line, code, _ in example.marks if code == rule.code):
        cells = tuple(_cell(rule, example, line, mode, measured) for mode in modes)
        lines_of.setdefault(cells, []).append(line)
    source = example.source.splitlines()
    for cells, lines in lines_of.items():
        shown = [_code(source[line - 1]) for line in lines[:_LINES_SHOWN]]
        more = f" and {len(lines) - len(shown)} more" if len(lines) > len(shown) else ""
        yield (f"{example.name.replace('-', ' ')}: {', '.join(shown)}{more}", *cells)


def _code(line: str) -> str:
    text = _MARK.sub("", line).strip()
    cut = text if len(text) <= _LONGEST_LINE else f"{text[: _LONGEST_LINE - 1]}…"
    ticks = "``" if "`" in cut else "`"
    return f"{ticks}{cut}{ticks}".replace("|", "\\|")


def _cell(rule: Rule, example: Example, line: int, mode: ModeName, measured: Sequence[str]) -> str:
    marked = any(code == rule.code and number == line and of in (None, mode) for number, code, of in example.marks)
    held: list[str] = []
    unknown: list[str] = []
    for version, outcomes in rule.evidence.get(example.name, {}).items():
        outcome = outcomes.get(mode)
        if outcome is not None and outcome.hazard and line in outcome.lines and marked:
            held.append(version)
        elif outcome is not None and line in outcome.unknown:
            unknown.append(version)
    text = version_ranges(held, measured) or "-"
    return f"{text} (not known: {version_ranges(unknown, measured)})" if unknown else text


def _not_clean(rule: Rule, measured: Sequence[str]) -> Iterator[str]:
    """Clean examples are so on the newest torch that pages are written for; older ones may differ."""
    for example in rule.examples:
        versions = rule.evidence.get(example.name, {}) if not example.hazard else {}
        if broke := [version for version, modes in versions.items() if "default" in modes and modes["default"].hazard]:
            name = example.name.replace("-", " ")
            yield f"\nThe clean example “{name}” is not clean on torch {version_ranges(broke, measured)}."
