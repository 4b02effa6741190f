"""What a call gives a compiled function: its arguments, and the values that these hold.

`step(x, {"n": i})`, `step(x, (i, 2))`, `step(x, Options(i))`, and what is set of them before the call: `options.n = i`.
Dynamo looks into what it is given, and guards on a number in there as on one that is given itself.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from compilelint.inspect import kinds
from compilelint.inspect.members import named_tuples, records
from compilelint.inspect.members.classes import external_bases, find_method
from compilelint.regions.around import scopes
from compilelint.regions.around.driving import Drive, Loop, loops_around
from compilelint.regions.around.scope_kinds import is_module, kind_at
from compilelint.regions.around.scopes import Scope, Statement, asked_once
from compilelint.regions.changes.setters import set_by_name
from compilelint.regions.changes.spelled import spelling
from compilelint.source.nodes import pairs_of, parameter_of, positional_names

_DEPTH = 2
"""How deep what is given holds the number: `{"options": Options(i)}`."""
_OF_NAMES = frozenset({"types.SimpleNamespace", "argparse.Namespace"})
_REPLACING = frozenset({"dataclasses.replace", "copy.replace", "attrs.evolve", "attr.evolve"})


class Part(Struct, frozen=True):
    """A value that a call gives, alone or in something."""

    argument: ast.expr
    """That of the call."""
    value: ast.expr
    path: str = ""
    """How what holds it does: `.n`, `['n']`, `[0]`; "" of the argument itself."""
    loops: tuple[Loop, ...] = ()
    """The loops around what gives it its value."""
    text: str = ""
    """How the value is spelled where the call is, if it is written down elsewhere."""
    moved: ast.expr | None = None
    """What the value is added to, `options.n` of `options.n += 1`; None where it is the value itself."""
    closed_over: str = ""
    """The name under which the function sees it, where it is given to nobody: one of the function around."""

    @property
    def node(self) -> ast.expr:
        """What a finding is about."""
        return self.argument if self.text else self.value


def parts_of(scope: Scope, drive: Drive, loops: tuple[Loop, ...]) -> Iterator[Part]:
    """All that the arguments of a call hold, without themselves, and what is put into the object whose method it is."""
    for argument in (*drive.call.args, *(keyword.value for keyword in drive.call.keywords)):
        if isinstance(argument, ast.Starred):
            continue
        for path, value in _held(scope, argument):
            yield Part(argument, value, path, loops)
        if isinstance(argument, ast.Name | ast.Attribute):
            yield from _of_name(scope, drive, argument, loops)
    if drive.owner is not None:
        yield from _put_later(scope, drive, drive.owner, loops)


def _of_name(scope: Scope, drive: Drive, argument: ast.Name | ast.Attribute, loops: tuple[Loop, ...]) -> Iterator[Part]:
    """What is put into something that has a name, as it is made and later."""
    later = list(_put_later(scope, drive, argument, loops))
    yield from later
    made = _made_by_each(scope, argument, loops) if isinstance(argument, ast.Name) else None
    for path, value in _held(scope, made) if made is not None else ():
        if all(part.path != path for part in later):
            yield Part(argument, value, path, loops, ast.unparse(argument) + path)


def _put_later(scope: Scope, drive: Drive, argument: ast.expr, loops: tuple[Loop, ...]) -> Iterator[Part]:
    text = spelling(argument)
    puts = [put for put in _puts(scope) if text is not None and _is_in(put.whole, text)]
    if text is None or not puts or is_module(kind_at(scope, argument)):
        return
    for put in puts:
        around = loops_around(put.statement)
        moved = put.target if isinstance(put.statement.node, ast.AugAssign) else None
        if around[-1] in loops if around else _is_each_time(scope, put.statement, drive):
            yield Part(argument, put.value, put.whole[len(text) :], around, put.whole, moved)


def _is_in(whole: str, owner: str) -> bool:
    return whole.startswith(owner) and whole[len(owner) :][:1] in (".", "[")


def _is_each_time(scope: Scope, statement: Statement, drive: Drive) -> bool:
    """Whether each call of the function puts something somewhere: before the call, or once more than before."""
    if isinstance(scope.node, ast.Module):
        return False
    if isinstance(statement.node, ast.AugAssign):
        return statement.node in scope.node.body
    return scopes.start_of(statement.node) < scopes.start_of(drive.call)


def _made_by_each(scope: Scope, name: ast.Name, loops: tuple[Loop, ...]) -> ast.expr | None:
    """What a name is bound to that each iteration makes anew, or each call of the function."""
    found = scopes.binding_at(scope, name.id, scopes.start_of(name))
    if found is None or found[0] is not scope or found[1].iterated is not None:
        return None
    is_each = found[1].since > scopes.start_of(loops[0]) if loops else not isinstance(scope.node, ast.Module)
    return found[1].value if is_each else None


class _Put(Struct, frozen=True):
    """A value that a statement puts into an object or a container."""

    statement: Statement
    target: ast.expr
    whole: str
    """How that is spelled: `options.n`."""
    value: ast.expr


@asked_once
def _puts(scope: Scope) -> list[_Put]:
    return [
        _Put(statement, target, whole, value)
        for statement in scope.statements
        for target, value in _pairs(statement.node)
        if isinstance(target, ast.Attribute | ast.Subscript) and (whole := spelling(target)) is not None
    ]


def _pairs(statement: ast.stmt) -> Iterator[tuple[ast.expr, ast.expr]]:
    match statement:
        case ast.Assign() | ast.AnnAssign():
            yield from pairs_of(statement)
        case ast.AugAssign(target=target, op=ast.Add() | ast.Sub() | ast.Mult(), value=value):
            yield target, value
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=held, attr="update"), args=[], keywords=keywords)):
            for each in keywords:
                if each.arg is not None:
                    yield ast.copy_location(ast.Subscript(held, ast.Constant(each.arg), ast.Store()), held), each.value
        case _:
            yield from set_by_name(statement)


def _held(scope: Scope, node: ast.expr, depth: int = _DEPTH) -> Iterator[tuple[str, ast.expr]]:
    """What an expression puts into the container or the object that it makes, and under what."""
    for path, value in _put(scope, node):
        yield path, value
        if depth > 1:
            yield from ((path + below, inner) for below, inner in _held(scope, value, depth - 1))


def _put(scope: Scope, node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str | int):
                    yield f"[{key.value!r}]", value
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            if not any(isinstance(each, ast.Starred) for each in elements):
                yield from ((f"[{place}]", each) for place, each in enumerate(elements))
        case ast.BinOp(op=ast.BitOr(), right=ast.Dict() as right):
            yield from _put(scope, right)
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=keywords):
            yield from ((f"[{each.arg!r}]", each.value) for each in keywords if each.arg is not None)
        case ast.Call(func=ast.Attribute(attr="_replace"), keywords=keywords):
            yield from ((f".{each.arg}", each.value) for each in keywords if each.arg is not None)
        case ast.Call(keywords=keywords) if node.args or keywords:
            yield from _of_made(scope, node)


def _of_made(scope: Scope, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """What an object is made with, under the attributes that hold it."""
    match kind_at(scope, call.func):
        case kinds.Reference(name=name) if name in _OF_NAMES or name in _REPLACING:
            yield from ((f".{each.arg}", each.value) for each in call.keywords if each.arg is not None)
        case kinds.Partial(function=kinds.Reference(name=named_tuples.TYPE), args=(kinds.Const(value=str(fields)),)):
            names = fields.split()
            for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
                place = parameter_of(call, names, argument)
                if place in names:
                    yield from ((f".{place}", argument), (f"[{names.index(place)}]", argument))
        case kinds.ProjectClass() as cls if not scope.inspector.instance(cls).module:
            yield from _of_class(scope, cls, call)


def _of_class(scope: Scope, cls: kinds.ProjectClass, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    fields = list(records.fields(scope.inspector, cls))
    key = find_method(scope.inspector, cls, "__init__")
    init = scope.inspector.tree.function(key) if key is not None else None
    kept: dict[str, list[str]] = {name: [name] for name in fields}
    names, is_tuple = fields, named_tuples.DECLARED in external_bases(scope.inspector, cls)
    if init is not None and not isinstance(init.node, ast.Lambda):
        names, kept = positional_names(init.node.args)[1:], _kept(init.node)
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        parameter = parameter_of(call, names, argument)
        for attribute in kept.get(parameter, ()) if parameter is not None else ():
            yield f".{attribute}", argument
            if is_tuple and attribute in fields:
                yield f"[{fields.index(attribute)}]", argument


def _kept(init: scopes.FunctionDef) -> dict[str, list[str]]:
    """The attributes in which an `__init__` keeps what it is given, by parameter."""
    own = init.args.args[0].arg if init.args.args else ""
    found: dict[str, list[str]] = {}
    for statement in init.body:
        for target, value in pairs_of(statement):
            match target, value:
                case ast.Attribute(value=ast.Name(id=owner), attr=attr), ast.Name(id=name) if owner == own:
                    found.setdefault(name, []).append(attr)
    return found
