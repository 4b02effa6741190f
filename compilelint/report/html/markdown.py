"""The page of a rule, from Markdown."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from compilelint.report.html.code import fenced
from compilelint.report.terminal.cells import printable

_CODE = re.compile(r"\b([A-Z]{2,}\d{3,})\b")
_LEVELS = 2
"""A page's title is a heading of the third level here."""


def rule_page(text: str, known: Collection[str]) -> Markup:
    """A rule's page as HTML; codes of the rules in `known` link to their pages. Raw HTML in it stays text."""
    parser = MarkdownIt("commonmark", {"html": False, "highlight": _fenced}).enable("table")
    tokens = parser.parse("\n".join(printable(line) for line in text.expandtabs(4).split("\n")))
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1:]) + _LEVELS, 6)}"
        elif token.type == "inline" and token.children:
            token.children = _linked(token.children, known)
    return Markup(parser.renderer.render(tokens[_title_end(tokens) :], parser.options, {}))


def _title_end(tokens: Sequence[Token]) -> int:
    """The page's first heading says again what its frame says."""
    return 3 if tokens and tokens[0].type == "heading_open" else 0


def _fenced(code: str, language: str, _attributes: Any) -> str:
    return fenced(code, language.partition(" ")[0])


def _linked(children: Sequence[Token], known: Collection[str]) -> list[Token]:
    found: list[Token] = []
    inside = 0
    for child in children:
        inside += {"link_open": 1, "link_close": -1}.get(child.type, 0)
        if child.type != "text" or inside:
            found.append(child)
            continue
        for index, part in enumerate(_CODE.split(child.content)):
            if index % 2 and part in known:
                found.append(Token("link_open", "a", 1, attrs={"href": f"#{part}"}))
                found.append(Token("text", "", 0, content=part))
                found.append(Token("link_close", "a", -1))
            elif part:
                found.append(Token("text", "", 0, content=part))
    return found
