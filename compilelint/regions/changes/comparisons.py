"""Comparisons of what changes from call to call: of numbers and texts they are a `bool`, of tensors a tensor."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from compilelint.inspect import kinds
from compilelint.regions.around import scopes
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes.variations import Variation

_GIVE_TENSORS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
"""Operators that are a tensor where one of their sides is."""
_OF_NUMBERS = frozenset({"len", "int", "float", "bool", "str", "type", "id"})
_GIVE_NUMBERS = frozenset({"size", "dim", "item", "numel", "get_rank", "get_world_size"})


def variation_of(
    scope: Scope, op: ast.cmpop, sides: Sequence[ast.expr], changes: Sequence[Variation | None]
) -> Variation | None:
    """What changes about `step > 3`, and about `torch.rand(n) > 0.2`, of which only the size does."""
    found = next((each for each in changes if each is not None), None)
    if found is None:
        return None
    if isinstance(op, _GIVE_TENSORS):
        sized = next((each for each in changes if each is not None and each.what == "shape"), None)
        if sized is not None:
            return sized
        if any(each is None and _may_be_tensor(scope, side) for side, each in zip(sides, changes, strict=True)):
            return None
    return Variation("bool", 2)


def _may_be_tensor(scope: Scope, node: ast.expr) -> bool:
    """Whether something is a tensor, or what a call or an iteration gives of which nothing is known: `model(x) > t`."""
    kind = kind_at(scope, node)
    if kind != kinds.UNKNOWN:
        return any(isinstance(option, kinds.Tensor | kinds.Array) for option in kinds.options(kind))
    if isinstance(node, ast.Name):
        bound = scopes.binding_at(scope, node.id, scopes.start_of(node))
        if bound is None or bound[1].value is None:
            return False
        if bound[1].iterated is not None:
            return True
        node = bound[1].value
    return isinstance(node, ast.Call | ast.BinOp | ast.Subscript) and not _is_number(node)


def _is_number(node: ast.expr) -> bool:
    """`len(batches)`, `x.size(0)`, `x.shape[0]`, whatever these are of."""
    match node:
        case ast.Call(func=ast.Name(id=called)):
            return called in _OF_NUMBERS
        case ast.Call(func=ast.Attribute(attr=called)):
            return called in _GIVE_NUMBERS
        case ast.Subscript(value=ast.Attribute(attr="shape")):
            return True
        case ast.BinOp(left=left, right=right):
            return all(isinstance(side, ast.Constant) or _is_number(side) for side in (left, right))
        case _:
            return False
