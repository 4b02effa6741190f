"""Gradients from one part of what a compiled call gave to another: to autograd it is one function."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

from compilelint.regions.around import scopes
from compilelint.regions.around.queries import is_constant
from compilelint.regions.around.scopes import Scope
from compilelint.regions.gradients.asked_gradients import GRAD, Gradient, elements, gradients
from compilelint.regions.gradients.compiled_results import Part, part_of, parts
from compilelint.regions.usage import Usage

_BACKWARD = "torch.Tensor.backward"
_KEEPS = {"retain_grad": "torch.Tensor.retain_grad", "register_hook": "torch.Tensor.register_hook"}
"""Methods by which a tensor that is no leaf shows its gradient."""


def _asked_between(scope: Scope) -> Iterator[Usage]:
    """`image, styles = compiled(z)`, and then `torch.autograd.grad(image.sum(), styles)`: it raises, or gives None, or
    zeros, where that is allowed, and less than there is where the loss is made of both."""
    told: set[ast.Call] = set()
    for gradient in gradients(scope):
        lost = _lost(scope, gradient.outputs, _parts_of(scope, gradient.inputs))
        if lost is not None and gradient.call not in told:
            told.add(gradient.call)
            raises = lost == "all" and not _may_be_none(gradient)
            yield Usage("gradient-between-outputs" if raises else "gradient-lost", gradient.call, GRAD)


def _may_be_none(gradient: Gradient) -> bool:
    options = (each.value for each in gradient.asked.keywords if each.arg in ("allow_unused", "materialize_grads"))
    return any(not is_constant(value, False) for value in options)


def _lost_by_backward(scope: Scope) -> Iterator[Usage]:
    """`loss.backward(inputs=[styles])`, which sets nothing."""
    for loss, call in _backwards(scope):
        inputs = elements([each.value for each in call.keywords if each.arg == "inputs"])
        if _lost(scope, [loss], _parts_of(scope, inputs)) is not None:
            yield Usage("gradient-lost", call, _BACKWARD)


def _lost_to_keeper(scope: Scope) -> Iterator[Usage]:
    """`styles.retain_grad()` before the backward of a loss that is made of another part."""
    for _, call in scope.calls:
        match call.func:
            case ast.Attribute(value=kept, attr=attr) if attr in _KEEPS and (part := part_of(scope, kept)) is not None:
                after = [loss for loss, each in _backwards(scope) if scopes.start_of(each) > scopes.start_of(call)]
                of_result = [loss for loss in after if any(one.call is part.call for one in parts(scope, loss))]
                if of_result and all(_lost(scope, [loss], [part]) is not None for loss in of_result):
                    yield Usage("gradient-lost", call, _KEEPS[attr])


def _backwards(scope: Scope) -> Iterator[tuple[ast.expr, ast.Call]]:
    for _, call in scope.calls:
        match call.func:
            case ast.Attribute(value=loss, attr="backward"):
                yield loss, call


def _parts_of(scope: Scope, nodes: Iterable[ast.expr]) -> list[Part]:
    """The parts of results that are asked for; a result as a whole is beside nothing."""
    found = (part_of(scope, node) for node in nodes)
    return [part for part in found if part is not None and part.path]


def _lost(scope: Scope, outputs: Iterable[ast.expr], asked_for: Sequence[Part]) -> Literal["all", "some"] | None:
    """How much is lost of the gradient with respect to one of these parts: `all` where what is differentiated is made
    of other parts of its result only, `some` where of the part itself, too; None where nothing is, or it is unclear."""
    made_of = [part for output in outputs for part in parts(scope, output)] if asked_for else []
    for one in asked_for:
        of_result = [part for part in made_of if part.call is one.call]
        others = [part for part in of_result if not part.is_beside(one)]
        if len(others) < len(of_result) and all(part.path[: len(one.path)] == one.path for part in others):
            return "some" if others else "all"
    return None


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_asked_between, _lost_by_backward, _lost_to_keeper)
"""What is asked of each scope."""
