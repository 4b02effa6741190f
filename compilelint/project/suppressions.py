"""Comments that accept a hazard, and those that accept nothing.

    loss = x.item()  # compilelint: ignore[CL101] read once per epoch
    loss = x.item()  # noqa: CL101
    # compilelint: ignore-file[CL2, tensor-item] at the top of the file

A comment at the end of a line holds for what is found on that line; one on the first or last line of
a statement holds for all of the statement's lines.
"""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from io import StringIO
from itertools import pairwise
from typing import Literal

from compilelint.report.confidence import Confidence
from compilelint.report.model import Finding
from compilelint.spelling import nearest

UNUSED_CODE = "CL001"
UNUSED_NAME = "unused-suppression"

_OURS = re.compile(r"(?:^|\s)#\s*compilelint\s*:\s*(?P<form>[\w-]*)(?P<bracket>\s*\[(?P<codes>[^\]]*)(?P<close>\])?)?")
_NOQA = re.compile(r"#\s*noqa(?![\w-])(?P<colon>\s*:)?", re.IGNORECASE)
_NOQA_CODE = re.compile(r"[\s,]*([A-Z]+[0-9]+)(?![\w-])", re.IGNORECASE)
_RELEVANT = re.compile(r"#\s*(?:compilelint\s*:|noqa(?!\s*:)|noqa\s*:.*CL)", re.IGNORECASE)
"""What every file with a comment that suppresses says; a `noqa` for other tools' codes is none."""
_FALLBACK = re.compile(r"#\s*(?:compilelint\s*:|noqa).*", re.IGNORECASE)
_EVERYTHING = "ALL"
_BETWEEN_STATEMENTS = {tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.NEWLINE, tokenize.ENDMARKER}


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment. Lines and columns are 1-based, `end_column` exclusive."""

    form: Literal["ignore", "ignore-file", "noqa"]
    codes: tuple[str, ...]
    """As written: codes, their beginnings, names of rules, ALL."""
    line: int
    column: int
    end_column: int
    lines: range
    """The lines that it holds for."""
    source_line: str
    mistake: str = ""
    """What is wrong with it, if anything; it then holds for nothing."""


@dataclass(frozen=True, slots=True)
class Suppressed:
    """Findings of one file, sorted out."""

    kept: tuple[Finding, ...]
    dropped: tuple[Finding, ...]
    used: frozenset[tuple[Suppression, str]] = field(default=frozenset())
    """Comments with those of their codes that dropped a finding."""


@dataclass(frozen=True, slots=True)
class _Comment:
    text: str
    line: int
    column: int
    source_line: str
    statement: range
    """The lines of the statement on whose first or last line it stands, else its own line."""
    at_top: bool


def may_suppress(text: str) -> bool:
    """Whether a text may have such comments: most have none, and need not be looked at."""
    return _FALLBACK.search(text) is not None


def read_suppressions(text: str) -> tuple[Suppression, ...]:
    """All comments of a file that suppress, in order; empty at once for a file without any."""
    if not _RELEVANT.search(text):
        return ()
    return tuple(each for comment in _comments(text) for each in _parsed(comment))


def suppress(findings: Iterable[Finding], suppressions: Iterable[Suppression]) -> Suppressed:
    """Drops the findings that a comment accepts. Findings and suppressions are those of one file."""
    kept: list[Finding] = []
    dropped: list[Finding] = []
    used: set[tuple[Suppression, str]] = set()
    valid = [each for each in suppressions if not each.mistake]
    for finding in findings:
        holding = [
            (each, code)
            for each in valid
            if finding.line in each.lines or finding.end_line == each.line
            for code in each.codes
            if matches(code, finding.code, finding.name)
        ]
        used.update(holding)
        (dropped if holding else kept).append(finding)
    return Suppressed(tuple(kept), tuple(dropped), frozenset(used))


def matches(written: str, code: str, name: str) -> bool:
    """Whether what a comment says (a code, the beginning of one, a name, ALL) means a rule."""
    said = written.upper()
    return said in (_EVERYTHING, code) or written == name or (said.startswith("CL") and code.startswith(said))


def complaints(
    path: str,
    suppressions: Iterable[Suppression],
    used: frozenset[tuple[Suppression, str]],
    known: Mapping[str, str],
    active: Mapping[str, str],
) -> tuple[Finding, ...]:
    """One finding per comment of ours that is wrong or accepts nothing; `noqa` belongs to others too.

    `known` are all rules, code to name; `active` those that were looked for in this file: a code of
    which none was looked for cannot be called unused. Fingerprints are left empty.
    """
    ours = [each for each in suppressions if each.form != "noqa"]
    accepted = {line for each in ours if UNUSED_CODE in each.codes for line in each.lines}
    return tuple(
        _finding(path, each, message, suggestion)
        for each in ours
        if each.line not in accepted
        for message, suggestion in _faults(each, used, known, active)
    )


def _faults(
    suppression: Suppression,
    used: frozenset[tuple[Suppression, str]],
    known: Mapping[str, str],
    active: Mapping[str, str],
) -> Iterator[tuple[str, str]]:
    if suppression.mistake:
        yield suppression.mistake, "Write `# compilelint: ignore[CODE] reason`."
        return
    unknown = [code for code in suppression.codes if not _means_any(code, known)]
    words = (*known, *known.values())
    for code in unknown:
        hint = nearest(code if code.islower() else code.upper(), words)
        yield f"no rule is called `{code}`{hint}", "Correct the code, or remove it."
    unused = [
        code
        for code in suppression.codes
        if code not in unknown and (suppression, code) not in used and _means_any(code, active)
    ]
    if not unused:
        return
    listed = ", ".join(f"`{code}`" for code in unused)
    if len(unused) == len(suppression.codes):
        yield f"nothing to suppress here for {listed}", "Remove the comment."
    else:
        yield f"nothing to suppress here for {listed}", f"Remove {listed} from the comment."


def _means_any(written: str, rules: Mapping[str, str]) -> bool:
    return any(matches(written, code, name) for code, name in rules.items())


def _finding(path: str, suppression: Suppression, message: str, suggestion: str) -> Finding:
    return Finding(
        code=UNUSED_CODE,
        name=UNUSED_NAME,
        # Nothing compiles differently: of the effects there are, this one claims least.
        effect="none",
        severity="info",
        confidence=Confidence.HIGH,
        path=path,
        line=suppression.line,
        column=suppression.column,
        end_line=suppression.line,
        end_column=suppression.end_column,
        function="<comment>",
        message=message,
        suggestion=suggestion,
        gb_ids=(),
        reached_from=(),
        aggravated_by=(),
        source_line=suppression.source_line,
        fingerprint="",
    )


def _parsed(comment: _Comment) -> Iterator[Suppression]:
    for found in _OURS.finditer(comment.text):
        start = found.start() + found[0].index("#")
        yield _ours(comment, found, start)
    for found in _NOQA.finditer(comment.text):
        codes = _noqa_codes(comment.text, found)
        if codes:
            yield _suppression(comment, "noqa", codes, found.start(), found.end())


def _ours(comment: _Comment, found: re.Match[str], start: int) -> Suppression:
    form = found["form"]
    codes = tuple(code for code in re.split(r"[\s,]+", found["codes"] or "") if code)
    mistake = ""
    if form not in ("ignore", "ignore-file"):
        mistake = f"`{form}` is no directive{nearest(form, ['ignore', 'ignore-file'])}"
    elif found["bracket"] and not found["close"]:
        mistake = "the `[` is never closed"
    elif found["bracket"] and not codes:
        mistake = "no rule between the brackets"
    elif form == "ignore-file" and not comment.at_top:
        mistake = "`ignore-file` has an effect only before the first statement of the file"
    known_form: Literal["ignore", "ignore-file"] = "ignore-file" if form == "ignore-file" else "ignore"
    return _suppression(comment, known_form, codes or (_EVERYTHING,), start, found.end(), mistake)


def _noqa_codes(text: str, found: re.Match[str]) -> tuple[str, ...]:
    if not found["colon"]:
        return (_EVERYTHING,)
    codes: list[str] = []
    position = found.end()
    while code := _NOQA_CODE.match(text, position):
        codes.append(code[1])
        position = code.end()
    return tuple(code for code in codes if code.upper().startswith("CL"))


def _suppression(
    comment: _Comment,
    form: Literal["ignore", "ignore-file", "noqa"],
    codes: tuple[str, ...],
    start: int,
    end: int,
    mistake: str = "",
) -> Suppression:
    whole_file = range(1, 1 << 31)
    return Suppression(
        form,
        codes,
        comment.line,
        comment.column + start,
        comment.column + end,
        whole_file if form == "ignore-file" else comment.statement,
        comment.source_line,
        mistake,
    )


def _comments(text: str) -> list[_Comment]:
    lines = text.split("\n")
    try:
        tokens = list(tokenize.generate_tokens(StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return _comments_by_look(lines)
    first_statement = _first_statement(tokens)
    comments: list[_Comment] = []
    for statement in _statements(tokens):
        first, last = statement[0].start[0], statement[-1].end[0]
        for token in statement:
            if token.type != tokenize.COMMENT:
                continue
            line, column = token.start
            held = range(first, last + 1) if line in (first, last) else range(line, line + 1)
            at_top = line < first_statement
            comments.append(_Comment(token.string, line, column + 1, lines[line - 1], held, at_top))
    return comments


def _statements(tokens: Iterable[tokenize.TokenInfo]) -> Iterator[list[tokenize.TokenInfo]]:
    """The tokens of each statement (of a compound one: its header), and each comment between statements."""
    statement: list[tokenize.TokenInfo] = []
    for token in tokens:
        if not statement and token.type in _BETWEEN_STATEMENTS:
            continue
        if not statement and token.type == tokenize.COMMENT:
            yield [token]
            continue
        statement.append(token)
        if token.type == tokenize.NEWLINE:
            yield statement
            statement = []


def _first_statement(tokens: list[tokenize.TokenInfo]) -> int:
    """The line of the first statement that is not the docstring; past the end if there is none."""
    docstring_seen = False
    for token, following in pairwise(tokens):
        if token.type in (*_BETWEEN_STATEMENTS, tokenize.COMMENT):
            continue
        is_docstring = token.type == tokenize.STRING and following.type in (
            tokenize.NEWLINE,
            tokenize.COMMENT,
        )
        if docstring_seen or not is_docstring:
            return token.start[0]
        docstring_seen = True
    return tokens[-1].end[0] + 1


def _comments_by_look(lines: list[str]) -> list[_Comment]:
    """What can be told of a text that is no Python."""
    return [
        _Comment(found[0], number, found.start() + 1, line, range(number, number + 1), at_top=True)
        for number, line in enumerate(lines, start=1)
        if (found := _FALLBACK.search(line))
    ]
