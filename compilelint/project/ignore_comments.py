"""Comments that accept findings, as insertions into source: for the server's code action, and for who writes files."""

from __future__ import annotations

import tokenize
from collections.abc import Iterable
from dataclasses import dataclass
from io import StringIO

from compilelint.project.suppressions import Suppression, read_suppressions
from compilelint.report.model import Finding

_STRING_STARTS = ("FSTRING_START", "TSTRING_START")
_STRING_ENDS = ("FSTRING_END", "TSTRING_END")


@dataclass(frozen=True, slots=True)
class Insertion:
    """A text to be put before the character at a line and column, both 1-based."""

    line: int
    column: int
    text: str


def ignore_comments(text: str, findings: Iterable[Finding], reason: str = "") -> tuple[Insertion, ...]:
    """What to insert so that comments accept the findings of a file, one insertion for each line, from the top.

    A comment goes to the end of a finding's first line. Where none can stand there, in a string or before a backslash,
    it goes to the last line of the statement, where it holds for all of it. A comment of ours that is there already
    gets the new codes. Empty if the text cannot be tokenized.
    """
    places = _places(text)
    if places is None:
        return ()
    codes: dict[int, set[str]] = {}
    for finding in findings:
        line = places.get(finding.line)
        if line is not None:
            codes.setdefault(line, set()).add(finding.code)
    lines = text.split("\n")
    merging = {each.line: each for each in read_suppressions(text) if _takes_codes(each)}
    made = (_insertion(lines[line - 1], line, codes[line], merging.get(line), reason) for line in sorted(codes))
    return tuple(each for each in made if each.text)


def inserted(text: str, insertions: Iterable[Insertion]) -> str:
    """The text with the insertions in it."""
    lines = text.split("\n")
    for each in sorted(insertions, key=lambda each: (each.line, each.column), reverse=True):
        line = lines[each.line - 1]
        lines[each.line - 1] = line[: each.column - 1] + each.text + line[each.column - 1 :]
    return "\n".join(lines)


def _takes_codes(suppression: Suppression) -> bool:
    return suppression.form == "ignore" and not suppression.mistake and suppression.codes != ("ALL",)


def _insertion(line: str, number: int, codes: set[str], there: Suppression | None, reason: str) -> Insertion:
    if there is not None:
        added = "".join(f", {code}" for code in sorted(codes - set(there.codes)))
        return Insertion(number, there.end_column - 1, added)  # before the closing bracket
    comment = f"  # compilelint: ignore[{', '.join(sorted(codes))}] {reason}".rstrip()
    return Insertion(number, len(line.rstrip()) + 1, comment)


def _places(text: str) -> dict[int, int] | None:
    """Of each line of code the line at whose end a comment holds for it; None if the text cannot be tokenized."""
    places: dict[int, int] = {}
    waiting: list[int] = []
    in_string = 0
    done = 0
    try:
        for token in tokenize.generate_tokens(StringIO(text).readline):
            name = tokenize.tok_name[token.type]
            in_string += (name in _STRING_STARTS) - (name in _STRING_ENDS)
            if token.type not in (tokenize.NL, tokenize.NEWLINE):
                continue
            line = token.start[0]
            # Lines that end without such a token end in a string or with a backslash.
            waiting += range(done + 1, line + (in_string > 0))
            done = line
            if not in_string:
                places[line] = line
            if token.type == tokenize.NEWLINE:
                places.update(dict.fromkeys(waiting, line))
                waiting.clear()
    except (tokenize.TokenError, SyntaxError):
        return None
    return places
