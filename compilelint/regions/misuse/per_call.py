"""Things that are made once and belong at set-up, made anew for every call: the compiled object, its backend."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from compilelint.inspect import kinds
from compilelint.regions.around import scope_kinds, scopes
from compilelint.regions.around.in_place import in_place_target
from compilelint.regions.around.queries import loops_around
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope, Statement
from compilelint.regions.usage import Usage
from compilelint.source.nodes import walk
from compilelint.source.watched import says

_PER_CALL = frozenset({"forward", "training_step", "validation_step", "test_step", "predict_step"})
"""Methods of a module that run once per batch."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def _compiled_per_call(scope: Scope) -> Iterator[Usage]:
    """`torch.compile(self.net)(x)` in `forward`, in a step function, in a loop, or in what a decorator puts around a
    function."""
    for statement, call in scope.calls:
        target = scope_kinds.compile_target(scope, call)
        if target is None:
            continue
        if _wraps_decorated(scope, call, target) and _is_used_here_only(scope, statement, call):
            yield Usage("compiled-per-call", call, "torch.compile", kind_at(scope, target))
            continue
        if any(isinstance(ancestor, ast.If | ast.Try) for ancestor in statement.ancestors):
            continue
        per_batch = _runs_per_batch(scope, statement, call) and _is_used_here_only(scope, statement, call)
        if per_batch or (_is_called_at_once(statement, call) and _is_same_in_loop(scope, statement, call)):
            yield Usage("compiled-per-call", call, "torch.compile", kind_at(scope, target))


def _runs_per_batch(scope: Scope, statement: Statement, call: ast.Call) -> bool:
    """Whether the scope is a method that runs once per batch, or a function that a loop of the file calls.

    A function that goes through the batches itself is called for each of a few settings: `for metric in METRICS`.
    """
    if isinstance(scope.node, ast.Module):
        return False
    if scope.owner is not None:
        return scope.owner.module and scope.node.name in _PER_CALL
    if scope.parent is None or _given(scope, call) or _is_called_in_loop(scope, statement):
        return False
    return any(_is_same_in(scope.parent, call, [loop]) for loop in _loops_calling(scope.parent, scope.node.name))


def _wraps_decorated(scope: Scope, call: ast.Call, target: ast.expr) -> bool:
    """Whether the scope is called in place of a function that a decorator was given, and compiles that one.

    What it keeps for the next call, it keeps in a name that is not its own (`nonlocal compiled`). What resets Dynamo
    before it means to compile anew, and measures that.
    """
    outer = scope.parent
    if isinstance(scope.node, ast.Module) or outer is None or isinstance(outer.node, ast.Module):
        return False
    if scope.node.args.vararg is None or not isinstance(target, ast.Name) or _given(scope, call):
        return False
    name = scope.node.name
    parameters = {arg.arg for arg in (*outer.node.args.posonlyargs, *outer.node.args.args)}
    keeps = any(isinstance(part, ast.Nonlocal | ast.Global) for part in walk(scope.node))
    if target.id not in parameters or keeps or says(scope.node, scope.module.lines, ".reset("):
        return False
    return any(
        isinstance(statement.node, ast.Return)
        and isinstance(statement.node.value, ast.Name)
        and statement.node.value.id == name
        for statement in outer.statements
    )


def _given(scope: Scope, call: ast.Call) -> set[str]:
    """The names of the function's own that go into a call: what it compiles may then be another thing each time."""
    return {node.id for node in walk(call) if isinstance(node, ast.Name) and node.id in scope.bindings}


def _loops_calling(scope: Scope, name: str) -> Iterator[ast.For | ast.While]:
    """The loops that call a function of the scope, in it or in functions that give its name to nothing else."""
    for part in _where_it_means_the_same(scope.node, name):
        if isinstance(part, ast.For | ast.While) and ".reset(" not in ast.unparse(part):
            for node in _where_it_means_the_same(part, name):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                    yield part


def _where_it_means_the_same(node: ast.AST, name: str) -> Iterator[ast.AST]:
    """A node and all below it, without the functions that have a parameter or a variable of this name."""
    yield node
    for below in ast.iter_child_nodes(node):
        if not isinstance(below, _FUNCTIONS) or name not in _own_names(below):
            yield from _where_it_means_the_same(below, name)


def _own_names(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    body = function.body if isinstance(function.body, list) else [function.body]
    inside = [node for statement in body for node in walk(statement)]
    return {
        *(argument.arg for argument in walk(function.args) if isinstance(argument, ast.arg)),
        *(node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)),
        *(node.name for node in inside if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)),
    }


def _is_used_here_only(scope: Scope, statement: Statement, call: ast.Call) -> bool:
    """Whether the compiled object is called at once, or has only a local name that is called."""
    if _is_called_at_once(statement, call):
        return True
    match statement.node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is call:
            uses = [
                node
                for part in scope.node.body
                for node in walk(part)
                if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
            ]
            called = [
                node.func
                for part in scope.node.body
                for node in walk(part)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
            ]
            return bool(called) and len(uses) == len(called)
        case _:
            return False


def _is_called_in_loop(scope: Scope, statement: Statement) -> bool:
    """Whether the function has a loop of its own that calls what it compiles."""
    match statement.node:
        case ast.Assign(targets=[ast.Name(id=name)]):
            loops = (part for part in walk(scope.node) if isinstance(part, ast.For | ast.While))
            return any(
                isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
                for loop in loops
                for node in walk(loop)
            )
        case _:
            return False


def _is_called_at_once(statement: Statement, call: ast.Call) -> bool:
    return any(isinstance(node, ast.Call) and node.func is call for node in statement.expressions)


def _is_same_in_loop(scope: Scope, statement: Statement, call: ast.Call) -> bool:
    """Whether a loop around compiles the same thing in each round: nothing that the loop binds goes into the call."""
    loops = loops_around(statement)
    return bool(loops) and ".reset(" not in ast.unparse(loops[-1]) and _is_same_in(scope, call, loops)


def _is_same_in(scope: Scope, call: ast.Call, loops: Sequence[ast.For | ast.While]) -> bool:
    """Whether nothing that these loops bind goes into a call."""
    given = {node.id for node in walk(call) if isinstance(node, ast.Name)}
    return not any(_is_bound_in(scope, name, loop) for name in given for loop in loops)


def _is_bound_in(scope: Scope, name: str, loop: ast.For | ast.While) -> bool:
    return any(scopes.start_of(loop) <= bound.since <= scopes.end_of(loop) for bound in scope.bindings.get(name, ()))


def _backend_per_call(scope: Scope) -> Iterator[Usage]:
    """`for block in blocks: block.compile(backend=partial(…))`: every compile call has a backend of its own."""
    for statement, call in scope.calls:
        target = scope_kinds.compile_target(scope, call) or in_place_target(scope, call)
        loops = loops_around(statement)
        if target is None or not loops:
            continue
        backend = next((keyword.value for keyword in call.keywords if keyword.arg == "backend"), None)
        if backend is not None and _is_made_anew(scope, backend, loops[-1]):
            yield Usage("backend-per-call", call, "torch.compile", kind_at(scope, target))


def _is_made_anew(scope: Scope, node: ast.expr, loop: ast.For | ast.While) -> bool:
    """A lambda, a partial or an object made by this expression, or by one in the loop that gives the name its value."""
    match node:
        case ast.Lambda():
            return True
        case ast.Call(func=function):
            kind = kind_at(scope, function)
            return isinstance(kind, kinds.ProjectClass) or kind == kinds.Reference("functools.partial")
        case ast.Name(id=name):
            values = [
                bound.value
                for bound in scope.bindings.get(name, ())
                if scopes.start_of(loop) <= bound.since <= scopes.end_of(loop)
            ]
            return bool(values) and all(
                value is not None and not isinstance(value, ast.Name) and _is_made_anew(scope, value, loop)
                for value in values
            )
        case _:
            return False


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_compiled_per_call, _backend_per_call)
