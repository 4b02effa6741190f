"""Reads one rule page: TOML front matter, prose and fenced examples become a `Rule`.

The format is documented in docs/writing-rules.md. Every mistake in a page is a `PageError` that names
the file and the line, since users write pages of their own (`extra-rules`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any, cast, get_args

from compilelint.catalog.front_matter import FrontMatter, front_matter_end
from compilelint.catalog.model import Match, Requirement, Rule
from compilelint.catalog.page_error import PageError
from compilelint.catalog.page_examples import NAME, examples_on
from compilelint.inspect.events import EVENT_TYPES
from compilelint.inspect.labels import VOCABULARY
from compilelint.report.model import Effect, Severity
from compilelint.spelling import nearest

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
    "only-explicit",
    "at-use",
)

_CODE = re.compile(r"[A-Z]{2,8}\d{3,4}")
_CALLEE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*(\.\*|\*)?")
_ARGUMENT = re.compile(r"(\d+|[A-Za-z_]\w*)(\|(\d+|[A-Za-z_]\w*))*")
_DETECTOR = re.compile(r"[a-z_]\w*:[a-z_]\w*")


def parse_page(text: str, path: str) -> Rule:
    """The rule that a page describes, without evidence.

    `path` is used for the file name, which must be `CODE-name.md`, and in error messages. Raises PageError.
    """
    lines = text.splitlines()
    end = front_matter_end(lines, path)
    front = FrontMatter(path, lines[:end])
    table = front.parse()
    front.known_keys(table, PAGE_KEYS, 0)
    for key in PAGE_KEYS:
        if key not in table and not (key == "match" and table.get("group") == RUN_GROUP):
            front.fail(f"`{key}` is missing")
    code, name = front.text(table, "code"), front.text(table, "name")
    if not _CODE.fullmatch(code):
        front.fail(f"code {code!r} is not of the form CL101", "code")
    if not NAME.fullmatch(name):
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
    examples = examples_on(lines, end, path)
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


def _matches(front: FrontMatter, page: Mapping[str, Any], hazards: set[str]) -> tuple[Match, ...]:
    if page["group"] == RUN_GROUP:
        if "match" in page:
            front.fail("a page of group run has no [[match]]: there is nothing in source to match", "", 1)
        return ()
    tables = page["match"]
    if not isinstance(tables, list) or not tables or not all(isinstance(item, dict) for item in tables):
        front.fail("a page needs at least one [[match]] table", "match")
    return tuple(_match(front, values, number, hazards) for number, values in enumerate(tables, 1))


def _match(front: FrontMatter, values: Mapping[str, Any], table: int, hazards: set[str]) -> Match:
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
    only_explicit = values.get("only-explicit", False)
    if not isinstance(only_explicit, bool):
        front.fail("`only-explicit` must be true or false", "only-explicit", table)
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
        only_explicit=only_explicit,
        at_use=cast(Effect, front.word(values, "at-use", EFFECTS, table)) if "at-use" in values else None,
    )


def _requirements(
    front: FrontMatter, values: Mapping[str, Any], key: str, table: int
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


def _check_labels(front: FrontMatter, words: Iterable[str], key: str, table: int) -> None:
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
