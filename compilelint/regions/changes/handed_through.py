"""What a function only hands through: `images, names = batch` of names that nobody looks at, `return scores, name`.

Dynamo puts off what it is given until something asks for it. What is only given another name, or back, it does not
guard on: seen on torch 2.13 with texts in arguments, tuples, dicts and dataclasses, and on modules.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.source.model import FunctionNode
from compilelint.source.nodes import walk

_Spelled = ast.Name | ast.Attribute | ast.Subscript | ast.Call
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def handed_through(node: FunctionNode) -> frozenset[int]:
    """The expressions of a compiled function that ask nothing of what they name, by identity."""
    back = {id(part) for value in _returned(node) for part in _parts(value)}
    return frozenset(back | _named_idly(node, back))


def named_idly(node: FunctionNode) -> frozenset[int]:
    """The same without what it gives back: of a list Dynamo asks there how long it is, and what a function of the
    region gives back its caller may look at."""
    return frozenset(_named_idly(node, set()))


def names_looked_at(node: FunctionNode, idle: frozenset[int]) -> frozenset[str]:
    """The names that a function reads in other places than these."""
    return frozenset(
        part.id
        for part in walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and id(part) not in idle
    )


def _named_idly(node: FunctionNode, back: set[int]) -> set[int]:
    """What is given a name that is not read, unless to give it back."""
    looked_at = names_looked_at(node, frozenset(back))
    return {
        id(part.value)
        for part in _own_statements(node)
        if isinstance(part, ast.Assign)
        and isinstance(part.value, _Spelled)
        and all(isinstance(target, ast.Name) and target.id not in looked_at for target in part.targets)
    }


def _returned(node: FunctionNode) -> Iterator[ast.expr]:
    if isinstance(node, ast.Lambda):
        yield node.body
    else:
        yield from (part.value for part in _own_statements(node) if isinstance(part, ast.Return) and part.value)


def _parts(value: ast.expr) -> Iterator[ast.expr]:
    match value:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _parts(part)
        case ast.Dict(values=values):
            for part in values:
                yield from _parts(part)
        case _:
            yield value


def _own_statements(node: FunctionNode) -> Iterator[ast.AST]:
    """What stands in a function, without the functions in it: what these give back is not given back by it."""
    pending: list[ast.AST] = [] if isinstance(node, ast.Lambda) else list(node.body)
    while pending:
        part = pending.pop()
        if not isinstance(part, _FUNCTIONS):
            yield part
            pending.extend(ast.iter_child_nodes(part))
