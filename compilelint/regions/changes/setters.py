"""Methods and functions that set what they are given as an attribute, or a global: `model.set_epoch(i)`,
`set_epoch(model, i)`, `setattr(model, "epoch", i)`, `set_scale(i)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from msgspec import Struct

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import classes
from compilelint.regions.around import scope_kinds
from compilelint.regions.around.compiled import compiled_callable
from compilelint.regions.around.made import made_alike
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.source.model import FunctionInfo
from compilelint.source.nodes import parameter_of, positional_names


def set_by(scope: Scope, call: ast.Call) -> Iterator[tuple[ast.Attribute | ast.Name, ast.expr]]:
    """What a call sets in every case, as an assignment in its place would, and to which argument.

    `model.set_epoch(i)` stands for `model.epoch = i`, and for `model.head.epoch = i`, if that is what the method does;
    and so does `set_epoch(model, i)` of a function, and `set_epoch(i)` of one that sets a global of the file.
    """
    called = called_with(scope, call)
    if called is None or isinstance(called.function.node, ast.Lambda):
        return
    given = called.given
    owners = called.receiver or {
        name: argument for name, argument in given.items() if _module_at(scope, argument) is not None
    }
    own = _globals_of(scope, called.function)
    for statement in called.function.node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=of_file)], value=ast.Name(id=name)) if (
                of_file in own and name in given
            ):
                yield ast.copy_location(ast.Name(of_file, ast.Store()), call), given[name]
            case ast.Assign(targets=[ast.Attribute() as target], value=ast.Name(id=name)) if name in given:
                if (written := _written(target, owners)) is not None:
                    yield ast.copy_location(written, call), given[name]


def counted_by(scope: Scope, call: ast.Call) -> Iterator[tuple[ast.Attribute | ast.Name, ast.expr]]:
    """What a call makes some more each time: `model.next_epoch()` stands for `model.epoch += 1`, `tick()` for
    `STEP += 1`, if that is what the method does, or the function with a global of the file."""
    function = _called(scope, call)
    node = function.node if function is not None else None
    if function is None or not isinstance(node, ast.FunctionDef) or node.decorator_list:
        return
    owners: dict[str | None, ast.expr] = {}
    if isinstance(call.func, ast.Attribute):
        owners = dict.fromkeys(positional_names(node.args)[:1], call.func.value)
    own = _globals_of(scope, function)
    for statement in node.body:
        match statement:
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add() | ast.Sub(), value=value) if name in own:
                yield ast.copy_location(ast.Name(name, ast.Store()), call), value
            case ast.AugAssign(target=ast.Attribute() as target, op=ast.Add() | ast.Sub(), value=value):
                if (written := _written(target, owners)) is not None:
                    yield ast.copy_location(written, call), value


def set_by_name(statement: ast.stmt) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What `setattr(model, "epoch", i)` sets, as the assignment that it stands for would, and to what."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Name(id="setattr"), args=[held, ast.Constant(value=str(name)), value])):
            yield ast.copy_location(ast.Attribute(held, name, ast.Store()), held), value


def _globals_of(scope: Scope, function: FunctionInfo) -> set[str]:
    """The globals of the file in which it is called that a function sets."""
    if isinstance(function.node, ast.Lambda) or function.key[0] != scope.module.name:
        return set()
    return {name for each in function.node.body if isinstance(each, ast.Global) for name in each.names}


class Called(Struct, frozen=True):
    """A method of a module, or a function of the project, and what a call gives its parameters."""

    function: FunctionInfo
    receiver: dict[str | None, ast.expr]
    """What a method belongs to, by what it calls that."""
    given: dict[str | None, ast.expr]


def called_with(scope: Scope, call: ast.Call) -> Called | None:
    """What a call with arguments calls; None where it is unknown, or a decorator may have changed it."""
    if len(call.args) + len(call.keywords) == 0:
        return None
    function = _called(scope, call)
    if function is None or isinstance(function.node, ast.Lambda) or function.node.decorator_list:
        return None
    names = positional_names(function.node.args)
    receiver: dict[str | None, ast.expr] = {}
    if isinstance(call.func, ast.Attribute):
        first, *names = names or [""]
        receiver[first] = call.func.value
    return Called(function, receiver, _given(call, names))


def own_method_called_with(scope: Scope, call: ast.Call) -> Called | None:
    """The method, or static method, of the same class that a method calls with arguments: `self.r1(scores, images)`."""
    match call.func:
        case ast.Attribute(value=ast.Name(id=name) as owner, attr=attr) if scope.owner and name == scope.self_name:
            key = classes.find_method(scope.inspector, scope.owner.cls, attr) if call.args or call.keywords else None
        case _:
            key = None
    function = scope.inspector.tree.function(key) if key is not None else None
    if function is None or isinstance(function.node, ast.Lambda):
        return None
    names = positional_names(function.node.args)
    match function.node.decorator_list:
        case []:
            first, *names = names or [""]
            return Called(function, {first: owner}, _given(call, names))
        case [ast.Name(id="staticmethod")]:
            return Called(function, {}, _given(call, names))
        case _:
            return None


def _given(call: ast.Call, names: list[str]) -> dict[str | None, ast.expr]:
    """What goes to which parameter."""
    return {
        parameter_of(call, names, argument): argument
        for argument in (*call.args, *(keyword.value for keyword in call.keywords))
        if not isinstance(argument, ast.Starred)
    }


def _called(scope: Scope, call: ast.Call) -> FunctionInfo | None:
    """The method of a module, or the function of the project, that is called."""
    match call.func:
        case ast.Name():
            called = kind_at(scope, call.func)
            key = called.key if isinstance(called, kinds.Function) and called.receiver is None else None
        case ast.Attribute(value=owner, attr=attr):
            module = _module_at(scope, owner)
            key = classes.find_method(scope.inspector, module.cls, attr) if module is not None else None
        case _:
            key = None
    return scope.inspector.tree.function(key) if key is not None else None


def _module_at(scope: Scope, node: ast.expr) -> kinds.Instance | None:
    """A module of the project, or what is compiled of one."""
    for kind in _kinds_of(scope, node):
        made = kind.args[0] if isinstance(kind, kinds.External) and scope_kinds.is_compiled(kind) else kind
        if made != kinds.UNKNOWN:
            return made if isinstance(made, kinds.Instance) and made.module else None
    return None


def _kinds_of(scope: Scope, node: ast.expr) -> Iterator[Kind]:
    """What something is by its own text, as those who make the object around tell, and by what was compiled."""
    yield kind_at(scope, node)
    match node:
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if scope.owner is not None and name == scope.self_name:
            yield scope.inspector.attribute(made_alike(scope.inspector, scope.owner), attr)
    compiled = compiled_callable(scope, node)
    if compiled is not None:
        yield compiled.kind


def _written(target: ast.Attribute, owners: Mapping[str | None, ast.expr]) -> ast.Attribute | None:
    """What a function sets, as its caller would write it; None of what belongs to nothing that it is given."""
    match target.value:
        case ast.Name(id=name) if name in owners:
            return ast.copy_location(ast.Attribute(owners[name], target.attr, ast.Store()), owners[name])
        case ast.Attribute() as holder if (inner := _written(holder, owners)) is not None:
            return ast.copy_location(ast.Attribute(inner, target.attr, ast.Store()), inner)
        case _:
            return None
