"""Gradients of gradients through something compiled: AOTAutograd's backward cannot be differentiated again."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect import kinds
from compilelint.regions import scope_kinds, scopes
from compilelint.regions.driving import Compiled, compiled_callable
from compilelint.regions.scopes import Scope
from compilelint.regions.setters import called_with
from compilelint.regions.usage import Usage
from compilelint.report.confidence import Confidence
from compilelint.source.model import ModuleIndex
from compilelint.source.nodes import walk

_GRAD = "torch.autograd.grad"
_BACKWARD = "torch.Tensor.backward"
_FUNCTIONAL = {f"torch.autograd.functional.{name}": "double-backward" for name in ("hvp", "vhp", "jvp")} | {
    "torch.autograd.functional.hessian": "hessian"
}
"""What differentiates the gradient of a function that it is given, and of what sort that is."""
_NAMES = frozenset(name.rpartition(".")[2] for name in _FUNCTIONAL)
_DETACHES = frozenset({"detach", "item", "tolist", "numpy"})
_WITHOUT_AUTOGRAD = frozenset({"eager", "eager_noexcept", "eager_debug"})
"""Backends that run the graph as it is, and leave the backward to autograd."""


def _differentiated_twice(scope: Scope) -> Iterator[Usage]:
    """`torch.autograd.grad(outputs, …, create_graph=True)` and `loss.backward(create_graph=True)` of what a compiled
    callable gave: the gradient is there, its backward fails."""
    for _, call in scope.calls:
        confidence = _creates_graph(call)
        if confidence is None:
            continue
        match call.func:
            case ast.Attribute(value=loss, attr="backward") if _is_of_compiled(scope, loss, ()):
                yield Usage("double-backward", call, _BACKWARD, confidence=confidence)
            case func if scope_kinds.is_reference(scope, func, _GRAD):
                outputs = [*call.args[:1], *(each.value for each in call.keywords if each.arg == "outputs")]
                # No gradient goes beyond what it is asked for: what that was computed by is differentiated once.
                if any(_is_of_compiled(scope, output, tuple(_inputs(call))) for output in outputs):
                    yield Usage("double-backward", call, _GRAD, confidence=confidence)


def _differentiated_by_function(scope: Scope) -> Iterator[Usage]:
    """`r1_penalty(scores, images)`, where the function asks for a gradient with a history of what it is given, and that
    is what a compiled callable gave."""
    for _, call in scope.calls:
        called = called_with(scope, call) if isinstance(call.func, ast.Name) else None
        if called is None or isinstance(called.function.node, ast.Lambda):
            continue
        module = scope.inspector.tree.module(called.function.key[0])
        asked = _differentiated_arguments(scope, module, called.function.node) if module is not None else ()
        for name, inputs in asked:
            given = called.given.get(name)
            ends = {each for to, value in called.given.items() if to in inputs for each in _loaded(value)}
            if given is not None and _is_of_compiled(scope, given, tuple(ends)):
                yield Usage("double-backward", call, _GRAD)
                break


def _differentiated_arguments(
    scope: Scope, module: ModuleIndex, function: ast.FunctionDef | ast.AsyncFunctionDef
) -> Iterator[tuple[str, set[str]]]:
    """The parameters that a function asks for a gradient with a history of, in every case, and with respect to what."""
    rebound = {part.id for part in walk(function) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    for part in (part for statement in _always_run(function.body) for part in walk(statement)):
        match part:
            case ast.Call(func=func) if _creates_graph(part) is Confidence.HIGH:
                outputs = [*part.args[:1], *(each.value for each in part.keywords if each.arg == "outputs")]
                asked = scope.inspector.evaluate_globally(module, func)
                if isinstance(asked, kinds.Reference) and asked.name == _GRAD:
                    inputs = _inputs(part)
                    names = (name for output in outputs for name in _differentiated(output))
                    yield from ((name, inputs) for name in names if name not in inputs | rebound)


def _inputs(call: ast.Call) -> set[str]:
    """The names of what a gradient is asked with respect to."""
    return set().union(
        *map(_loaded, [*call.args[1:2], *(each.value for each in call.keywords if each.arg == "inputs")])
    )


def _always_run(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run whatever the function is given, up to the first that may leave it."""
    for statement in body:
        match statement:
            case ast.With(body=inner):
                yield from _always_run(inner)
            case ast.Assign() | ast.AnnAssign() | ast.Expr() | ast.Return():
                yield statement
            case ast.If() | ast.For() | ast.While() | ast.Try() | ast.Match():
                return


def _differentiated(output: ast.expr) -> Iterator[str]:
    """The names to whose own history a gradient leads: of `(scores * noise).sum()`, not of `critic(scores)`."""
    match output:
        case ast.Name(id=name):
            yield name
        case ast.Call(func=ast.Attribute(value=owner)) | ast.Subscript(value=owner) if not _is_detached(output):
            yield from _differentiated(owner)
        case ast.BinOp(left=left, right=right):
            yield from (*_differentiated(left), *_differentiated(right))
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            for element in elements:
                yield from _differentiated(element)


def _loaded(node: ast.expr) -> set[str]:
    return {part.id for part in walk(node) if isinstance(part, ast.Name)}


def _functional(scope: Scope) -> Iterator[Usage]:
    """`hessian(f, x)` and its like of something compiled, or of a lambda that calls it."""
    for _, call in scope.calls:
        if not call.args or (isinstance(call.func, ast.Attribute) and call.func.attr not in _NAMES):
            continue
        match scope_kinds.kind_at(scope, call.func):
            case kinds.Reference(name=name) if name in _FUNCTIONAL and _is_compiled(scope, call.args[0]):
                yield Usage(_FUNCTIONAL[name], call, name)


def _is_compiled(scope: Scope, function: ast.expr) -> bool:
    if isinstance(function, ast.Lambda):
        return _is_of_compiled(scope, function.body, ())
    compiled = compiled_callable(scope, function)
    return compiled is not None and not _leaves_autograd_alone(compiled)


def _creates_graph(call: ast.Call) -> Confidence | None:
    """How sure it is that a call asks for a gradient with a history: of `create_graph=self.training` less so."""
    for keyword in call.keywords:
        match keyword:
            case ast.keyword(arg="create_graph", value=ast.Constant(value=value)):
                return Confidence.HIGH if value is True else None
            case ast.keyword(arg="create_graph"):
                return Confidence.MEDIUM
    return None


def _is_of_compiled(scope: Scope, node: ast.expr, passed: tuple[str, ...]) -> bool:
    """Whether a value is computed of what a compiled callable gave, as far as the scope's own names lead; `passed` are
    those that led here."""
    return any(_leads_to_compiled(scope, part, passed) for part in walk(node)) and not _is_detached(node)


def _leads_to_compiled(scope: Scope, part: ast.AST, passed: tuple[str, ...]) -> bool:
    match part:
        case ast.Call(func=func):
            compiled = compiled_callable(scope, func)
            return compiled is not None and not _leaves_autograd_alone(compiled)
        case ast.Name(id=name, ctx=ast.Load()) if name not in passed:
            found = scopes.binding_at(scope, name, scopes.start_of(part))
            if found is None or found[0] is not scope or found[1].value is None:
                return False
            return _is_of_compiled(scope, found[1].value, (*passed, name))
        case _:
            return False


def _is_detached(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _DETACHES
        case _:
            return False


def _leaves_autograd_alone(compiled: Compiled) -> bool:
    match compiled.options.get("backend"):
        case ast.Constant(value=name):
            return name in _WITHOUT_AUTOGRAD
        case _:
            return False


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (
    _differentiated_twice,
    _differentiated_by_function,
    _functional,
)
"""What is asked of each scope."""
