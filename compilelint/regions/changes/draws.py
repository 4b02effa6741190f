"""Numbers that Python draws at random: another one each time."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from compilelint.inspect import kinds
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes.variations import Variation, of_constants

_FLOATS = frozenset({"random.random", "random.uniform", "random.gauss", "random.normalvariate", "random.triangular"})
_ARGUMENTS_OF_NUMPY = {
    **dict.fromkeys(("rand", "randn", "random", "random_sample", "ranf", "sample", "standard_normal"), 0),
    **dict.fromkeys(("exponential", "standard_gamma", "weibull", "power"), 1),
    **dict.fromkeys(("beta", "gamma", "gumbel", "laplace", "logistic", "lognormal", "normal", "uniform"), 2),
    "triangular": 3,
}
"""What numpy's own functions take before they are told how many to draw. Of one number they give Python's float."""
_DRAWN_TENSORS = frozenset({"torch.rand", "torch.randn"})


def variation_of(scope: Scope, call: ast.Call) -> Variation | None:
    """What a call draws: `random.randint(48, 96)`, `random.choice([8, 16])`, `torch.randint(9, (1,)).item()`; None for
    all that draws nothing.

    What numpy's generators draw is no number of Python to Dynamo but an array, and so is all that has a size.
    """
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Call(func=func, args=args), attr="item")):
            bounds = [arg for arg in args if not isinstance(arg, ast.Tuple | ast.List)]
            if _name(scope, func) in _DRAWN_TENSORS:
                return Variation("float")
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
        case name, _:
            return _drawn_by_numpy(call, name)


def _drawn_by_numpy(call: ast.Call, name: str | None) -> Variation | None:
    """One number that a function of numpy's own draws: `np.random.beta(0.2, 0.2)`, `np.random.randint(9)`."""
    place, _, drawn = (name or "").rpartition(".")
    if place != "numpy.random" or any(keyword.arg in (None, "size", "dtype") for keyword in call.keywords):
        return None
    if any(isinstance(arg, ast.Starred) for arg in call.args):
        return None
    if drawn == "randint":
        bounds = [*call.args, *(keyword.value for keyword in call.keywords)]
        return Variation("int", _count(bounds)) if len(call.args) < 3 else None
    return Variation("float") if len(call.args) <= _ARGUMENTS_OF_NUMPY.get(drawn, -1) else None


def _name(scope: Scope, func: ast.expr) -> str | None:
    function = kind_at(scope, func) if isinstance(func, ast.Name | ast.Attribute) else None
    return function.name if isinstance(function, kinds.Reference) else None


def _count(bounds: Sequence[ast.expr]) -> int | None:
    """How many ints there are from one bound to the other, if they are written out."""
    values = [bound.value for bound in bounds if isinstance(bound, ast.Constant) and isinstance(bound.value, int)]
    return len(range(*values)) if 0 < len(values) == len(bounds) <= 3 and 0 not in values[2:] else None
