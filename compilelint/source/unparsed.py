"""The outline of a module, and functions whose bodies are parsed only when somebody looks into them.

Of a large module most walks need a few functions. Where the bodies of its functions stand is known once it was parsed
as a whole; from then on its outline, with a number in the place of each body, is parsed in a third of the time.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from msgspec import Struct

from compilelint.source.model import FunctionNode


class Body(Struct, frozen=True):
    """The body of a function of a module or of a class: whole lines."""

    first: int
    last: int
    end_column: int
    """Where the last line ends, in bytes, as in `end_col_offset`."""
    stores: bool
    """Whether its own statements assign to an attribute of a name, as in `self.width = width`."""


class Unparsed(ast.FunctionDef):
    """A function whose body is not parsed yet. Whoever asks for the body makes a plain `ast.FunctionDef` of it."""

    __slots__ = ()
    lines: Sequence[str]
    """Of the module."""
    left_out: Body

    def __getattr__(self, name: str) -> list[ast.stmt]:
        if name != "body":
            raise AttributeError(name)
        left_out = self.left_out
        text = "\n".join(self.lines[left_out.first - 1 : left_out.last])
        # The parser counts lines from the first: the others before it are empty.
        parsed = ast.parse("\n" * (left_out.first - 2) + "if 1:\n" + text).body[0]
        assert isinstance(parsed, ast.If)
        self.body = parsed.body
        self.__class__ = ast.FunctionDef  # type: ignore[assignment]
        del self.lines, self.left_out
        return self.body


def outlined(text: str, bodies: Sequence[Body]) -> ast.Module:
    """What `ast.parse` gives, but for the bodies that are left out. `bodies` are `bodies_of` the same text.

    Raises what `ast.parse` does.
    """
    lines = text.split("\n")
    rest = lines.copy()
    for body in bodies:
        line = lines[body.first - 1]
        rest[body.first - 1] = line[: len(line) - len(line.lstrip())] + "0"
        rest[body.first : body.last] = [""] * (body.last - body.first)
    tree = ast.parse("\n".join(rest))
    _take_out(tree.body, {body.first: body for body in bodies}, lines)
    return tree


def stores(node: FunctionNode) -> bool:
    """Whether a function's own statements may assign to an attribute of a name; its body is not parsed for it."""
    return node.left_out.stores if isinstance(node, Unparsed) else True


def _take_out(statements: Sequence[ast.stmt], bodies: Mapping[int, Body], lines: Sequence[str]) -> None:
    """Make functions that are not parsed yet of those with a number for a body."""
    for statement in statements:
        match statement:
            case ast.FunctionDef(body=[ast.Expr() as only]) if only.lineno in bodies:
                body = bodies[only.lineno]
                del statement.body
                statement.__class__ = Unparsed
                assert isinstance(statement, Unparsed)
                statement.lines, statement.left_out = lines, body
                statement.end_lineno, statement.end_col_offset = body.last, body.end_column
            case ast.ClassDef(body=inner):
                _take_out(inner, bodies, lines)
                if isinstance(inner[-1], Unparsed | ast.ClassDef):  # a class ends where what it ends with does
                    statement.end_lineno, statement.end_col_offset = inner[-1].end_lineno, inner[-1].end_col_offset
