"""What a loop gives in turn, other than numbers and texts: members of an Enum, dtypes, functions, layers.

Dynamo guards on each as what it is: one graph for each, of whatever a function looks at, tests the type of or gives
back (seen with torch 2.13).
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import pairwise

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members.classes import external_bases, names_in_body
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope, binding_at, start_of
from compilelint.regions.changes.changing_tensors import sizes_given
from compilelint.regions.changes.variations import Variation, What
from compilelint.source.nodes import walk

_ENUM = "enum."
_CONTAINERS = tuple(kinds.Reference(f"torch.nn.{name}") for name in ("ModuleList", "Sequential"))
_SIZED_LAYERS = tuple(
    kinds.Reference(f"torch.nn.{name}")
    for name in ("Linear", "Conv1d", "Conv2d", "Conv3d", "LayerNorm", "BatchNorm1d", "BatchNorm2d", "GRUCell")
)
"""Layers whose first arguments are the sizes of their parameters."""
_DTYPES = frozenset(
    f"torch.{name}"
    for name in (
        *("float16", "float32", "float64", "bfloat16", "half", "float", "double"),
        *("int8", "int16", "int32", "int64", "uint8", "short", "int", "long", "bool", "complex64", "complex128"),
        *("float8_e4m3fn", "float8_e5m2"),
    )
)
_SAME = {"torch.half": "torch.float16", "torch.float": "torch.float32", "torch.double": "torch.float64"} | {
    "torch.short": "torch.int16",
    "torch.int": "torch.int32",
    "torch.long": "torch.int64",
}


def of_items(scope: Scope, items: Sequence[ast.expr]) -> Variation | None:
    """What one after the other of these is, if all are constants of one of these sorts."""
    found = [_sort_of(scope, item) for item in items if hasattr(item, "lineno")]
    sorts = {sort for each in found if each is not None for sort in each[:1]}
    if len(found) != len(items) or None in found or len(sorts) != 1:
        return None
    distinct = len({each[1] for each in found if each is not None})
    return Variation(sorts.pop(), distinct) if distinct > 1 else None


def of_members(scope: Scope, iterable: ast.expr) -> Variation | None:
    """What a loop over a class of members, or over its table of them, gives."""
    match iterable:
        case ast.Call(func=ast.Attribute(value=ast.Attribute(value=cls, attr="__members__"), attr="values")):
            pass
        case ast.Name() | ast.Attribute():
            cls = iterable
        case _:
            return None
    kind = kind_at(scope, cls)
    if not isinstance(kind, kinds.ProjectClass) or not _is_enum(scope, kind):
        return None
    count = sum(not name.startswith("_") for name in names_in_body(scope.inspector, kind))
    return Variation("member", count) if count > 1 else None


def of_layers(scope: Scope, container: ast.expr) -> Variation | None:
    """What a loop over layers gives, where their parameters are of other sizes: `[nn.Linear(a, b) for a, b in …]`."""
    match container:
        case ast.Call(func=func, args=args) if kind_at(scope, func) in _CONTAINERS:
            inner = [arg.value if isinstance(arg, ast.Starred) else arg for arg in args]
            is_list = len(inner) == 1 and isinstance(inner[0], ast.ListComp | ast.GeneratorExp | ast.List)
            return of_layers(scope, inner[0]) if is_list else of_items(scope, args)
        case ast.List(elts=items):
            return of_items(scope, items)
        case ast.ListComp(elt=made, generators=[each]) | ast.GeneratorExp(elt=made, generators=[each]):
            return _of_made_by_sizes(scope, made, each)
        case _:
            return None


def _of_made_by_sizes(scope: Scope, made: ast.expr, each: ast.comprehension) -> Variation | None:
    if not isinstance(made, ast.Call) or kind_at(scope, made.func) not in _SIZED_LAYERS or each.ifs:
        return None
    given = {part.id for argument in made.args[:2] for part in walk(argument) if isinstance(part, ast.Name)}
    match each:
        case ast.comprehension(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=bounds)):
            last = [bound.value for bound in bounds if isinstance(bound, ast.Constant) and isinstance(bound.value, int)]
            count = len(range(*last)) if len(last) == len(bounds) else None
        case ast.comprehension(target=ast.Name(id=name), iter=ast.Name() as listed):
            sizes = _numbers(scope, listed)
            count = len(set(sizes)) if sizes else 1
        case ast.comprehension(
            target=ast.Tuple(elts=[ast.Name(id=name), ast.Name()]),
            iter=ast.Call(
                func=ast.Name(id="zip"), args=[ast.Name() as listed, ast.Subscript(value=ast.Name(id=again))]
            ),
        ) if again == listed.id:
            sizes = _numbers(scope, listed)
            count = len(set(pairwise(sizes))) if sizes else 1
        case _:
            return None
    return Variation("layer", count) if name in given and count != 1 else None


def _numbers(scope: Scope, listed: ast.Name) -> list[object]:
    """The numbers of a list that is written out."""
    found = binding_at(scope, listed.id, start_of(listed))
    value = found[1].value if found is not None and found[1].iterated is None else None
    items = value.elts if isinstance(value, ast.List | ast.Tuple) else []
    return [item.value for item in items if isinstance(item, ast.Constant)]


def _is_enum(scope: Scope, kind: Kind) -> bool:
    return isinstance(kind, kinds.ProjectClass) and any(
        base.startswith(_ENUM) for base in external_bases(scope.inspector, kind)
    )


def _sort_of(scope: Scope, item: ast.expr) -> tuple[What, str] | None:
    """Of which sort something is, and what tells it from others of this sort."""
    match item:
        case ast.Lambda():
            return "function", ast.unparse(item)
        case ast.Tuple(elts=sizes) | ast.List(elts=sizes):
            return "rank", str(len(sizes))
        case ast.Call():
            return _sort_of_made(scope, item)
    if not isinstance(item, ast.Name | ast.Attribute):
        return None
    if isinstance(item, ast.Attribute) and _is_enum(scope, kind_at(scope, item.value)):
        return "member", item.attr
    match kind_at(scope, item):
        case kinds.Reference(name=name) if name in _DTYPES:
            return "dtype", _SAME.get(name, name)
        case kinds.Reference(name=name) if name.startswith("torch.") and name.rpartition(".")[2].islower():
            return "function", name
        case kinds.Function(key=key, receiver=None):
            return "function", str(key)
        case _:
            return None


def _sort_of_made(scope: Scope, call: ast.Call) -> tuple[What, str] | None:
    sizes = list(sizes_given(scope, call))
    if sizes and all(isinstance(size, ast.Constant) for size in sizes):
        return "kind", str(len(sizes))
    kind = kind_at(scope, call)
    given = (*call.args, *(keyword.value for keyword in call.keywords))
    is_layer = isinstance(kind, kinds.External) and kind.cls.startswith("torch.nn.")
    return ("layer", ast.unparse(call)) if is_layer and all(isinstance(each, ast.Constant) for each in given) else None
