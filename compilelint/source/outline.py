"""What the outline of a module leaves out: see `source.unparsed`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from compilelint.source.index import flat_statements, node_key
from compilelint.source.model import ModuleIndex
from compilelint.source.unparsed import Body

_WORTH_LEAVING_OUT = 4
"""The lines of a body that takes longer to parse than to come back to."""


def bodies_of(module: ModuleIndex) -> tuple[Body, ...]:
    """The bodies that the outline of a module leaves out, in order; all of it must be parsed."""
    return tuple(_left_out(module))


def _left_out(module: ModuleIndex) -> Iterator[Body]:
    # What a function defines is found without looking into it, so one that defines something stays.
    parents = {info.parent for scope in (module.functions, module.classes) for info in scope.values()}
    for node in _functions(module.tree.body):
        first = min(part.lineno for part in (node.body[0], *getattr(node.body[0], "decorator_list", ())))
        last = node.end_lineno or first
        stands_alone = not module.lines[first - 1][: node.body[0].col_offset].strip()
        if last - first >= _WORTH_LEAVING_OUT and stands_alone and node_key(module.name, node) not in parents:
            yield Body(first, last, node.end_col_offset or 0, _stores(node))


def _functions(statements: Sequence[ast.stmt]) -> Iterator[ast.FunctionDef]:
    for statement in statements:
        match statement:
            case ast.FunctionDef():
                yield statement
            case ast.ClassDef(body=inner):
                yield from _functions(inner)


def _stores(node: ast.FunctionDef) -> bool:
    for statement in flat_statements(node.body):
        match statement:
            case ast.Assign(targets=targets):
                if any(isinstance(target, ast.Attribute) for target in targets):
                    return True
            case ast.AnnAssign(target=ast.Attribute()):
                return True
    return False
