"""Operators that take a `float` as it is, so that there is one graph for each of its values.

Measured on torch 2.5 to 2.15 with the default backend and with `aot_eager` (rules/CL511). Dynamo keeps a float that
changes as a variable, and what is below it turns that into a tensor where the operator takes one: `x * f`, `x + f`,
`x > f`. An operator that wants the number itself gets it as a constant.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.regions.driving import Target
from compilelint.regions.scopes import Scope
from compilelint.regions.specialising import Use, arguments_at, is_made_of, is_named, is_rebound, live_nodes, passed_on

_MATH = frozenset({"exp", "log", "pow"})
_PLACES = {
    "dropout": (1,),
    "interpolate": (2,),
    "lerp": (2,),
    "lerp_": (2,),
    "clamp": (1, 2),
    "clamp_": (1, 2),
    "clamp_min": (1,),
    "clamp_max": (1,),
    "where": (1, 2),
    "masked_fill": (2,),
    "masked_fill_": (2,),
    "fill_": (1,),
    "pow": (1,),
    "full_like": (1,),
    "new_full": (2,),
}
"""Where an operator takes it, counted with the tensor, which a method has before its dot."""
_FOR_EACH = {
    **dict.fromkeys(("add", "sub", "mul", "div", "pow"), (1,)),
    "lerp": (2,),
    **dict.fromkeys(("addcmul", "addcdiv"), (3,)),
}
_FUNCTIONS = {
    "full": (1,),
    "tensor": (0,),
    "as_tensor": (0,),
    **{f"_foreach_{name}{end}": places for name, places in _FOR_EACH.items() for end in ("", "_")},
}
"""The same for what is no method of tensors."""
_KEYWORDS = {
    "dropout": ("p",),
    "cross_entropy": ("label_smoothing",),
    "scaled_dot_product_attention": ("scale",),
    "huber_loss": ("delta",),
    "smooth_l1_loss": ("beta",),
    "triplet_margin_loss": ("margin",),
    "interpolate": ("scale_factor",),
    "nan_to_num": ("nan", "posinf", "neginf"),
    **dict.fromkeys(("add", "add_", "sub", "sub_"), ("alpha",)),
    **dict.fromkeys(("addcmul", "addcmul_"), ("value",)),
    **dict.fromkeys(("addmm", "baddbmm"), ("alpha", "beta")),
    **dict.fromkeys(("clamp", "clamp_"), ("min", "max")),
    **dict.fromkeys(("full", "full_like"), ("fill_value",)),
    **dict.fromkeys(("_foreach_add", "_foreach_add_", "_foreach_sub", "_foreach_sub_"), ("alpha",)),
    **dict.fromkeys(("_foreach_addcmul", "_foreach_addcmul_", "_foreach_addcdiv", "_foreach_addcdiv_"), ("value",)),
}


def constant_float_use(scope: Scope, target: Target, parameter: str, depth: int = 2) -> Use | None:
    """An operator that makes one graph for each value of a `float`, by its name; None where there is none."""
    if is_rebound(target, parameter):
        return None
    for node in live_nodes(target):
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr=name)):
                if any(is_made_of(taken, parameter) for taken in _taken(node, owner, name)):
                    return Use(f"math.{name}" if is_named(owner, ("math",)) else name, node, target)
            case ast.Call(func=ast.Name(id="int"), args=[value]) if is_made_of(value, parameter):
                return Use("int", node, target)
    for inner, name in passed_on(scope, target, parameter):
        use = constant_float_use(scope, inner, name, depth - 1) if depth else None
        if use is not None:
            return use
    return None


def _taken(call: ast.Call, owner: ast.expr, name: str) -> Iterator[ast.expr]:
    """The arguments that an operator takes as they are."""
    if is_named(owner, ("math",)):
        yield from call.args if name in _MATH else ()
        return
    of_function = _FUNCTIONS.get(name, ()) if is_named(owner, ("torch",)) else ()
    yield from arguments_at(call, owner, _PLACES.get(name, of_function), _KEYWORDS.get(name, ()))
