"""Which expressions are spelled like the size of a tensor, or like a part of one."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct

from compilelint.source.nodes import walk


class Named(Struct, frozen=True):
    """The names of a function's own that hold sizes (`shape = x.shape`), and parts of sizes (`b, t = shape`)."""

    sizes: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()


def named_sizes(function: ast.AST, parts: frozenset[str] = frozenset()) -> Named:
    """The names to which a function, or one inside it, assigns a size, or a part of one, and nothing else; `parts` are
    names that are known to hold parts."""
    assigned: dict[str, list[ast.expr]] = {}
    unpacked: list[tuple[tuple[str, ...], ast.expr]] = []
    for part in walk(function):
        if isinstance(part, ast.Assign):
            for target in part.targets:
                if isinstance(target, ast.Name):
                    assigned.setdefault(target.id, []).append(part.value)
                elif isinstance(target, ast.Tuple | ast.List):
                    unpacked.append((tuple(name.id for name in target.elts if isinstance(name, ast.Name)), part.value))
    once = {name: values[0] for name, values in assigned.items() if len(values) == 1}
    sizes = _closed(once, (), lambda value, found: is_size(value, Named(found)))
    of_sizes = {name for names, value in unpacked if is_size(value, Named(sizes)) for name in names}
    return Named(sizes, _closed(once, of_sizes | parts, lambda value, found: is_part(value, Named(sizes, found))))


def is_size(node: ast.AST | None, named: Named) -> bool:
    """Whether an expression is spelled like a whole `torch.Size`: `x.shape`, `x.size()`, `shape[:2]`."""
    match node:
        case ast.Attribute(attr="shape") | ast.Call(func=ast.Attribute(attr="size"), args=[], keywords=[]):
            return True
        case ast.Call(func=ast.Attribute(attr="Size")):
            return True
        case ast.Subscript(value=value, slice=ast.Slice()):
            return is_size(value, named)
        case ast.Name(id=name):
            return name in named.sizes
        case _:
            return False


def is_part(node: ast.AST | None, named: Named) -> bool:
    """Whether an expression is spelled like a number of a size, or computed of one: `x.shape[0]`, `x.size(1) - 1`."""
    match node:
        case ast.Subscript(value=value):
            return is_size(value, named)
        case ast.Call(func=ast.Attribute(attr="size"), args=[_]) | ast.Call(func=ast.Attribute(attr="numel"), args=[]):
            return True
        case ast.BinOp(left=left, right=right):
            return is_part(left, named) or is_part(right, named)
        case ast.Name(id=name):
            return name in named.parts
        case _:
            return False


def _closed(
    assigned: Mapping[str, ast.expr], known: Iterable[str], holds: Callable[[ast.expr, frozenset[str]], bool]
) -> frozenset[str]:
    """The known names, and those for whose value it holds if it does for the others, in whatever order they stand."""
    found = frozenset(known)
    while more := frozenset(_more(assigned, found, holds)):
        found |= more
    return found


def _more(
    assigned: Mapping[str, ast.expr], found: frozenset[str], holds: Callable[[ast.expr, frozenset[str]], bool]
) -> Iterator[str]:
    return (name for name, value in assigned.items() if name not in found and holds(value, found))


def is_of_channels(node: ast.AST) -> bool:
    """Whether a size is that of the second dimension, or computed of it: `x.shape[1] * x.shape[2]`. What is a length
    has a name mostly."""
    match node:
        case ast.Subscript(value=ast.Attribute(attr="shape"), slice=ast.Constant(value=1)):
            return True
        case ast.Call(func=ast.Attribute(attr="size"), args=[ast.Constant(value=1)]):
            return True
        case ast.BinOp(left=left, right=right):
            return is_of_channels(left) or is_of_channels(right)
        case _:
            return False


def is_width(node: ast.expr) -> bool:
    """Whether a size is that of the last dimension: `x.shape[-1]`."""
    match node:
        case ast.Subscript(slice=dimension) | ast.Call(args=[dimension]):
            return ast.unparse(dimension) == "-1"
        case _:
            return False
