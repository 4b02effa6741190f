"""Things that are made once and belong at set-up, made anew for every call: the compiled object, its backend."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect import kinds
from compilelint.regions import scope_kinds, scopes
from compilelint.regions.in_place import in_place_target
from compilelint.regions.queries import loops_around
from compilelint.regions.scope_kinds import kind_at
from compilelint.regions.scopes import Scope, Statement
from compilelint.regions.usage import Usage
from compilelint.source.nodes import walk

_PER_CALL = frozenset({"forward", "training_step", "validation_step", "test_step", "predict_step"})
"""Methods of a module that run once per batch."""


def _compiled_per_call(scope: Scope) -> Iterator[Usage]:
    """`torch.compile(self.net)(x)` in `forward`, in a step function, or in a loop over batches."""
    for statement, call in scope.calls:
        target = scope_kinds.compile_target(scope, call)
        if target is None or any(isinstance(ancestor, ast.If | ast.Try) for ancestor in statement.ancestors):
            continue
        per_batch = _runs_per_batch(scope, call) and _is_used_here_only(scope, statement, call)
        if per_batch or (_is_called_at_once(statement, call) and _is_same_in_loop(scope, statement, call)):
            yield Usage("compiled-per-call", call, "torch.compile", kind_at(scope, target))


def _runs_per_batch(scope: Scope, call: ast.Call) -> bool:
    """Whether the scope is a method that runs once per batch, or a function that a loop of the file calls."""
    if isinstance(scope.node, ast.Module):
        return False
    if scope.owner is not None:
        return scope.owner.module and scope.node.name in _PER_CALL
    return scope.parent is not None and not _given(scope, call) and any(_loops_calling(scope.parent, scope.node.name))


def _given(scope: Scope, call: ast.Call) -> set[str]:
    """The names of the function's own that go into a call: what it compiles may then be another thing each time."""
    return {node.id for node in walk(call) if isinstance(node, ast.Name) and node.id in scope.bindings}


def _loops_calling(scope: Scope, name: str) -> Iterator[ast.For | ast.While]:
    for part in walk(scope.node):
        if isinstance(part, ast.For | ast.While) and ".reset(" not in ast.unparse(part):
            for node in walk(part):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                    yield part


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


def _is_called_at_once(statement: Statement, call: ast.Call) -> bool:
    return any(isinstance(node, ast.Call) and node.func is call for node in statement.expressions)


def _is_same_in_loop(scope: Scope, statement: Statement, call: ast.Call) -> bool:
    """Whether a loop around compiles the same thing in each round: nothing that the loop binds goes into the call."""
    loops = loops_around(statement)
    if not loops or ".reset(" in ast.unparse(loops[-1]):
        return False
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
