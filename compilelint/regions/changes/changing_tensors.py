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
            yield argument.value if isinstance(argument, ast.Starred) else argument


def grows(scope: Scope, name: str, loop: Loop) -> bool:
    """Whether each iteration puts more to a tensor that is there before: `ids = torch.cat([ids, next], 1)`."""
    return _joined(scope, name, loop) is not None


def grown_dimension(scope: Scope, name: str, loop: Loop) -> int | None:
    """The dimension in which it does, as the call says it; None where it does not, or where that is not to be seen."""
    joined = _joined(scope, name, loop)
    if joined is None:
        return None
    named = [keyword.value for keyword in joined.keywords if keyword.arg in ("dim", "axis")]
    return number_of([*joined.args[1:], *named, ast.Constant(0)][0])


def number_of(node: ast.expr) -> int | None:
    """A whole number that is written down."""
    match node:
        case ast.Constant(value=int(number)):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):
            return -number
        case _:
            return None


def _joined(scope: Scope, name: str, loop: Loop) -> ast.Call | None:
    written = [node for node in walk(loop) if isinstance(node, ast.Name) and node.id == name and _is_written(node)]
    if len(written) != 1 or scopes.binding_at(scope, name, scopes.start_of(loop)) is None:
        return None
    for statement in loop.body:
        match statement:
            case ast.Assign(
                targets=[ast.Name() as target],
                value=ast.Call(func=func, args=[ast.List(elts=parts) | ast.Tuple(elts=parts), *_]) as call,
            ) if target is written[0]:
                joining = kind_at(scope, func)
                is_joining = isinstance(joining, kinds.Reference) and joining.name in _JOINING
                is_more = len(parts) > 1 and any(isinstance(p, ast.Name) and p.id == name for p in parts)
                return call if is_joining and is_more else None
    return None


def _is_written(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)
