"""Tables that a file fills after it made them: `ACTS["gelu"] = gelu`, and decorators that do: `@register("gelu")`.

What a model takes from one is called like what is in its literal. Only functions and classes count: what else is put
into a global, such as a tensor into a cache, comes and goes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.handed_functions import bodies_that_say, handed_to
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.source.index import flat_statements
from compilelint.source.model import ClassInfo, FunctionInfo, ModuleIndex
from compilelint.source.watched import says

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_CALLABLE = (kinds.Function, kinds.Partial, kinds.ProjectClass, kinds.Reference)


def filled(inspector: Inspector, module: ModuleIndex, name: str, table: Kind) -> Kind:
    """What a global table holds beside what it is made with."""
    if not _may_hold_functions(table):
        return table
    found = [(key, kind) for key, kind in _put_in(inspector, module, name) if isinstance(kind, _CALLABLE)]
    values = dict.fromkeys(kind for _, kind in found)
    match table:
        case kinds.Dictionary(value=value) if found:
            known = [value] if table.entries or value != UNKNOWN else []
            entries: dict[kinds.Constant, Kind] = dict(table.entries)
            entries.update((key, kind) for key, kind in found if key is not None)
            return replace(table, value=kinds.join(*known, *values), entries=tuple(entries.items())[: kinds.MAX_ITEMS])
        case kinds.Sequence(type="list", items=items) if found:
            return kinds.Sequence("list", kinds.join(*([] if items == () else [kinds.element(table)]), *values))
        case _:
            return table


def _may_hold_functions(table: Kind) -> bool:
    """Whether it is empty as it is made, or holds what can be called. Others are tables of numbers and texts."""
    match table:
        case kinds.Dictionary(value=value, entries=entries):
            held = (value, *(kind for _, kind in entries))
        case kinds.Sequence(type="list"):
            held = table.items if table.items is not None else (table.item,)
        case _:
            return False
    return all(kind == UNKNOWN for kind in held) or any(
        isinstance(option, _CALLABLE) for kind in held for option in kinds.options(kind)
    )


def _put_in(inspector: Inspector, module: ModuleIndex, name: str) -> Iterator[tuple[str | None, Kind]]:
    """What is put in, with its key where that is a text."""
    for statement in flat_statements(module.tree.body):
        for key, value in _values(statement, name):
            yield _text(key), inspector.evaluate_globally(module, value)
    for info in list(module.functions.values()):
        if not isinstance(info.node, ast.Lambda) and says(info.node, module.lines, name):
            parameter = _key_of_parameter(info, name)
            if parameter is not None:
                yield from _registered(inspector, module, info, parameter)
                yield from _handed(inspector, module, info, name)
    for there, body in bodies_that_say(inspector, module, name):
        for statement in flat_statements(body):
            for key, value in _values(statement, name):
                if isinstance(value, ast.Name) and value.id in there.bindings:
                    yield _text(key), inspector.evaluate_globally(there, value)


def _handed(
    inspector: Inspector, module: ModuleIndex, info: FunctionInfo, name: str
) -> Iterator[tuple[str | None, Kind]]:
    """What calls give a function that puts it into a table: `register(hook)`."""
    if isinstance(info.node, ast.Lambda) or info.owner is not None or info.parent is not None:
        return
    for statement in flat_statements(info.node.body):
        for _, value in _values(statement, name):
            if isinstance(value, ast.Name):
                yield from ((None, kind) for kind in handed_to(inspector, module, info, value.id))


def _values(statement: ast.stmt, name: str) -> Iterator[tuple[ast.expr | None, ast.expr]]:
    """What a statement puts into a table, with its key."""
    match statement:
        case ast.Assign(targets=[ast.Subscript(value=table, slice=key)], value=value) if _is_table(table, name):
            yield key, value
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=table, attr=method)) as call) if _is_table(table, name):
            match method, call.args:
                case "append", [value]:
                    yield None, value
                case "setdefault", [key, value]:
                    yield key, value
                case "update", [ast.Dict(keys=keys, values=values)]:
                    yield from zip(keys, values, strict=True)
                case "update", []:
                    yield from ((ast.Constant(each.arg), each.value) for each in call.keywords if each.arg)


def _is_table(node: ast.expr, name: str) -> bool:
    match node:
        case ast.Name(id=named) | ast.Attribute(attr=named, value=ast.Name()):
            return named == name
        case _:
            return False


def _text(key: ast.expr | None) -> str | None:
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None


def _key_of_parameter(info: FunctionInfo, name: str) -> str | None:
    """Under which name a function puts what it is given into a table; "" if that is computed, None if it does not."""
    if isinstance(info.node, ast.Lambda):
        return None
    spec = info.node.args
    parameters = {arg.arg for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}
    for statement in flat_statements(info.node.body):
        for key, value in _values(statement, name):
            if isinstance(value, ast.Name) and value.id in parameters:
                return key.id if isinstance(key, ast.Name) else ""
    return None


def _registered(
    inspector: Inspector, module: ModuleIndex, inner: FunctionInfo, key: str
) -> Iterator[tuple[str | None, Kind]]:
    """What is decorated with a function, or with what gives that function, in its file and in those that import it."""
    outer = inspector.tree.function(inner.parent) if inner.parent is not None else None
    registrar = outer or inner
    if registrar.owner is not None or registrar.parent is not None:
        return
    is_named = outer is not None and first_parameter(outer.node) == key
    decorates = re.compile(rf"^[ \t]*@(\w+\.)*{re.escape(registrar.qualname)}\b", re.MULTILINE)
    for file in (module.name, *sorted(inspector.tree.importers(module.name))):
        text = inspector.tree.text(file)
        there = inspector.tree.module(file) if text is not None and decorates.search(text.text) else None
        for info, decorator in _decorated(there) if there is not None else ():
            if _names(decorator, registrar.qualname, is_called=outer is not None):
                given = decorator.args if isinstance(decorator, ast.Call) and is_named else []
                yield _text(next(iter(given), None)), _plain(info)


def _decorated(module: ModuleIndex) -> Iterator[tuple[FunctionInfo | ClassInfo, ast.expr]]:
    """The functions and classes of a file that are decorated, with each of their decorators; no methods."""
    for function in module.functions.values():
        if function.parent is None and function.owner is None:
            yield from ((function, decorator) for decorator in function.decorators)
    for cls in module.classes.values():
        if cls.parent is None:
            yield from ((cls, decorator) for decorator in cls.node.decorator_list)


def _names(decorator: ast.expr, name: str, *, is_called: bool) -> bool:
    if is_called:
        if not isinstance(decorator, ast.Call):
            return False
        decorator = decorator.func
    match decorator:
        case ast.Name(id=named) | ast.Attribute(attr=named):
            return named == name
        case _:
            return False


def _plain(info: FunctionInfo | ClassInfo) -> Kind:
    """A function or class as it is defined: what else decorates it matters little, and may read the table."""
    if isinstance(info, ClassInfo):
        return kinds.ProjectClass(info.key, info.name)
    return kinds.Function(info.key, info.qualname)
