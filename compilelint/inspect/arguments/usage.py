"""How a function's body uses what it is given, and what that holds: as only tensors are used, or as they never are."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from compilelint.inspect import signatures
from compilelint.source.model import FunctionNode
from compilelint.source.nodes import walk


class Alias(NamedTuple):
    """`x = batch["image"]`: another name of an item, until it is assigned again."""

    path: str
    first_line: int
    last_line: int


class Usage(NamedTuple):
    """What `usage` finds, and the names that items of parameters get."""

    uses: dict[str, set[str]]
    aliases: dict[str, Alias]
    counts: frozenset[str]
    """Entries of dicts that are used as sizes, of whatever: `graphs[i]["num_nodes"]`, as they are written."""


def usage(node: FunctionNode) -> Usage:
    """How a function's body uses its parameters, by name, and what they hold, by path: `batch['image']`, `data.pos`.

    "tensor" is what only tensors do, "python" what they never do, "number" what numbers and options do as a rule,
    "container" what dicts and lists do as a rule (`key in batch`, `x, length = batch`, `sorted(batch, key=len)`);
    "zero_grad" and "step" are the methods, which together only an optimizer has, "generator" is the argument of that
    name that torch's functions draw from. Items that get a name are there even
    if nothing is said of them.
    """
    rest = [node.args.vararg] if node.args.vararg else []
    names = {arg.arg for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, *rest)}
    body: Sequence[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else node.body
    parts = [part for statement in body for part in walk(statement)]
    aliases = _aliases(parts, names)
    found: dict[str, set[str]] = {alias.path: set() for alias in aliases.values()}
    compared = [(used, "tensor") for used in _compared_in_masks(parts)]
    counted: set[str] = set()
    entries: set[str] = set()
    for part in parts:
        for used, use in (*_uses(part), *(compared if part is parts[-1] else ())):
            match used:
                case ast.Name(id=name) if use == "number":
                    counted.add(name)
                case ast.Subscript(slice=ast.Constant(value=str())) if use == "number":
                    entries.add(ast.unparse(used))
            path = item_path(used)
            if path in aliases:
                alias = aliases[path]
                path = alias.path if alias.first_line <= used.lineno <= alias.last_line else None
            if path is not None and head_of(path) in names:
                found.setdefault(path, set()).add(use)
    return Usage(found, aliases, frozenset(entries.union(_entries_named(parts, counted))))


def _entries_named(parts: Sequence[ast.AST], counted: set[str]) -> Iterator[str]:
    """The entries of dicts that have a name which is used as a number: `n = g["num_nodes"]`, `zeros(n)`."""
    for part in parts if counted else ():
        match part:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Subscript(slice=ast.Constant(value=str())) as entry
            ) if name in counted:
                yield ast.unparse(entry)


def item_path(node: ast.expr) -> str | None:
    """How an item, or an attribute, of a name is known: `batch['image'][0]`, `data.pos`; a name is its own path."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            path = item_path(value)
            return f"{path}.{name}" if path is not None else None
        case ast.Subscript(value=value, slice=ast.Constant(value=str() | int() as key)):
            path = item_path(value)
            return f"{path}[{key!r}]" if path is not None else None
        case _:
            return None


def may_hold(uses: set[str]) -> bool:
    """Whether a parameter that is used so may hold tensors: it is none itself, and no number."""
    return uses.isdisjoint({"tensor", "number"})


def head_of(path: str) -> str:
    """The name that a path begins with."""
    return path.partition(".")[0].partition("[")[0]


def _aliases(parts: Sequence[ast.AST], names: set[str]) -> dict[str, Alias]:
    """The names that are given items of parameters, each with where it goes on being that."""
    stored: dict[str, list[int]] = {}
    given: dict[str, str] = {}
    for part in parts:
        match part:
            case ast.Name(id=name, ctx=ast.Store()):
                stored.setdefault(name, []).append(part.lineno)
            case ast.Assign(targets=[target], value=value):
                given.update(_named(target, value))
    found = {}
    for name, path in given.items():
        lines = sorted(stored.get(name, ()))
        if name not in names and head_of(path) in names and lines:
            found[name] = Alias(path, lines[0], lines[1] if len(lines) > 1 else 1 << 30)
    return found


def _named(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, str]]:
    match target, value:
        case ast.Name(id=name), ast.Attribute() | ast.Subscript():
            path = item_path(value)
            if path is not None:
                yield name, path
        case ast.Tuple(elts=targets) | ast.List(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
            for each, item in zip(targets, values, strict=True):
                yield from _named(each, item)
        case ast.Tuple(elts=targets) | ast.List(elts=targets), _:
            path = item_path(value)
            for position, each in enumerate(targets if path is not None else ()):
                if isinstance(each, ast.Starred):
                    return
                if isinstance(each, ast.Name):
                    yield each.id, f"{path}[{position}]"


def _compared_in_masks(parts: Sequence[ast.AST]) -> Iterator[ast.expr]:
    """What is compared to make a mask, which something is indexed by: `e[labels == k]`, or `m = labels > 0; e[m]`."""
    indices = [index for part in parts if isinstance(part, ast.Subscript) for index in _indices(part)]
    names = {index.id for index in indices if isinstance(index, ast.Name)}
    for index in indices:
        yield from _compared(index)
    for part in parts:
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in names:
                yield from _compared(value)


def _indices(node: ast.Subscript) -> Sequence[ast.expr]:
    """What something is indexed by. Of a pair that is written out, `("no", "yes")[n == 1]`, it is no mask."""
    if isinstance(node.value, ast.Tuple | ast.List | ast.Constant | ast.Dict):
        return ()
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else (node.slice,)


def _compared(mask: ast.expr) -> Iterator[ast.expr]:
    """The left sides of the comparisons that a mask is made of: `(labels == 1) & ~(labels > 5)`."""
    match mask:
        case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr(), right=right):
            yield from _compared(left)
            yield from _compared(right)
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            yield from _compared(operand)
        case ast.Compare(
            left=left,
            ops=[ast.Eq() | ast.NotEq() | ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()],
            comparators=[right],
        ) if not (isinstance(right, ast.Constant) and isinstance(right.value, str)):
            yield left


_TENSOR_ATTRIBUTES = frozenset({"shape", "ndim", "requires_grad", "grad_fn", "is_cuda", "device", "dtype"})
_PYTHON_METHODS = frozenset(
    {
        "append",
        "items",
        "keys",
        "values",
        "get",
        "update",
        "startswith",
        "endswith",
        "lower",
        "upper",
        "extend",
        "pop",
    }
)
_PYTHON_CALLS = frozenset({"range", "open", "getattr"})


_BUILTIN_METHODS = frozenset(name for type_ in (str, bytes, list, tuple, dict, set, int, float) for name in dir(type_))


_OF_TWO_TENSORS = frozenset({"masked_fill", "masked_fill_", "masked_select", "matmul", "bmm", "mm"})
"""Methods of tensors that are given another one."""


def _uses(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """What is used here, and how."""
    match node:
        case ast.Call(func=ast.Attribute(attr=method), args=[used, *_]) if method in _OF_TWO_TENSORS:
            yield used, "tensor"
        case ast.Call(func=ast.Attribute(value=ast.Compare(left=used), attr=method)):
            if signatures.is_tensor_method(method):
                yield used, "tensor"
        case ast.Call():
            yield from ((used, "number") for size in _sizes(node) for used in _numbers(size))
    match node:
        case ast.keyword(arg="generator", value=used):
            yield used, "python"
            yield used, "generator"
        case ast.Call(func=ast.Name(id="arange") | ast.Attribute(attr="arange")):
            for argument in node.args:
                yield from ((used, "number") for used in _numbers(argument))
        case ast.Call(func=func, args=[used, *_]) if _is_tensor_function(func):
            yield used, "tensor"
        case ast.Call(func=ast.Attribute(value=used, attr=method)) if (
            signatures.is_tensor_method(method) and method not in _BUILTIN_METHODS
        ):
            yield used, "tensor"
        case ast.Attribute(value=used, attr="zero_grad" | "step" as attribute):
            yield used, "python"
            yield used, attribute
        case ast.Attribute(value=used, attr=attribute):
            if attribute in _TENSOR_ATTRIBUTES or signatures.is_distinctive_tensor_method(attribute):
                yield used, "tensor"
            elif attribute in _PYTHON_METHODS or not _may_be_of_tensor(attribute):
                yield used, "python"
        case ast.Call(func=ast.Name(id=function), args=[*arguments]) if function in _PYTHON_CALLS:
            yield from ((argument, "python") for argument in arguments)
        case ast.Call(func=ast.Name(id="sorted"), args=[ast.Call(func=ast.Name(id="list" | "set"), args=[used]), *_]):
            yield used, "container"
        case ast.Call(func=ast.Name(id="sorted"), args=[used, *_]):
            yield used, "container"
        case ast.Call(func=used):
            yield used, "python"
        case ast.Compare(
            left=used, ops=[ast.Eq() | ast.NotEq() | ast.In() | ast.NotIn()], comparators=[ast.Constant(value=str())]
        ):
            yield used, "python"
        case ast.Compare(left=ast.Constant(value=str()), ops=[ast.In() | ast.NotIn()], comparators=[used]):
            yield used, "python"
        case ast.Compare(left=ast.Name(), ops=[ast.In() | ast.NotIn()], comparators=[used]):
            yield used, "container"
        case ast.Assign(targets=[ast.Tuple() | ast.List()], value=ast.Name() as used):
            yield used, "container"
        case ast.UnaryOp(op=ast.Invert(), operand=used):
            yield used, "tensor"
        case ast.Subscript(value=used, slice=ast.Constant(value=str())):
            yield used, "python"
        case ast.BinOp(op=ast.MatMult()):
            yield node.left, "tensor"
            yield node.right, "tensor"
        case ast.Subscript(value=used, slice=ast.Tuple()):
            yield used, "tensor"
        case ast.Slice(lower=lower, upper=upper):
            for bound in (lower, upper):
                yield from ((used, "number") for used in _numbers(bound))
        case ast.Compare(left=left, comparators=[right]):
            if _is_size(left) or _is_size(right) or _is_enum_member(right):
                yield left, "number"
                yield right, "number"


_TAKE_SIZES = frozenset({"view", "reshape", "expand", "repeat"})
_MAKE_OF_SIZES = frozenset({"zeros", "ones", "empty", "rand", "randn"})
_ARE_NO_TENSORS = frozenset({"torch", "F", "np", "numpy", "jnp", "tf", "einops"})
"""Names of modules, whose functions of the same names take first what they change."""


def _sizes(call: ast.Call) -> list[ast.expr]:
    """What a call takes for sizes or a number of classes: `x.expand((layers, -1, experts))`, `one_hot(x, experts)`."""
    match call:
        case ast.Call(func=ast.Name(id="one_hot") | ast.Attribute(attr="one_hot"), args=[_, count]):
            return [count]
        case ast.Call(func=ast.Name(id="one_hot") | ast.Attribute(attr="one_hot")):
            return [keyword.value for keyword in call.keywords if keyword.arg == "num_classes"]
        case ast.Call(func=ast.Attribute(value=owner, attr=method)) if method in _TAKE_SIZES and not (
            isinstance(owner, ast.Name) and owner.id in _ARE_NO_TENSORS
        ):
            return _each_size(call.args)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr=function)) if function in _MAKE_OF_SIZES:
            return _each_size(call.args)
        case _:
            return []


def _each_size(given: Sequence[ast.expr]) -> list[ast.expr]:
    return [size for each in given for size in (each.elts if isinstance(each, ast.Tuple) else [each])]


def _may_be_of_tensor(attribute: str) -> bool:
    """Whether tensors have it, or a program may have given it to one."""
    return attribute.startswith("_") or signatures.is_in_every_torch("torch.Tensor", attribute)


def _numbers(node: ast.expr | None) -> list[ast.expr]:
    """The names, items and attributes that an expression is made of, where it is nothing but such, numbers and
    arithmetic."""
    match node:
        case ast.Name() | ast.Attribute() | ast.Subscript():
            return [node]
        case ast.UnaryOp(operand=operand):
            return _numbers(operand)
        case ast.BinOp(left=left, right=right):
            return [*_numbers(left), *_numbers(right)]
        case _:
            return []


def _is_size(node: ast.expr) -> bool:
    """`x.shape[0]`, `x.size(0)`."""
    match node:
        case ast.Subscript(value=ast.Attribute(attr="shape")) | ast.Call(func=ast.Attribute(attr="size")):
            return True
        case _:
            return False


def _is_enum_member(node: ast.expr) -> bool:
    """`Stage.TRAIN`, as far as spelling tells."""
    match node:
        case ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner), attr=name):
            return name.isupper() and owner[:1].isupper()
        case _:
            return False


def _is_tensor_function(func: ast.expr) -> bool:
    """`torch.f(x)` and `F.f(x)`: what is spelled so takes a tensor first."""
    match func:
        case ast.Attribute(value=ast.Name(id="F")):
            return True
        case ast.Attribute(value=ast.Name(id="torch"), attr=attribute):
            return signatures.is_tensor_method(attribute)
        case _:
            return False
