"""Gradients that the code around a region asks for by `torch.autograd.grad`, itself or by a function that it calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from compilelint.inspect import kinds
from compilelint.regions.around import scope_kinds
from compilelint.regions.around.scopes import Scope, asked_once
from compilelint.regions.changes.setters import Called, called_with, own_method_called_with
from compilelint.regions.gradients.compiled_results import is_detached
from compilelint.source.model import ModuleIndex
from compilelint.source.nodes import walk
from compilelint.source.watched import says

GRAD = "torch.autograd.grad"


class Gradient(Struct, frozen=True):
    """A gradient, as the scope asks for it."""

    call: ast.Call
    """What the scope says: the call of torch, or of the function that makes it."""
    asked: ast.Call
    """The call of torch."""
    outputs: tuple[ast.expr, ...]
    """Of what, in the scope's words."""
    inputs: tuple[ast.expr, ...]
    """With respect to what, in the scope's words."""

    @property
    def ends(self) -> tuple[str, ...]:
        """The names that it leads to, and not beyond."""
        return tuple(set().union(*map(_loaded, self.inputs)))


@asked_once
def gradients(scope: Scope) -> tuple[Gradient, ...]:
    """All gradients that the scope asks for."""
    found: list[Gradient] = []
    for _, call in scope.calls:
        if scope_kinds.is_reference(scope, call.func, GRAD):
            found.append(Gradient(call, call, elements(_outputs(call)), elements(_inputs(call))))
        elif (called := _called(scope, call)) is not None:
            found += _asked_by(scope, call, called)
    return tuple(found)


def _called(scope: Scope, call: ast.Call) -> Called | None:
    return called_with(scope, call) if isinstance(call.func, ast.Name) else own_method_called_with(scope, call)


def _asked_by(scope: Scope, call: ast.Call, called: Called) -> Iterator[Gradient]:
    """What a function asks for in every case, of its arguments: `r1_penalty(scores, images)`."""
    module, function = scope.inspector.tree.module(called.function.key[0]), called.function.node
    if module is None or isinstance(function, ast.Lambda) or not says(function, module.lines, "grad"):
        return
    rebound = {part.id for part in walk(function) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    for asked in (part for statement in _always_run(function.body) for part in walk(statement)):
        if not (isinstance(asked, ast.Call) and _is_grad(scope, module, asked)):
            continue
        inputs = set().union(*map(_loaded, _inputs(asked)))
        names = {name for output in _outputs(asked) for name in _differentiated(output)} - inputs - rebound
        outputs = tuple(value for name, value in called.given.items() if name in names)
        if outputs:
            given = [value for name, value in called.given.items() if name in inputs]
            yield Gradient(call, asked, outputs, elements(given))


def _is_grad(scope: Scope, module: ModuleIndex, call: ast.Call) -> bool:
    is_named_so = isinstance(call.func, ast.Attribute | ast.Name) and _last_name(call.func) == "grad"
    return is_named_so and scope.inspector.evaluate_globally(module, call.func) == kinds.Reference(GRAD)


def _last_name(node: ast.Attribute | ast.Name) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id


def _outputs(call: ast.Call) -> list[ast.expr]:
    return [*call.args[:1], *(each.value for each in call.keywords if each.arg == "outputs")]


def _inputs(call: ast.Call) -> list[ast.expr]:
    return [*call.args[1:2], *(each.value for each in call.keywords if each.arg == "inputs")]


def elements(nodes: list[ast.expr]) -> tuple[ast.expr, ...]:
    """The expressions, those of a list or a tuple one by one."""
    return tuple(
        element for node in nodes for element in (node.elts if isinstance(node, ast.List | ast.Tuple) else [node])
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
        case ast.Call(func=ast.Attribute(value=owner)) | ast.Subscript(value=owner) if not is_detached(output):
            yield from _differentiated(owner)
        case ast.BinOp(left=left, right=right):
            yield from (*_differentiated(left), *_differentiated(right))
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            for element in elements:
                yield from _differentiated(element)


def _loaded(node: ast.expr) -> set[str]:
    return {part.id for part in walk(node) if isinstance(part, ast.Name)}
