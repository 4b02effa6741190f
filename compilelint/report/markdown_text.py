"""Any text as GitHub's Markdown: shown as it is, and doing nothing."""

from __future__ import annotations

import html
import re

from compilelint.report.terminal.cells import printable

_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_ACTIVE = re.compile(r"([\\`*_\[\]<>|~$#])")
_MENTION = re.compile(r"([@#])(?=\w)")
_UNSEEN = "&#8203;"
"""A space without width: what follows it is no mention, and no number of an issue."""


def inline(text: str) -> str:
    """Text of one line; what stands in backticks is code, as messages mean it."""
    return _parts(text, in_table=False)


def cell(text: str) -> str:
    """The same for a cell of a table, where a bar would end the cell even in code."""
    return _parts(text, in_table=True)


def code(text: str, *, in_table: bool = False) -> str:
    """Text of one line as code, whatever it holds."""
    shown = printable(text).strip()
    if not shown:
        return ""
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return fence + pad + (shown.replace("|", "\\|") if in_table else shown) + pad + fence


def block(text: str) -> str:
    """Lines of Python, fenced."""
    shown = "\n".join(map(printable, text.split("\n")))
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", shown)), default=0))
    return f"{fence}python\n{shown}\n{fence}"


def in_html(text: str) -> str:
    """Text of one line inside of an HTML element, where no Markdown is read; what stands in backticks is code."""
    pieces = _CODE.split(html.escape(printable(text), quote=False))  # every second one is code
    return "".join(
        f"<code>{each}</code>" if index % 2 else _MENTION.sub(rf"\1{_UNSEEN}", each)
        for index, each in enumerate(pieces)
    )


def row(*cells: str) -> str:
    """A row of a table; the cells are Markdown."""
    return f"| {' | '.join(cells)} |"


def _parts(text: str, *, in_table: bool) -> str:
    shown = printable(text)
    parts: list[str] = []
    end = 0
    for found in _CODE.finditer(shown):
        parts += [_plain(shown[end : found.start()]), code(found[1], in_table=in_table)]
        end = found.end()
    return "".join([*parts, _plain(shown[end:])])


def _plain(text: str) -> str:
    escaped = _ACTIVE.sub(r"\\\1", text.replace("&", "&amp;"))
    return _MENTION.sub(rf"\1{_UNSEEN}", escaped)
