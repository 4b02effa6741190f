"""Uses of an `int` that changes for which Dynamo takes its value as a constant, or which it traces for plain numbers
only."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind
from compilelint.inspect.sizing.formats import is_for_numbers_only
from compilelint.inspect.sizing.untraced_sizes import UNTRACED_BUILTINS, UNTRACED_OF_MATH
from compilelint.regions.around.compiled import Target
from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes.specialising import AS_ARRAY, Use, arguments_at, is_named, takes_constants
from compilelint.regions.changes.spelled import (
    is_made_of,
    is_made_of_alone,
    is_rebound,
    is_spelled,
    kind_in,
    live_nodes,
    passed_on,
)
from compilelint.source.nodes import walk

TEXTS = ("text", "computed_text")
"""The uses that are text: a number as it is or with a format, and one that is computed of it."""
_MATH = frozenset(
    ("exp", "expm1", "log", "log10", "log1p", "pow", "fmod", "hypot", "fabs", "copysign", "erf", "gamma", "lgamma")
)
"""What Dynamo computes of a value that it holds; `sqrt`, `log2`, `ceil`, `cos` and their like it traces."""
_UNTRACED = frozenset(name.rpartition(".")[2] for name in UNTRACED_BUILTINS) | {"repr"}
_SAID = frozenset({"str", "repr", "bin", "hex", "oct"})
_UNTRACED_OF_MATH = frozenset(name.rpartition(".")[2] for name in UNTRACED_OF_MATH)
_GIVE_PARTS = frozenset({"unbind", "chunk", "split", "tensor_split"})
"""Methods, and functions of torch, that give a tuple or a list."""
_COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_FEW = 4
"""A loop of fewer rounds than this makes no more graphs than these."""
_CONTAINERS = ("torch.nn.ModuleList", "torch.nn.ParameterList", "torch.nn.Sequential")
_SIZE_ARGUMENTS = {"chunk": 1, "one_hot": 1, "linspace": 2}
"""Functions of torch that take this argument (counted with the tensor) as a constant."""
_POOLS = ("avg_pool1d", "avg_pool2d", "avg_pool3d", "max_pool1d", "max_pool2d", "max_pool3d")
_ADAPTIVE_POOLS = tuple(f"adaptive_{pool}" for pool in _POOLS)
_WINDOWS: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = {
    "unfold": ((2, 3), ("size", "step")),
    "tensor_split": ((1,), ("indices_or_sections",)),
    "diagonal": ((1,), ("offset",)),
    **dict.fromkeys(_POOLS, ((1,), ("kernel_size",))),
    **dict.fromkeys(_ADAPTIVE_POOLS, ((1,), ("output_size",))),
}
"""The same: their places, and their names."""
_DIMENSIONS: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = {
    **dict.fromkeys(
        (
            *(
                "sum",
                "mean",
                "amax",
                "amin",
                "argmax",
                "argmin",
                "softmax",
                "log_softmax",
                "logsumexp",
                "cumsum",
                "prod",
            ),
            *(
                "select",
                "narrow",
                "unsqueeze",
                "squeeze",
                "unbind",
                "flip",
                "cat",
                "stack",
                "index_select",
                "gather",
                "size",
            ),
        ),
        ((1,), ("dim",)),
    ),
    "transpose": ((1, 2), ("dim0", "dim1")),
    "repeat_interleave": ((2,), ("dim",)),
    "normalize": ((2,), ("dim",)),
    "roll": ((2,), ("dims",)),
}
"""The same of the dimension along which they work."""


def constant_int_use(
    scope: Scope, target: Target, parameter: str, given: Mapping[str, Kind], depth: int = 2
) -> Use | None:
    """A use that makes one graph for each value of an `int`, or splits it once there is another; None where there is
    none.

    `given` is what the caller passes for the parameters: it tells what `cache[i]` means. Text comes last, as not all
    versions of torch take a number for a constant there.
    """
    if is_rebound(target, parameter):
        return None
    text = None
    for node in live_nodes(target):
        word = _int_use(scope, target, node, parameter, given)
        if word is None or (word in (*TEXTS, *_SAID) and _is_said_at_times(target, node, parameter)):
            continue
        if word not in TEXTS:
            return Use(word, node, target)
        text = text or Use(word, node, target)
    for inner, name in passed_on(scope, target, parameter, given):
        use = constant_int_use(scope, inner, name, {}, depth - 1) if depth else None
        if use is not None:
            return use
    return text


def _is_said_at_times(target: Target, text: ast.AST, parameter: str) -> bool:
    """Whether a text is made only where something else says so, `if self.verbose: report("step " + str(n))`, and
    nothing is looked up by it."""
    conditional = False
    for node in live_nodes(target):
        match node:
            case ast.If(test=test, body=body, orelse=orelse) if not _asks(test, parameter):
                conditional = conditional or any(_holds(statement, text) for statement in (*body, *orelse))
            case ast.Subscript(slice=key) | ast.Call(func=ast.Name(id="getattr"), args=[_, key, *_]) if _holds(
                key, text
            ):
                return False
    return conditional


def _asks(test: ast.expr, parameter: str) -> bool:
    return any(isinstance(part, ast.expr) and is_spelled(part, parameter) for part in walk(test))


def _holds(node: ast.AST, part: ast.AST) -> bool:
    return any(each is part for each in walk(node))


def _int_use(scope: Scope, target: Target, node: ast.AST, parameter: str, given: Mapping[str, Kind]) -> str | None:
    match node:
        case ast.Call(func=ast.Name(id="range"), args=args):
            return "range" if any(is_made_of(arg, parameter) for arg in args) else None
        case ast.FormattedValue(value=value, format_spec=form) if is_made_of(value, parameter):
            if is_spelled(value, parameter):
                return "text"
            # With a format of numbers there is no graph for each value: compiling fails.
            return "computed_text" if is_for_numbers_only(form) is False else None
        case ast.Subscript(value=value, slice=index, ctx=ast.Load()) if is_made_of(index, parameter):
            indexed = kind_in(scope, target, value, given)
            is_one_of_several = _is_container(indexed) or _gives_parts(target, value)
            return "array" if isinstance(indexed, kinds.Array) else "index" if is_one_of_several else None
        case ast.Subscript(value=value, slice=index, ctx=ast.Store()) if is_made_of(index, parameter):
            return "index" if isinstance(kind_in(scope, target, value, given), kinds.Dictionary) else None
        case ast.Subscript(value=value, slice=ast.Slice() as bounds, ctx=ast.Load()) if _is_bounded(bounds, parameter):
            return _part_of(kind_in(scope, target, value, given))
        case ast.Call(func=ast.Attribute(value=value, attr="get"), args=[key, *_]) if is_made_of(key, parameter):
            return "index" if isinstance(kind_in(scope, target, value, given), kinds.Dictionary) else None
        case ast.Subscript(slice=ast.Tuple(elts=parts), ctx=ctx) if any(
            is_made_of_alone(part, parameter) for part in parts
        ):
            return "written" if isinstance(ctx, ast.Store) else "indices"
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[members]) if is_made_of(left, parameter):
            if _is_range(scope, target, members, given):
                return "sought"
            return "set" if _hashes(scope, target, members, given) else None
        case ast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, _COMPARISONS):
            sides = ((left, right), (right, left))
            is_counted_to = any(is_made_of(one, parameter) and _is_counter(target, other) for one, other in sides)
            return "rounds" if is_counted_to else None
        case ast.BinOp(left=ast.List() | ast.Tuple(), op=ast.Mult(), right=right):
            return "repeat" if is_made_of(right, parameter) else None
        case ast.Call(func=ast.Attribute(value=ast.Name(id="math"), attr=attr), args=args) if attr in _MATH:
            return f"math.{attr}" if any(is_made_of(arg, parameter) for arg in args) else None
        case ast.Call(func=ast.Attribute(value=ast.Name(id="math"), attr=attr), args=args) if attr in _UNTRACED_OF_MATH:
            return f"math.{attr}" if any(is_made_of(arg, parameter) for arg in args) else None
        case ast.Call(func=ast.Name(id=name), args=args) if name in _UNTRACED:
            return name if any(is_made_of(arg, parameter) for arg in args) else None
        case ast.Call(func=ast.Attribute(value=owner, attr=attr), args=args) if takes_constants(owner, attr):
            return AS_ARRAY if any(is_made_of(arg, parameter) for arg in args) else None
        case ast.Call(func=ast.Attribute(value=owner, attr=attr)) if attr in _SIZE_ARGUMENTS:
            sizes = arguments_at(node, owner, (_SIZE_ARGUMENTS[attr],), ())
            return "size" if any(is_made_of(arg, parameter) for arg in sizes) else None
        case ast.Call(func=ast.Attribute(value=owner, attr=attr)) if attr in _DIMENSIONS:
            dimensions = arguments_at(node, owner, *_DIMENSIONS[attr])
            is_one = any(is_spelled(arg, parameter) for arg in dimensions)
            return "size" if is_one and _may_be_tensor(kind_in(scope, target, owner, given), owner) else None
        case ast.Call(func=ast.Attribute(value=owner, attr=attr)) if attr in _WINDOWS:
            windows = arguments_at(node, owner, *_WINDOWS[attr])
            return "window" if any(is_made_of(arg, parameter) for arg in windows) else None
        case _:
            return None


def _may_be_tensor(kind: Kind, owner: ast.expr) -> bool:
    """Whether what has a name, and the method of a tensor, is one; or it is the module that has the function."""
    if is_named(owner, ("torch", "F", "functional")):
        return True
    is_open = isinstance(owner, ast.Name) and kind == kinds.UNKNOWN
    return is_open or any(isinstance(option, kinds.Tensor) for option in kinds.options(kind))


def _is_container(kind: Kind) -> bool:
    """A Python container: an index into it selects an object, and Dynamo must know which."""
    match kind:
        case kinds.Sequence(type=type_):
            return type_ in ("list", "tuple")
        case kinds.Dictionary():
            return True
        case kinds.External(cls=cls):
            return cls in _CONTAINERS
        case _:
            return False


def _is_range(scope: Scope, target: Target, members: ast.expr, given: Mapping[str, Kind]) -> bool:
    match members:
        case ast.Call(func=ast.Name(id=called)):
            return called == "range"
        case _:
            kind = kind_in(scope, target, members, given)
            return isinstance(kind, kinds.Sequence) and kind.type == "range"


def _hashes(scope: Scope, target: Target, members: ast.expr, given: Mapping[str, Kind]) -> bool:
    """Whether something is looked up in a set or a dict, as it is by its hash; in a list it is compared."""
    if isinstance(members, ast.Set | ast.Dict):
        return True
    kind = kind_in(scope, target, members, given)
    is_set = isinstance(kind, kinds.Sequence) and kind.type in ("set", "frozenset")
    return is_set or isinstance(kind, kinds.Dictionary)


def _gives_parts(target: Target, node: ast.expr) -> bool:
    """Whether an expression is a list that the function makes: `x.unbind(1)`, `[f(x) for f in layers]`, or a name that
    is nothing else."""
    match node:
        case ast.List() | ast.ListComp() | ast.Tuple():
            return True
        case ast.Call(func=ast.Attribute(attr=attr)):
            return attr in _GIVE_PARTS
        case ast.Name(id=name):
            given = [
                part.value
                for part in live_nodes(target)
                if isinstance(part, ast.Assign)
                and any(isinstance(each, ast.Name) and each.id == name for each in part.targets)
            ]
            return len(given) == 1 and not isinstance(given[0], ast.Name) and _gives_parts(target, given[0])
        case _:
            return False


def _is_counter(target: Target, node: ast.expr) -> bool:
    """Whether a name is the counter of a loop: where the loop is unrolled, it is a constant in each round, and asking
    if it has come to a number guards on each answer."""
    return isinstance(node, ast.Name) and any(_counts(loop, node.id) for loop in live_nodes(target))


def _counts(loop: ast.AST, name: str) -> bool:
    match loop:
        case ast.While(test=test, body=body):
            return _names(test, name) and any(_steps(part, name) for statement in body for part in walk(statement))
        case ast.For(target=ast.Name(id=counter), iter=ast.Call(func=ast.Name(id="range"), args=[*args])):
            return counter == name and not _is_short(args)
        case ast.For(
            target=ast.Tuple(elts=[ast.Name(id=counter), _]),
            iter=ast.Call(func=ast.Name(id="enumerate"), args=[items, *_]),
        ):
            return counter == name and not (isinstance(items, ast.List | ast.Tuple) and len(items.elts) < _FEW)
        case _:
            return False


def _steps(node: ast.AST, name: str) -> bool:
    """Whether a statement moves a counter on: `i += 1`, `i = i + 1`."""
    match node:
        case ast.AugAssign(target=ast.Name(id=stepped)):
            return stepped == name
        case ast.Assign(targets=[ast.Name(id=stepped)], value=ast.BinOp(right=ast.Constant()) as value):
            return stepped == name and _names(value, name)
        case _:
            return False


def _names(node: ast.expr, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in walk(node))


def _is_short(bounds: list[ast.expr]) -> bool:
    """Whether `range(bounds)` has few numbers."""
    match bounds:
        case [ast.Constant(value=int(end))]:
            return end < _FEW
        case _:
            return False


def _is_bounded(bounds: ast.Slice, parameter: str) -> bool:
    return any(part is not None and is_made_of(part, parameter) for part in (bounds.lower, bounds.upper, bounds.step))


def _part_of(sliced: Kind) -> str | None:
    """Of `layers[:n]` the graph holds what each layer does, as it does of a loop; of a tensor the bound stays open."""
    if isinstance(sliced, kinds.External) and sliced.cls in _CONTAINERS:
        return "range"
    return "index" if isinstance(sliced, kinds.Sequence) and _is_container(sliced) else None
