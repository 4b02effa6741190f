"""What gives a loop texts, or what a comprehension makes: names of files and of parameters, `[f"a{i}" for i in …]`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from msgspec import Struct

from compilelint.inspect import kinds
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope

_FILES = frozenset({"glob.glob", "glob.iglob", "os.listdir"})
_JOINING = "os.path.join"


class Made(Struct, frozen=True):
    """What a comprehension makes, and the loop that it is."""

    value: ast.expr
    loop: ast.For


def comprehended_items(
    target: ast.expr, iterable: ast.expr, written: Callable[[ast.Name], ast.expr | None]
) -> Iterator[tuple[ast.expr, Made]]:
    """The parts of a loop's target, and what a comprehension makes that each is given."""
    match target, iterable:
        case _, ast.Name() if isinstance(made_before := written(iterable), ast.ListComp | ast.DictComp):
            yield from comprehended_items(target, made_before, written)
        case _, ast.ListComp(elt=made, generators=[each]) if not each.ifs:
            yield target, _made(made, each, iterable)
        case _, ast.DictComp(key=made, generators=[each]) if not each.ifs:
            yield target, _made(made, each, iterable)
        case _, ast.Call(func=ast.Attribute(value=held, attr="keys" | "items" as attr), args=[]):
            table = written(held) if isinstance(held, ast.Name) else held
            parts = target.elts if isinstance(target, ast.Tuple) and attr == "items" else [target]
            if isinstance(table, ast.DictComp) and (attr == "keys" or len(parts) == 2):
                yield from comprehended_items(parts[0], table, written)


def _made(value: ast.expr, each: ast.comprehension, comprehension: ast.expr) -> Made:
    return Made(value, ast.copy_location(ast.For(each.target, each.iter, [ast.Expr(value)], []), comprehension))


def is_of_state(iterable: ast.expr, attr: str) -> bool:
    """Whether it goes through the names of a `state_dict()`: itself, or its `keys()` or `items()`."""
    match iterable:
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Attribute(attr="state_dict")), attr=asked)):
            return asked == attr
        case ast.Call(func=ast.Attribute(attr="state_dict")):
            return attr == "keys"
        case _:
            return False


def is_of_files(scope: Scope, iterable: ast.expr) -> bool:
    """Whether it goes through the names of files, however many there are: `glob.glob(…)`, `os.listdir(…)`."""
    return isinstance(iterable, ast.Call) and _name(scope, iterable.func) in _FILES


def joins_paths(scope: Scope, call: ast.Call) -> bool:
    return _name(scope, call.func) == _JOINING


def _name(scope: Scope, func: ast.expr) -> str | None:
    function = kind_at(scope, func) if isinstance(func, ast.Name | ast.Attribute) else None
    return function.name if isinstance(function, kinds.Reference) else None
