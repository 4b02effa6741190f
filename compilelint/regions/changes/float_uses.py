"""Operators that take a `float` as it is, so that there is one graph for each of its values.

Measured on torch 2.5 to 2.15 with the default backend and with `aot_eager` (rules/CL511); `**`, `%`, `//` and what
draws random numbers with the default backend on 2.13 only. Dynamo keeps a float that changes as a variable, and what is
below it turns that into a tensor where the operator takes one: `x * f`, `x + f`, `x > f`. An operator that wants the
number itself gets it as a constant.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind
from compilelint.regions.around.compiled import Target
from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes.named_sizes import sizes_named
from compilelint.regions.changes.specialising import AS_ARRAY, Use, arguments_at, is_named, takes_constants
from compilelint.regions.changes.spelled import is_made_of, is_rebound, is_spelled, kind_in, live_nodes, passed_on

_MATH = frozenset({"exp", "log", "pow"})
_WHOLE = frozenset({"int", "round"})
_WHOLE_OF_MATH = frozenset({"ceil", "floor", "trunc"})
"""What makes a whole number of it."""
_OPERATORS: dict[type[ast.operator], str] = {ast.Pow: "power", ast.FloorDiv: "floor_division", ast.Mod: "remainder"}
_NUMBER_KINDS = (kinds.INT, kinds.FLOAT)
_OF_NUMBERS = frozenset({"int", "float", "abs", "min", "max", "round"})
_GIVE_NUMBERS = frozenset({"size", "dim", "item", "numel", "nelement", "stride"})
"""Methods of a tensor whose result is none."""
_PLACES = {
    "dropout": (1,),
    **dict.fromkeys(("dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout"), (1,)),
    "bernoulli_": (1,),
    **dict.fromkeys(("uniform_", "normal_"), (1, 2)),
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
    **dict.fromkeys(("clip", "clip_"), (1, 2)),
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
    **dict.fromkeys(("dropout", "bernoulli_", "dropout1d", "dropout2d", "dropout3d"), ("p",)),
    **dict.fromkeys(("alpha_dropout", "feature_alpha_dropout"), ("p",)),
    "uniform_": ("to",),
    "normal_": ("mean", "std"),
    "batch_norm": ("momentum",),
    "cross_entropy": ("label_smoothing",),
    "scaled_dot_product_attention": ("scale", "dropout_p"),
    "huber_loss": ("delta",),
    "smooth_l1_loss": ("beta",),
    "triplet_margin_loss": ("margin",),
    "interpolate": ("scale_factor",),
    "nan_to_num": ("nan", "posinf", "neginf"),
    **dict.fromkeys(("add", "add_", "sub", "sub_"), ("alpha",)),
    **dict.fromkeys(("addcmul", "addcmul_", "addcdiv_"), ("value",)),
    **dict.fromkeys(("addmm", "baddbmm"), ("alpha", "beta")),
    **dict.fromkeys(("clamp", "clamp_", "clip", "clip_"), ("min", "max")),
    **dict.fromkeys(("full", "full_like"), ("fill_value",)),
    **dict.fromkeys(("_foreach_add", "_foreach_add_", "_foreach_sub", "_foreach_sub_"), ("alpha",)),
    **dict.fromkeys(("_foreach_addcmul", "_foreach_addcmul_", "_foreach_addcdiv", "_foreach_addcdiv_"), ("value",)),
}
"""The same by name. `torch.addcdiv(…, value=f)` is none of them: Dynamo writes it as arithmetic."""
_TOLD_AS = {"addcdiv_": "addcmul_", "clip": "clamp", "clip_": "clamp_"}
"""Operators of which the rule page has another of their sort."""


def constant_float_use(
    scope: Scope, target: Target, parameter: str, given: Mapping[str, Kind], depth: int = 2
) -> Use | None:
    """An operator that makes one graph for each value of a `float`, by its name; None where there is none.

    The `float` is a parameter, or an attribute as the function spells it: `self.p`. `given` is what the caller passes
    for the parameters.
    """
    if is_rebound(target, parameter):
        return None

    sizes = sizes_named(target)

    def kind_of(node: ast.expr) -> Kind:
        return kinds.INT if isinstance(node, ast.Name) and node.id in sizes else kind_in(scope, target, node, given)

    names = [parameter]
    names.extend(_made_names(target, parameter, kind_of))
    for node in live_nodes(target):
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr=attr), args=[value]) if _rounds(owner, attr):
                if _is_number_of(value, names, kind_of):
                    return Use("int", node, target)
            case ast.Call(func=ast.Attribute(value=owner, attr=attr)):
                if any(_is_number_of(taken, names, kind_of) for taken in _taken(node, owner, attr)):
                    return Use(_told_as(owner, attr), node, target)
            case ast.Call(func=ast.Name(id=called), args=[value]) if called in _WHOLE:
                if _is_number_of(value, names, kind_of):
                    return Use("int", node, target)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                operands = ((left, right), (right, left))
                if any(_is_number_of(one, names, kind_of) and _is_tensor(other, kind_of) for one, other in operands):
                    return Use(_OPERATORS[type(op)], node, target)
    for name in names if depth else ():
        for inner, inner_name in passed_on(scope, target, name, given):
            use = constant_float_use(scope, inner, inner_name, {}, depth - 1)
            if use is not None:
                return use
    return None


def _made_names(target: Target, parameter: str, kind_of: Callable[[ast.expr], Kind]) -> Iterator[str]:
    """Names that are bound once, to what is made of the number: `keep = 1 - p`."""
    nodes = list(live_nodes(target))
    bound = Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if bound[name] == 1:
                if _is_number_of(value, [parameter], kind_of):
                    yield name


def _is_number_of(node: ast.expr, names: Collection[str], kind_of: Callable[[ast.expr], Kind]) -> bool:
    """Whether this is a number that is made of one of these, and not a tensor that is: not `x * f`."""
    return any(is_made_of(node, name) for name in names) and _is_number(node, names, kind_of)


def _is_number(node: ast.expr, names: Collection[str], kind_of: Callable[[ast.expr], Kind]) -> bool:
    match node:
        case ast.Constant():
            return True
        case _ if any(is_spelled(node, name) for name in names):
            return True
        case ast.Name():
            return kinds.widen(kind_of(node)) in _NUMBER_KINDS
        case ast.Attribute():
            return not isinstance(kind_of(node), kinds.Tensor)
        case ast.BinOp(left=left, right=right):
            return _is_number(left, names, kind_of) and _is_number(right, names, kind_of)
        case ast.UnaryOp(operand=operand):
            return _is_number(operand, names, kind_of)
        case ast.Subscript(value=ast.Attribute(attr="shape")):
            return True
        case ast.Call(func=ast.Name(id=called), args=args):
            return called == "len" or (
                called in _OF_NUMBERS and all(_is_number(argument, names, kind_of) for argument in args)
            )
        case ast.Call(func=ast.Attribute(value=owner, attr=attr)):
            return attr in _GIVE_NUMBERS or is_named(owner, ("math",))
        case _:
            return False


def _rounds(owner: ast.expr, name: str) -> bool:
    return name in _WHOLE_OF_MATH and is_named(owner, ("math",))


def _is_tensor(node: ast.expr, kind_of: Callable[[ast.expr], Kind]) -> bool:
    """Whether this is a tensor, or calculates with one."""
    match node:
        case ast.Name() | ast.Attribute():
            return isinstance(kind_of(node), kinds.Tensor)
        case ast.BinOp(left=left, right=right):
            return _is_tensor(left, kind_of) or _is_tensor(right, kind_of)
        case ast.UnaryOp(operand=operand):
            return _is_tensor(operand, kind_of)
        case ast.Call(func=ast.Attribute(value=owner, attr=attr), args=args):
            tensors = args[:1] if is_named(owner, ("torch",)) else [owner]
            return attr not in _GIVE_NUMBERS and any(_is_tensor(part, kind_of) for part in tensors)
        case _:
            return False


def _told_as(owner: ast.expr, name: str) -> str:
    if is_named(owner, ("math",)):
        return f"math.{name}"
    return AS_ARRAY if takes_constants(owner, name) else _TOLD_AS.get(name, name)


def _taken(call: ast.Call, owner: ast.expr, name: str) -> Iterator[ast.expr]:
    """The arguments that an operator takes as they are."""
    if is_named(owner, ("math",)):
        yield from call.args if name in _MATH else ()
        return
    if takes_constants(owner, name):
        yield from call.args
        return
    of_function = _FUNCTIONS.get(name, ()) if is_named(owner, ("torch",)) else ()
    yield from arguments_at(call, owner, _PLACES.get(name, of_function), _KEYWORDS.get(name, ()))
