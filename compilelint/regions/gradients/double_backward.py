"""Gradients of gradients through something compiled: AOTAutograd's backward cannot be differentiated again."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from compilelint.inspect import kinds
from compilelint.regions.around import scope_kinds
from compilelint.regions.around.compiled import compiled_callable
from compilelint.regions.around.scopes import Scope
from compilelint.regions.gradients.asked_gradients import GRAD, gradients
from compilelint.regions.gradients.compiled_results import Part, leaves_autograd_alone, part_of, parts
from compilelint.regions.usage import Usage
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import walk

_BACKWARD = "torch.Tensor.backward"
_FUNCTIONAL = {f"torch.autograd.functional.{name}": "double-backward" for name in ("hvp", "vhp", "jvp")} | {
    "torch.autograd.functional.hessian": "hessian"
}
"""What differentiates the gradient of a function that it is given, and of what sort that is."""
_WITHOUT_HISTORY = frozenset({"shape", "dtype", "device", "ndim", "size", "dim", "numel", "detach"})
_NAMES = frozenset(name.rpartition(".")[2] for name in _FUNCTIONAL)


def _differentiated_twice(scope: Scope) -> Iterator[Usage]:
    """`torch.autograd.grad(outputs, …, create_graph=True)` of what a compiled callable gave, here or in a function that
    is given that (`r1_penalty(scores, images)`): the gradient is there, its backward fails."""
    told: set[ast.Call] = set()
    for gradient in gradients(scope):
        confidence = _creates_graph(gradient.asked)
        if confidence is None or (gradient.asked is not gradient.call and confidence is not Confidence.HIGH):
            continue
        # No gradient goes beyond what it is asked for: what that was computed by is differentiated once.
        ends, beside = gradient.ends, [part for node in gradient.inputs if (part := part_of(scope, node)) is not None]
        is_of_compiled = any(_is_of_compiled(scope, output, ends, beside) for output in gradient.outputs)
        if is_of_compiled and gradient.call not in told and not _is_only_looked_at(scope, gradient.call):
            told.add(gradient.call)
            yield Usage("double-backward", gradient.call, GRAD, confidence=confidence)


def _is_only_looked_at(scope: Scope, call: ast.Call) -> bool:
    """Whether a gradient has a name, and all that is asked under it has no history: `g.shape`."""
    for statement in scope.statements:
        match statement.node:
            case ast.Assign(
                targets=[ast.Name(id=name) | ast.Tuple(elts=[ast.Name(id=name)])],
                value=ast.Subscript(value=value) | value,
            ) if value is call:
                looks = [look for node in walk(scope.node) for look in _looks(node, name)]
                return bool(looks) and all(looks)
    return False


def _looks(node: ast.AST, name: str) -> Iterator[bool]:
    """For each expression that a node has the name in, whether it is only asked for what has no history."""
    for part in ast.iter_child_nodes(node):
        match part:
            case ast.Name(id=each, ctx=ast.Load()) if each == name:
                yield isinstance(node, ast.Attribute) and node.attr in _WITHOUT_HISTORY


def _differentiated_by_backward(scope: Scope) -> Iterator[Usage]:
    """`loss.backward(create_graph=True)`."""
    for _, call in scope.calls:
        match call.func:
            case ast.Attribute(value=loss, attr="backward") if (confidence := _creates_graph(call)) is not None:
                if _is_of_compiled(scope, loss, ()):
                    yield Usage("double-backward", call, _BACKWARD, confidence=confidence)


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
    return compiled is not None and not leaves_autograd_alone(compiled)


def _creates_graph(call: ast.Call) -> Confidence | None:
    """How sure it is that a call asks for a gradient with a history: of `create_graph=self.training` less so."""
    for keyword in call.keywords:
        match keyword:
            case ast.keyword(arg="create_graph", value=ast.Constant(value=value)):
                return Confidence.HIGH if value is True else None
            case ast.keyword(arg="create_graph"):
                return Confidence.MEDIUM
    return None


def _is_of_compiled(scope: Scope, node: ast.expr, passed: tuple[str, ...], beside: Sequence[Part] = ()) -> bool:
    """Whether a value is computed of what a compiled callable gave, and not only of what lies `beside` the others: no
    gradient leads from one part of a result to another."""
    return any(not any(part.is_beside(other) for other in beside) for part in parts(scope, node, passed))


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (
    _differentiated_twice,
    _differentiated_by_backward,
    _functional,
)
"""What is asked of each scope."""
