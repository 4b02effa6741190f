"""Places in a Python text that can be changed so that it means something else, and into what."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_TYPES = ("Tensor", "int", "float", "None", "list", "'Tensor'", "bool")
_BASES = ("torch.nn.Module", "object", "torch.nn.Linear", "dict", "torch.autograd.Function")
_DECORATORS = ("torch.no_grad()", "property", "staticmethod", "torch.compile", "torch.compiler.disable", "lambda f: f")
_VALUES = ("None", "True", "0", "1.5", "[]", "torch.ones(3)", "print", "torch.nn.Linear(2, 2)", "self")
_STATEMENTS = (
    "print({0})",
    "{0}.item()",
    "{0} = {0}.tolist()",
    "{0} = 1",
    "if {0}.sum() > 0: pass",
    "import random; random.random()",
    "return {0}",
    "raise ValueError({0})",
    "self.count = getattr(self, 'count', 0) + 1",
    "self.forward = print",
    "torch._dynamo.graph_break()",
    "torch._dynamo.config.capture_scalar_outputs = True",
    "torch.compile({0}, fullgraph=True)({0})",
)
_TOP = (
    "import torch; torch._dynamo.config.allow_unspec_int_on_nn_module = True",
    "import torch; torch._dynamo.config.reorderable_logging_functions.add(print)",
    "import torch; torch._dynamo.config.capture_scalar_outputs = True",
    "import torch; compiled = torch.compile({0})",
    "import torch; compiled = torch.compile({0}(), fullgraph=True)",
    "{0}.forward = lambda self, x: x.item()",
    "{0} = None",
    "from . import *",
    "__all__ = ['{0}']",
    "def __getattr__(name): return {0}",
)


@dataclass(frozen=True, slots=True)
class Spot:
    """A stretch of a text, with what may stand there instead."""

    start: int
    end: int
    others: tuple[str, ...]


def spots(text: str) -> tuple[Spot, ...]:
    """The places of a text; none where it is not Python."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return ()
    at = _offsets(text)
    names = [node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    found = [spot for node in ast.walk(tree) for spot in _of_node(node, names, text, at)]
    end = len(text)
    found += (Spot(end, end, tuple(f"\n{each.format(name)}\n" for each in _TOP)) for name in names)
    return tuple(sorted(found, key=lambda spot: (spot.start, spot.end)))


def changed(text: str, spot: Spot, other: str) -> str:
    """The text with something else at a place."""
    return text[: spot.start] + other + text[spot.end :]


def lines_with_comments(text: str, lines: Iterable[int], comment: str) -> str:
    """The text with a comment at the end of these lines."""
    every = text.split("\n")
    for line in {*lines}:
        every[line - 1] += comment
    return "\n".join(every)


class _offsets:
    """Where in a text the lines and columns of its syntax tree are."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def start(self, line: int) -> int:
        return self._starts[line - 1]

    def of(self, line: int, column: int) -> int:
        return self.start(line) + len(self._lines[line - 1].encode()[:column].decode())

    def spot(self, node: ast.expr | ast.stmt, others: tuple[str, ...]) -> Spot:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return Spot(self.of(node.lineno, node.col_offset), self.of(node.end_lineno, node.end_col_offset), others)


def _of_node(node: ast.AST, names: list[str], text: str, at: _offsets) -> Iterator[Spot]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from _of_function(node, text, at)
        case ast.ClassDef(bases=bases):
            yield from (at.spot(base, (*_BASES, *(name for name in names if name != node.name))) for base in bases)
            yield from _of_name(node, text, at)
        case ast.ImportFrom(names=[ast.alias(name=name), *others]) if name != "*":
            alone = f"import {name}"
            yield at.spot(node, ("pass", alone, f"{ast.unparse(node).split(' import ')[0]} import *"))
            if others:
                yield at.spot(node, (f"{ast.unparse(node).split(' import ')[0]} {alone}",))
        case ast.ImportFrom(names=[ast.alias(name="*")]) | ast.Import():
            yield at.spot(node, ("pass",))
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            yield at.spot(value, _VALUES)
        case ast.Compare(comparators=[right]) | ast.Return(value=ast.expr() as right):
            yield at.spot(right, _VALUES)
        case ast.If(test=test):
            yield at.spot(test, ("True", "False", f"not ({ast.unparse(test)})"))
        case _:
            pass


def _of_function(node: ast.FunctionDef | ast.AsyncFunctionDef, text: str, at: _offsets) -> Iterator[Spot]:
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    for annotation in filter(None, [node.returns, *(each.annotation for each in arguments)]):
        yield at.spot(annotation, _TYPES)
    for default in filter(None, [*node.args.defaults, *node.args.kw_defaults]):
        yield at.spot(default, _VALUES)
    for decorator in node.decorator_list:
        yield at.spot(decorator, _DECORATORS)
    yield from _of_name(node, text, at)
    start = at.start(node.decorator_list[0].lineno if node.decorator_list else node.lineno)
    indent = " " * node.col_offset
    yield Spot(start, start, tuple(f"{indent}@{each}\n" for each in _DECORATORS))
    yield Spot(start, at.start((node.end_lineno or node.lineno) + 1) - 1, (f"{indent}pass",))
    first = node.body[1 if len(node.body) > 1 and isinstance(node.body[0], ast.Expr) else 0]
    if first.lineno > node.lineno and not text[at.start(first.lineno) : at.of(first.lineno, first.col_offset)].strip():
        subject = next((each.arg for each in reversed(arguments) if each.arg not in ("self", "cls")), "self")
        before = at.start(first.lineno)
        indent = " " * first.col_offset
        yield Spot(before, before, tuple(f"{indent}{each.format(subject)}\n" for each in _STATEMENTS))


def _of_name(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, text: str, at: _offsets) -> Iterator[Spot]:
    found = re.compile(rf"\b{node.name}\b").search(text, at.of(node.lineno, node.col_offset))
    if found is not None:
        yield Spot(found.start(), found.end(), (f"{node.name}_", "forward"))
