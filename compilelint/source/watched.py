"""Functions whose bodies are parsed only when somebody looks into them, and of which it is noted that somebody did."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from compilelint.source.model import FunctionNode

BodyKey: TypeAlias = tuple[str, int]
"""Name of a file, and which of its bodies it is, from 0 on."""


class Body(Struct, frozen=True):
    """The body of a function of a module or of a class: whole lines."""

    first: int
    last: int
    end_column: int
    """Where the last line ends, in bytes, as in `end_col_offset`."""
    stores: bool
    """Whether its own statements assign to an attribute, as in `self.width = width`, or register a buffer."""


class Watch(Struct, frozen=True):
    """What the functions of a module have in common."""

    name: str
    """Of the file."""
    lines: Sequence[str]
    note: Callable[[BodyKey], None]
    """What is told of who looks into one of them."""


class WatchedFunction(ast.FunctionDef):
    """A function that is parsed as far as somebody looks, and of which it is noted that somebody did."""

    __slots__ = ()
    watch: Watch
    number: int
    """Which of the bodies its own is."""
    whole: Body

    @property
    def body(self) -> list[ast.stmt]:  # type: ignore[override]
        """Its statements."""
        self.watch.note((self.watch.name, self.number))
        parsed: list[ast.stmt] | None = self.__dict__.get("body")
        return self._parse() if parsed is None else parsed

    @property
    def is_parsed(self) -> bool:
        """Whether its statements are there already."""
        return "body" in self.__dict__

    def _parse(self) -> list[ast.stmt]:
        text = "\n".join(self.watch.lines[self.whole.first - 1 : self.whole.last])
        # The parser counts lines from the first: the others before it are empty.
        parsed = ast.parse("\n" * (self.whole.first - 2) + "if 1:\n" + text).body[0]
        assert isinstance(parsed, ast.If)
        self.__dict__["body"] = parsed.body
        return parsed.body


def watched(node: ast.FunctionDef, watch: Watch, number: int, whole: Body) -> None:
    """Watch a function from now on."""
    node.__class__ = WatchedFunction
    assert isinstance(node, WatchedFunction)
    node.watch, node.number, node.whole = watch, number, whole


def stores(node: FunctionNode) -> bool:
    """Whether a function's own statements may give attributes to an object; nobody looks into it for that."""
    return node.whole.stores if isinstance(node, WatchedFunction) else True


def says(node: FunctionNode, lines: Sequence[str], word: str) -> bool:
    """Whether the text of a function holds a word; `lines` are those of its module."""
    if isinstance(node, WatchedFunction):
        node.watch.note((node.watch.name, node.number))
    return word in "\n".join(lines[node.lineno - 1 : node.end_lineno])
