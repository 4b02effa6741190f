"""Numbers that Python draws at random: another one each time."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from compilelint.inspect import kinds
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes.variations import Variation, of_constants

_FLOATS = frozenset({"random.random", "random.uniform", "random.gauss", "random.normalvariate", "random.triangular"})


def variation_of(scope: Scope, call: ast.Call) -> Variation | None:
    """What a call draws: `random.randint(48, 96)`, `random.choice([8, 16])`, `torch.randint(9, (1,)).item()`; None for
    all that draws nothing.

    What numpy draws is no number of Python to Dynamo but an array, unless Python makes it one: `int(rng.randint(9))`.
    """
    match call:
        case ast.Call(func=ast.Name(id="int"), args=[ast.Call(func=func, args=bounds, keywords=[])]) if len(bounds) < 3:
            return Variation("int", _count(bounds)) if _name(scope, func) == "numpy.random.randint" else None
        case ast.Call(func=ast.Attribute(value=ast.Call(func=func, args=args), attr="item")):
            bounds = [arg for arg in args if not isinstance(arg, ast.Tuple | ast.List)]
            return Variation("int", _count(bounds)) if _name(scope, func) == "torch.randint" else None
    match _name(scope, call.func), call.args:
        case "random.randint", [first, ast.Constant(value=int(last))]:
            return Variation("int", _count([first, ast.Constant(last + 1)]))
        case "random.randint", _:
            return Variation("int")
        case "random.randrange", bounds:
            return Variation("int", _count(bounds))
        case "random.choice", [ast.List(elts=items) | ast.Tuple(elts=items)]:
            return of_constants(items)
        case name, _ if name in _FLOATS:
            return Variation("float")
        case _:
            return None


def _name(scope: Scope, func: ast.expr) -> str | None:
    function = kind_at(scope, func) if isinstance(func, ast.Name | ast.Attribute) else None
    return function.name if isinstance(function, kinds.Reference) else None


def _count(bounds: Sequence[ast.expr]) -> int | None:
    """How many ints there are from one bound to the other, if they are written out."""
    values = [bound.value for bound in bounds if isinstance(bound, ast.Constant) and isinstance(bound.value, int)]
    return len(range(*values)) if 0 < len(values) == len(bounds) <= 3 and 0 not in values[2:] else None
