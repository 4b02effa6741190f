"""Numbers that go on from step to step, and the floats that are computed of them: a learning rate, a decay."""

from __future__ import annotations

import ast

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.lasting import optimizer_state
from compilelint.regions.around.compiled import targets_of
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.source.index import node_key
from compilelint.source.model import FunctionNode
from compilelint.source.nodes import walk

_MATH = frozenset({"cos", "sin", "tanh", "exp", "log", "log1p", "expm1", "sqrt", "pow"})


def counts_steps(scope: Scope, item: ast.Subscript) -> bool:
    """Whether it is an item in which an optimizer of the project counts its steps: `state["step"]`."""
    if scope.owner is None or isinstance(scope.node, ast.Module):
        return False
    info = scope.module.functions.get(node_key(scope.module.name, scope.node))
    return info is not None and optimizer_state.is_counted(scope.inspector, scope.owner.cls, info, item)


def is_of_math(call: ast.Call) -> bool:
    """Whether it gives a float in any case, of a tensor as well."""
    match call.func:
        case ast.Attribute(value=ast.Name(id="math")):
            return True
        case _:
            return False


def followed(scope: Scope, call: ast.Call) -> list[ast.expr]:
    """The arguments of which another number gives another float: of `math.cos(step / total)`, `rate_at(step)`; of a
    method what it reads of its object, too."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="math"), attr=attr), args=args):
            return args if attr in _MATH else []
        case ast.Call(args=args):
            kind = kind_at(scope, call.func)
            targets = list(targets_of(scope, kind)) if isinstance(kind, kinds.Function) else []
            if targets and all(_is_formula(target.node) for target in targets):
                return [*args, *_of_its_object(call, targets[0].node)]
    return []


def _of_its_object(call: ast.Call, method: FunctionNode) -> list[ast.expr]:
    """What a method reads of the object that it is called on, as who calls it would: `self.step` of `self.rate()`."""
    own = first_parameter(method)
    if not isinstance(call.func, ast.Attribute) or own is None or isinstance(method, ast.Lambda):
        return []
    read = {
        part.attr
        for part in walk(method)
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == own
    }
    return [ast.copy_location(ast.Attribute(call.func.value, attr, ast.Load()), call) for attr in sorted(read)]


def _is_formula(node: FunctionNode) -> bool:
    """Whether a function only computes, and has no steps: few values come of `rate * 0.1 ** (epoch // 30)`.

    Something in it must make a float: an int that changes is no constant (`step + 1`).
    """
    makes_float = False
    for part in walk(node):
        match part:
            case ast.BinOp(op=ast.FloorDiv() | ast.Mod()) | ast.Subscript() | ast.For() | ast.While() | ast.Yield():
                return False
            case ast.Call(func=func) if not _is_smooth(func):
                return False
            case ast.BinOp(op=ast.Div()) | ast.Constant(value=float()) | ast.Call(func=ast.Attribute()):
                makes_float = True
    returned = (part.value for part in walk(node) if isinstance(part, ast.Return))
    return makes_float and any(isinstance(value, ast.BinOp | ast.Call) for value in returned)


def _is_smooth(func: ast.expr) -> bool:
    match func:
        case ast.Name(id=name):
            return name in ("min", "max", "abs", "float")
        case ast.Attribute(value=ast.Name(id="math"), attr=attr):
            return attr in _MATH
        case _:
            return False
