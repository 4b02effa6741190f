"""Reads one rule page: TOML front matter, prose and fenced examples become a `Rule`.

The format is documented in docs/writing-rules.md. Every mistake in a page is a `PageError` that names
the file and the line, since users write pages of their own (`extra-rules`).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from string import Formatter
from typing import Any, cast, get_args

from compilelint.catalog.model import Example, Match, ModeName, Requirement, Rule
from compilelint.inspect.events import EVENT_TYPES
from compilelint.inspect.labels import VOCABULARY
from compilelint.report.model import Effect, Severity
from compilelint.spelling import nearest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

GROUPS: dict[str, str] = {
    "data-to-python": "CL1",
    "side-effects": "CL2",
    "untraceable-calls": "CL3",
    "python-constructs": "CL4",
    "recompiles": "CL5",
    "wrapping": "CL6",
    "operators-autograd": "CL7",
    "flags": "CL8",
    "run": "CL9",
}
RUN_GROUP = "run"
"""Rules about what only a run shows: nothing in source to match. `report/run_rules.py` says what each is about."""
EFFECTS: tuple[str, ...] = get_args(Effect)
SEVERITIES: tuple[str, ...] = get_args(Severity)
MODES: tuple[ModeName, ...] = get_args(ModeName)
SECTIONS = (
    "What it is",
    "Why it costs",
    "What to do instead",
    "When it is fine",
    "Examples",
)
PAGE_KEYS = (
    "code",
    "name",
    "group",
    "effect",
    "severity",
    "message",
    "suggestion",
    "match",
)
MATCH_KEYS = (
    "event",
    "example",
    "callee",
    "not-callee",
    "construct",
    "receiver",
    "arguments",
    "not-arguments",
    "message",
    "suggestion",
    "detector",
)
PLACEHOLDERS = ("source", "callee")

_CODE = re.compile(r"[A-Z]{2,8}\d{3,4}")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_CALLEE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*(\.\*|\*)?")
_ARGUMENT = re.compile(r"(\d+|[A-Za-z_]\w*)(\|(\d+|[A-Za-z_]\w*))*")
_DETECTOR = re.compile(r"[a-z_]\w*:[a-z_]\w*")
_TOML_LINE = re.compile(r"\(at line (\d+), column \d+\)")
_MARK = re.compile(r"#\s*<-\s*(?P<codes>.*)$")
_MARKED_CODE = re.compile(r"(?P<code>[A-Z]{2,8}\d{3,4})(?:\s*\((?P<mode>[a-z-]+)\))?")


class PageError(ValueError):
    """A rule page is not as docs/writing-rules.md says; `line` is 1-based."""

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path = path
        self.line = line
        self.message = message


def parse_page(text: str, path: str) -> Rule:
    """The rule that a page describes, without evidence.

    `path` is used for the file name, which must be `CODE-name.md`, and in error messages. Raises PageError.
    """
    lines = text.splitlines()
    end = _front_matter_end(lines, path)
    front = _Front(path, lines[:end])
    table = front.parse()
    front.known_keys(table, PAGE_KEYS, 0)
    for key in PAGE_KEYS:
        if key not in table and not (key == "match" and table.get("group") == RUN_GROUP):
            front.fail(f"`{key}` is missing")
    code, name = front.text(table, "code"), front.text(table, "name")
    if not _CODE.fullmatch(code):
        front.fail(f"code {code!r} is not of the form CL101", "code")
    if not _NAME.fullmatch(name):
        front.fail(f"name {name!r} is not kebab case", "name")
    if PurePath(path).name != f"{code}-{name}.md":
        front.fail(f"the file must be named {code}-{name}.md after its code and name", "code")
    group = front.word(table, "group", GROUPS)
    if code.startswith("CL") and not code.startswith(GROUPS[group]):
        front.fail(f"codes of group {group} begin with {GROUPS[group]}", "group")
    if group == RUN_GROUP and not code.startswith(GROUPS[RUN_GROUP]):
        front.fail("a page of your own is about source: only compilelint's own have group run", "group")
    effect = cast(Effect, front.word(table, "effect", EFFECTS))
    severity = cast(Severity, front.word(table, "severity", SEVERITIES))
    message, suggestion = front.template(table, "message"), front.template(table, "suggestion")
    _check_sections(lines, end, path)
    examples = _examples(lines, end, path)
    hazards = {example.name for example in examples if example.hazard}
    return Rule(
        code=code,
        name=name,
        group=group,
        effect=effect,
        severity=severity,
        message=message,
        suggestion=suggestion,
        matches=_matches(front, table, hazards),
        examples=examples,
        prose="\n".join(lines[end + 1 :]).strip() + "\n",
    )


class _Front:
    """The front matter while it is being checked: it knows on which line a key stands."""

    def __init__(self, path: str, lines: list[str]) -> None:
        self.path = path
        self.lines = lines

    def parse(self) -> dict[str, Any]:
        try:
            return tomllib.loads("\n".join(["", *self.lines[1:]]))
        except tomllib.TOMLDecodeError as error:
            where = _TOML_LINE.search(str(error))
            line = int(where.group(1)) if where else len(self.lines)
            raise PageError(self.path, line, _TOML_LINE.sub("", str(error)).strip()) from None

    def line_of(self, key: str, table: int = 0) -> int:
        """Line of `key = …` in the page's own table (0) or in its n-th `[[match]]`."""
        current = 0
        for number, line in enumerate(self.lines, 1):
            if line.strip() == "[[match]]":
                current += 1
                if current == table and not key:
                    return number
            elif current == table and re.match(rf'\s*(\[match\.)?"?{re.escape(key)}"?\s*[=\]]', line):
                return number
        return self.line_of("", table) if table and key else 1

    def fail(self, message: str, key: str = "", table: int = 0) -> None:
        raise PageError(self.path, self.line_of(key, table), message)

    def known_keys(self, found: Iterable[str], known: Iterable[str], table: int) -> None:
        for key in found:
            if key not in known:
                self.fail(f"unknown key `{key}`{nearest(key, known)}", key, table)

    def text(self, values: Mapping[str, Any], key: str, table: int = 0) -> str:
        value = values[key]
        if not isinstance(value, str) or not value.strip():
            self.fail(f"`{key}` must be a non-empty string", key, table)
        return cast(str, value)

    def word(self, values: Mapping[str, Any], key: str, known: Iterable[str], table: int = 0) -> str:
        value = self.text(values, key, table)
        if value not in known:
            self.fail(f"unknown {key} {value!r}{nearest(value, known)}", key, table)
        return value

    def template(self, values: Mapping[str, Any], key: str, table: int = 0) -> str:
        """A sentence that may hold `{source}` and `{callee}`."""
        value = self.text(values, key, table)
        try:
            fields = [field for _, field, _, _ in Formatter().parse(value) if field is not None]
        except ValueError as error:
            self.fail(f"`{key}`: {error}; write a brace as `{{{{` or `}}}}`", key, table)
        for field in fields:
            if field not in PLACEHOLDERS:
                self.fail(f"`{key}` may hold {{source}} and {{callee}}, not {{{field}}}", key, table)
        return value

    def texts(self, values: Mapping[str, Any], key: str, table: int) -> tuple[str, ...]:
        value = values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
            self.fail(f"`{key}` must be a list of strings", key, table)
        if key in values and not value:
            self.fail(f"`{key}` is empty: leave it out", key, table)
        return tuple(value)


def _front_matter_end(lines: list[str], path: str) -> int:
    """Index of the closing `+++`."""
    if not lines or lines[0].rstrip() != "+++":
        raise PageError(path, 1, "a rule page begins with TOML front matter between `+++` lines")
    for index, line in enumerate(lines[1:], 1):
        if line.rstrip() == "+++":
            return index
    raise PageError(path, 1, "the front matter is not closed by a `+++` line")


def _matches(front: _Front, page: Mapping[str, Any], hazards: set[str]) -> tuple[Match, ...]:
    if page["group"] == RUN_GROUP:
        if "match" in page:
            front.fail("a page of group run has no [[match]]: there is nothing in source to match", "", 1)
        return ()
    tables = page["match"]
    if not isinstance(tables, list) or not tables or not all(isinstance(item, dict) for item in tables):
        front.fail("a page needs at least one [[match]] table", "match")
    return tuple(_match(front, values, number, hazards) for number, values in enumerate(tables, 1))


def _match(front: _Front, values: Mapping[str, Any], table: int, hazards: set[str]) -> Match:
    front.known_keys(values, MATCH_KEYS, table)
    for key in ("event", "example"):
        if key not in values:
            front.fail(f"this [[match]] has no `{key}`", "", table)
    example = front.text(values, "example", table)
    if example not in hazards:
        front.fail(
            f"there is no block `python hazard {example}` on this page{nearest(example, hazards)}",
            "example",
            table,
        )
    callees, excepted = front.texts(values, "callee", table), front.texts(values, "not-callee", table)
    for callee in callees:
        if not _CALLEE.fullmatch(callee):
            front.fail(
                f"callee {callee!r} is not a dotted name (a `*` may stand at the end only)",
                "callee",
                table,
            )
    for name in excepted:
        if not any(callee.endswith("*") and name.startswith(callee[:-1]) for callee in callees):
            front.fail(f"`not-callee`: no `*` of `callee` means {name!r}", "not-callee", table)
    receiver = front.texts(values, "receiver", table)
    _check_labels(front, receiver, "receiver", table)
    detector = front.text(values, "detector", table) if "detector" in values else None
    if detector is not None and not _DETECTOR.fullmatch(detector):
        front.fail(f"detector {detector!r} is not of the form module:function", "detector", table)
    return Match(
        event=front.word(values, "event", EVENT_TYPES, table),
        example=example,
        callee=callees,
        not_callee=frozenset(excepted),
        construct=frozenset(front.texts(values, "construct", table)),
        receiver=frozenset(receiver),
        arguments=_requirements(front, values, "arguments", table),
        not_arguments=_requirements(front, values, "not-arguments", table),
        message=front.template(values, "message", table) if "message" in values else None,
        suggestion=front.template(values, "suggestion", table) if "suggestion" in values else None,
        detector=detector,
    )


def _requirements(
    front: _Front, values: Mapping[str, Any], key: str, table: int
) -> tuple[tuple[str, Requirement], ...]:
    found = values.get(key, {})
    if not isinstance(found, dict):
        front.fail(f"`{key}` must be a table: argument = labels", key, table)
    requirements: list[tuple[str, Requirement]] = []
    for argument, value in found.items():
        if not _ARGUMENT.fullmatch(argument):
            front.fail(f"`{key}`: {argument!r} is not a position, a keyword or `1|name`", key, table)
        if value == "present" or value == "absent":
            requirements.append((argument, value))
        elif isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            _check_labels(front, value, key, table)
            requirements.append((argument, frozenset(value)))
        else:
            front.fail(
                f'`{key}`: {argument} must be a list of labels, "present" or "absent"',
                key,
                table,
            )
    return tuple(requirements)


def _check_labels(front: _Front, words: Iterable[str], key: str, table: int) -> None:
    for word in words:
        if word not in VOCABULARY:
            front.fail(
                f"`{key}`: unknown label {word!r}{nearest(word, VOCABULARY)}",
                key,
                table,
            )


def _check_sections(lines: list[str], end: int, path: str) -> None:
    expected = list(SECTIONS)
    fenced = False
    for number, line in enumerate(lines[end + 1 :], end + 2):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and line.startswith("## "):
            title = line[3:].strip()
            if not expected or title != expected[0]:
                wanted = f"`## {expected[0]}` is next" if expected else "`## Examples` is the last one"
                raise PageError(path, number, f"unexpected section `## {title}`: {wanted}")
            expected.pop(0)
    if expected:
        raise PageError(path, len(lines), f"section `## {expected[0]}` is missing")


def _examples(lines: list[str], end: int, path: str) -> tuple[Example, ...]:
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
    if len(words) != 3 or words[1] not in ("hazard", "clean") or not _NAME.fullmatch(words[2]):
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
