"""What may be a tensor, in expressions of code that is not walked: what is computed of one is no number."""

from __future__ import annotations

import ast

from compilelint.inspect import kinds
from compilelint.regions.around import scopes
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes.schedules import is_of_math

_OF_NUMBERS = frozenset({"len", "int", "float", "bool", "str", "type", "id"})
_GIVE_NUMBERS = frozenset({"size", "dim", "item", "numel", "get_rank", "get_world_size"})
_OPTIONS_OF_OPTIMIZERS = frozenset(
    {"lr", "initial_lr", "max_lr", "min_lr", "betas", "eps", "weight_decay", "momentum", "dampening", "alpha"}
)
"""What `group["lr"]` and its like are called."""


def may_be_tensor(scope: Scope, node: ast.expr, depth: int = 6) -> bool:
    """Whether something is a tensor, or what a call or an iteration gives of which nothing is known: `model(x) > t`."""
    kind = kind_at(scope, node)
    if kind != kinds.UNKNOWN or not depth:
        return any(isinstance(option, kinds.Tensor | kinds.Array) for option in kinds.options(kind))
    match node:
        case ast.Name(id=name):
            bound = scopes.binding_at(scope, name, scopes.start_of(node))
            if bound is None or bound[1].value is None:
                return False
            return bound[1].iterated is not None or may_be_tensor(scope, bound[1].value, depth - 1)
        case ast.BinOp(left=left, right=right) | ast.IfExp(body=left, orelse=right):
            return may_be_tensor(scope, left, depth - 1) or may_be_tensor(scope, right, depth - 1)
        case ast.UnaryOp(operand=operand):
            return may_be_tensor(scope, operand, depth - 1)
        case ast.Call(func=ast.Name(id=called)):
            return called not in _OF_NUMBERS
        case ast.Call(func=ast.Attribute(attr=called)):
            return called not in _GIVE_NUMBERS and not is_of_math(node)
        case ast.Subscript(value=ast.Attribute(attr="shape")):
            return False
        case ast.Subscript(slice=ast.Constant(value=str(key))):
            return key not in _OPTIONS_OF_OPTIMIZERS
        case ast.Call() | ast.Subscript():
            return True
        case _:
            return False
