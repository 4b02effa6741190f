"""The examples on a rule page: fenced blocks of Python whose offending lines are marked."""

from __future__ import annotations

import re
from typing import cast

from compilelint.catalog.model import MODES, Example, ModeName
from compilelint.catalog.page_error import PageError
from compilelint.spelling import nearest

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MARK = re.compile(r"#\s*<-\s*(?P<codes>.*)$")
_MARKED_CODE = re.compile(r"(?P<code>[A-Z]{2,8}\d{3,4})(?:\s*\((?P<mode>[a-z-]+)\))?")


def examples_on(lines: list[str], end: int, path: str) -> tuple[Example, ...]:
    """The examples after the front matter, which ends on the line at index `end`. Raises PageError."""
    found: dict[str, Example] = {}
    start: int | None = None
    for index, line in enumerate(lines[end + 1 :], end + 1):
        if not line.startswith("```"):
            continue
        if start is None:
            start = index
            continue
        example = _example(lines, start, index, path)
        start = None
        if example is None:
            continue
        if example.name in found:
            raise PageError(path, example.page_line - 1, f"a second example named {example.name!r}")
        found[example.name] = example
    if start is not None:
        raise PageError(path, start + 1, "this fenced block is not closed")
    for hazard, what in ((True, "hazard"), (False, "clean")):
        if not any(example.hazard is hazard for example in found.values()):
            raise PageError(path, len(lines), f"the page has no `python {what} NAME` block")
    return tuple(found.values())


def _example(lines: list[str], start: int, stop: int, path: str) -> Example | None:
    words = lines[start][3:].split()
    if len(words) < 2 or words[0] != "python":
        return None
    if len(words) != 3 or words[1] not in ("hazard", "clean") or not NAME.fullmatch(words[2]):
        raise PageError(path, start + 1, "write `python hazard NAME` or `python clean NAME` (kebab case)")
    hazard = words[1] == "hazard"
    code = lines[start + 1 : stop]
    marks = tuple(
        mark for number, line in enumerate(code, 1) for mark in _line_marks(line, number, path, start + 1 + number)
    )
    if hazard and not marks:
        raise PageError(path, start + 1, "a hazard example marks its offending lines with `# <- CODE`")
    if not hazard and any(mode is None for _, _, mode in marks):
        raise PageError(
            path,
            start + 1,
            "a clean example has no marks, but of a mode that is not the default one",
        )
    return Example(words[2], hazard, "\n".join(code) + "\n", start + 2, marks)


def _line_marks(line: str, number: int, path: str, page_line: int) -> list[tuple[int, str, ModeName | None]]:
    found = _MARK.search(line)
    if found is None:
        return []
    marks: list[tuple[int, str, ModeName | None]] = []
    for item in found["codes"].split(","):
        mark = _MARKED_CODE.fullmatch(item.strip())
        if mark is None:
            raise PageError(path, page_line, f"write a mark as `# <- CL101` or `# <- CL101 (fullgraph)`: {item!r}")
        if mark["mode"] is not None and mark["mode"] not in MODES:
            raise PageError(path, page_line, f"unknown mode {mark['mode']!r}{nearest(mark['mode'], MODES)}")
        marks.append((number, mark["code"], cast("ModeName | None", mark["mode"])))
    return marks
