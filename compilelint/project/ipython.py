"""The code cell of a notebook as Python, with every line and column where it was.

IPython reads more than Python: `%time f(x)`, `!pip install …`, `files = !ls`, `model?`, `%%capture` on the first
line. What is Python in it stays in its place; the rest becomes a statement that does nothing. The syntax is that of
IPython.core.inputtransformer2. Of cell magics those are known that run their body as Python, much as ruff knows them.
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator, Sequence
from itertools import islice

_RUN_THEIR_BODY = {
    "capture",
    "debug",
    "ipytest",
    "memit",
    "prun",
    "pyinstrument",
    "pypy",
    "python",
    "python3",
    "scalene",
    "snakeviz",
    "time",
    "timeit",
    "wandb",
}
_RUN_THEIR_LINE = {"lprun", "memit", "mprun", "prun", "pyinstrument", "scalene", "snakeviz", "time", "timeit"}
_AUTOMAGIC = frozenset(
    {"alias", "cat", "cd", "clear", "conda", "config", "cp", "env", "history", "less", "load", "load_ext", "ls"}
    | {"mamba", "man", "matplotlib", "micromamba", "mkdir", "more", "mv", "pip", "pwd", "reset", "rm", "rmdir"}
    | {"run", "uv", "who", "whos"}
)
_SPECIAL = re.compile(r"^[ \t]*(?:[%!?,;/]|[^#\n]*(?:\?[ \t]*$|=[ \t]*[%!](?!=)))", re.MULTILINE)
_CELL_MAGIC = re.compile(r"%%(\w*)")
_ESCAPED = re.compile(r"[ \t]*[%!?,;/]")
_LINE_MAGIC = re.compile(
    r"[ \t]*%(?P<name>\w+)(?:[ \t]+-(?:[nrpfmslDT][ \t]*\S+|\w+|-[\w-]+))*[ \t]+(?=[^\s#-])"  # options, code
)
_HELP = re.compile(r"[ \t]*%{0,2}[^\W\d][\w.*\[\]]*[ \t]*\?{1,2}[ \t]*$")
_ASSIGNED = re.compile(r"(?P<target>[ \t]*[^\W\d][\w\s,.*()\[\]]*=[ \t]*)(?P<escape>[%!])(?!=)")
_NOTHING = "pass"
_UNKNOWN = "get_ipython()"
"""What an assigned magic gives: nothing that can be told from source."""


def as_python(cell: str) -> str | None:
    """The cell as Python of as many lines; None if it is in another language (`%%bash`).

    Whether Python can parse it is for the caller to see.
    """
    lines = cell.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if magic := _CELL_MAGIC.match(lines[first]):
        rest = lines[first + 1 :]
        body = as_python("\n".join(rest)) if magic[1] in _RUN_THEIR_BODY else None
        return None if body is None else "\n".join([*lines[:first], _NOTHING, *([body] if rest else [])])
    if _is_automagic(cell):
        return "\n".join([*lines[:first], _NOTHING, *lines[first + 1 :]])
    if not _SPECIAL.search(cell):
        return cell
    return "\n".join(_translated(lines))


def _is_automagic(cell: str) -> bool:
    """`pip install x` without its `%`: IPython takes it for a magic where it is all that a cell holds."""
    words = cell.split()
    if len(words) < 2 or words[0] not in _AUTOMAGIC or "\n" in cell.strip():
        return False
    return not _parses(cell.strip())


def _translated(lines: Sequence[str]) -> Iterator[str]:
    """The lines, each logical one that IPython would transform replaced."""
    position = 0
    while position < len(lines):
        line = lines[position]
        if _ESCAPED.match(line) or _HELP.match(line):
            end = _end_of_continuation(lines, position)
            yield _escaped(line) if end == position + 1 else _indent(line) + _NOTHING
        elif assigned := _ASSIGNED.match(line):
            end = _end_of_continuation(lines, position)
            yield assigned["target"] + _UNKNOWN
        else:
            end = _end_of_logical_line(lines, position)
            yield from lines[position:end]
            position = end
            continue
        yield from [""] * (end - position - 1)
        position = end


def _end_of_continuation(lines: Sequence[str], start: int) -> int:
    """Past the last line of what IPython reads as one, for a backslash at the end of each but the last."""
    end = start + 1
    while end < len(lines) and lines[end - 1].endswith("\\"):
        end += 1
    return end


def _end_of_logical_line(lines: Sequence[str], start: int) -> int:
    """Past the last line of the Python statement (or header of one, or comment) that begins here."""
    if not lines[start].strip() or lines[start].lstrip().startswith("#"):
        return start + 1
    rest = (f"{line}\n" for line in islice(lines, start, None))
    try:
        for token in tokenize.generate_tokens(lambda: next(rest, "")):
            if token.type == tokenize.NEWLINE:
                return start + token.end[0]
    except (tokenize.TokenError, SyntaxError):
        pass
    # No Python: the parser will say so.
    return len(lines)


def _escaped(line: str) -> str:
    """A line that begins with an escape, on its own: the code in `%time code` stays in its columns."""
    magic = _LINE_MAGIC.match(line)
    if magic and magic["name"] in _RUN_THEIR_LINE:
        # What follows a semicolon may begin anywhere.
        kept = f"{_indent(line)}0;".ljust(magic.end()) + line[magic.end() :]
        if _parses(kept.strip()):
            return kept
    return _indent(line) + _NOTHING


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _parses(code: str) -> bool:
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
