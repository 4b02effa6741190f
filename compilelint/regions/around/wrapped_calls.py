"""Wrappers that a script puts around what it compiles, and that hand on all they are called with:
`step = timed(torch.compile(step))`, `Retry(compiled)`, `functools.partial(compiled, x)`."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import classes
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import FunctionDef, Scope
from compilelint.source.index import flat_statements
from compilelint.source.model import FunctionInfo
from compilelint.source.nodes import pairs_of, parameter_of, positional_names, walk
from compilelint.source.watched import says

_CALL_LATER = "functools.partial"


def wrapped(scope: Scope, call: ast.Call) -> ast.expr | None:
    """The argument that runs, with the same arguments, when what a call gives is called; None of what is no wrapper."""
    if not call.args and not call.keywords:
        return None
    match kind_at(scope, call.func):
        case kinds.Function(key=key, receiver=receiver):
            info = scope.inspector.tree.function(key)
            maker = info.node if info is not None else None
            if not isinstance(maker, ast.FunctionDef):
                return None
            names = positional_names(maker.args)[0 if receiver is None else 1 :]
            return _argument_for(call, names, _called_by_inner(maker, names))
        case kinds.ProjectClass() as cls if not scope.inspector.instance(cls).module:
            init, runs = _method(scope, cls, "__init__"), _method(scope, cls, "__call__")
            if init is None or runs is None:
                return None
            called = _forwarded(runs.node)
            kept = dict(_spelled_pairs(init))
            return _argument_for(call, positional_names(init.node.args)[1:], kept.get(called) if called else None)
        case _:
            return None


def bound_first(scope: Scope, call: ast.Call) -> tuple[ast.expr, int] | None:
    """What `functools.partial` is asked to call later, and how many of its first arguments it gives that."""
    if not call.args or any(isinstance(each, ast.Starred) for each in call.args):
        return None
    is_it = kind_at(scope, call.func) == kinds.Reference(_CALL_LATER)
    return (call.args[0], len(call.args) - 1) if is_it else None


def compiles_first(inspector: Inspector, decorator: Kind) -> bool:
    """Whether a decorator of the project gives what `torch.compile` makes of the function: `return torch.compile(fn)`.

    Where it asks an option first, it is one that compiles.
    """
    info = inspector.tree.function(decorator.key) if isinstance(decorator, kinds.Function) else None
    module = inspector.tree.module(info.key[0]) if info is not None else None
    if info is None or module is None or not isinstance(info.node, ast.FunctionDef):
        return False
    names = positional_names(info.node.args)
    if not names or not says(info.node, module.lines, "compile"):
        return False
    return any(
        isinstance(part, ast.Call)
        and any(isinstance(each, ast.Name) and each.id == names[0] for each in part.args[:1])
        and inspector.evaluate_globally(module, part.func) == kinds.Reference("torch.compile")
        for statement in flat_statements(info.node.body)
        if isinstance(statement, ast.Return | ast.Assign) and statement.value is not None
        for part in walk(statement.value)
    )


def _argument_for(call: ast.Call, names: list[str], parameter: str | None) -> ast.expr | None:
    if parameter is None:
        return None
    given: Iterable[ast.expr] = (*call.args, *(keyword.value for keyword in call.keywords))
    return next((each for each in given if parameter_of(call, names, each) == parameter), None)


def _called_by_inner(maker: ast.FunctionDef, names: list[str]) -> str | None:
    """The parameter that the function calls which a function makes and returns."""
    returned = [
        node.value.id for node in maker.body if isinstance(node, ast.Return) and isinstance(node.value, ast.Name)
    ]
    for node in maker.body:
        if isinstance(node, ast.FunctionDef) and node.name in returned:
            called = _forwarded(node)
            if called in names:
                return called
    return None


def _forwarded(node: ast.AST) -> str | None:
    """What a function calls with all that its own `*args` takes, as it is spelled."""
    rest = node.args.vararg if isinstance(node, FunctionDef) else None
    first = positional_names(node.args) if isinstance(node, FunctionDef) else []
    is_method = bool(first) and first[0] == "self"
    if rest is None or len(first) > is_method:
        return None
    for part in walk(node):
        match part:
            case ast.Call(func=ast.Name() | ast.Attribute() as func, args=[ast.Starred(value=ast.Name(id=given))]) if (
                given == rest.arg
            ):
                return ast.unparse(func)
    return None


def _method(scope: Scope, cls: kinds.ProjectClass, name: str) -> FunctionInfo | None:
    key = classes.find_method(scope.inspector, cls, name)
    return scope.inspector.tree.function(key) if key is not None else None


def _spelled_pairs(init: FunctionInfo) -> list[tuple[str, str]]:
    """The attributes that an `__init__` keeps parameters in: `self.fn`, and `fn`."""
    body = init.node.body if isinstance(init.node.body, list) else []
    return [
        (ast.unparse(target), value.id)
        for statement in body
        for target, value in pairs_of(statement)
        if isinstance(target, ast.Attribute) and isinstance(value, ast.Name)
    ]
