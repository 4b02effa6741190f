"""Tensors that have another size in each iteration of a loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect import kinds
from compilelint.regions.around import scopes
from compilelint.regions.around.driving import Loop
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.source.nodes import walk

_SIZED = frozenset({"torch.randn", "torch.rand", "torch.zeros", "torch.ones", "torch.empty"})
"""Functions all of whose positional arguments are sizes."""
_SIZED_BY_TUPLE = frozenset({"torch.randint", "torch.full"})
"""Functions that take their sizes together, beside other numbers."""
_JOINING = frozenset({"torch.cat", "torch.concat", "torch.concatenate", "torch.hstack", "torch.vstack"})


def sizes_given(scope: Scope, call: ast.Call) -> Iterator[ast.expr]:
    """The sizes that a call makes a new tensor of."""
    kind = kind_at(scope, call.func)
    if not isinstance(kind, kinds.Reference) or kind.name not in _SIZED | _SIZED_BY_TUPLE:
        return
    for argument in call.args:
        if isinstance(argument, ast.Tuple | ast.List):
            yield from argument.elts
        elif kind.name in _SIZED:
            yield argument


def grows(scope: Scope, name: str, loop: Loop) -> bool:
    """Whether each iteration puts more to a tensor that is there before: `ids = torch.cat([ids, next], 1)`."""
    written = [node for node in walk(loop) if isinstance(node, ast.Name) and node.id == name and _is_written(node)]
    if len(written) != 1 or scopes.binding_at(scope, name, scopes.start_of(loop)) is None:
        return False
    for statement in loop.body:
        match statement:
            case ast.Assign(
                targets=[ast.Name() as target],
                value=ast.Call(func=func, args=[ast.List(elts=parts) | ast.Tuple(elts=parts), *_]),
            ) if target is written[0]:
                joining = kind_at(scope, func)
                is_joining = isinstance(joining, kinds.Reference) and joining.name in _JOINING
                return is_joining and len(parts) > 1 and any(isinstance(p, ast.Name) and p.id == name for p in parts)
    return False


def _is_written(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)
