"""Gradients of gradients through something compiled: AOTAutograd's backward cannot be differentiated again."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect import kinds
from compilelint.regions import scope_kinds, scopes
from compilelint.regions.driving import Compiled, compiled_callable
from compilelint.regions.scopes import Scope
from compilelint.regions.usage import Usage
from compilelint.report.confidence import Confidence
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
                if any(_is_of_compiled(scope, output, ()) for output in outputs):
                    yield Usage("double-backward", call, _GRAD, confidence=confidence)


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


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_differentiated_twice, _functional)
"""What is asked of each scope."""
