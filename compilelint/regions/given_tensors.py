"""The tensors that a script makes and hands to what it compiles: `n = torch.tensor(3)`, `model(x, n)`."""

from __future__ import annotations

import ast

from compilelint.inspect import kinds
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.regions.callers import MOST_STEPS, arguments_of_callers, is_parameter
from compilelint.regions.scopes import Scope, binding_at, start_of
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import walk

_MOST_NAMES = 6
"""Through how many names a value is followed: `x = torch.rand(8)`, `y = x.to(device)`, `batch = y[:n]`."""
_CALLS_OF_MAKER = 3


def tensor_given(scope: Scope, argument: ast.expr) -> Kind | None:
    """The tensor that an argument is for what is called; None where it is none, or nobody knows.

    It is not surer than what a body tells of its parameters: others may call with something else.
    """
    tensor = kinds.tensor_part(_value_at(scope, argument, _MOST_NAMES, MOST_STEPS))
    if tensor is None:
        return None
    return kinds.Tensor(tensor.dtype, tensor.ndim, min(tensor.confidence, Confidence.MEDIUM), parameter=True)


def _value_at(scope: Scope, node: ast.expr, names_left: int, steps: int) -> Kind:
    """What an expression comes to, with what its names were bound to last."""
    if not names_left or isinstance(node, ast.Lambda):
        return UNKNOWN
    inspector = scope.inspector
    frame = inspector.module_frame(scope.module)
    for part in walk(node):
        if isinstance(part, ast.Name) and part.id not in frame.env and _is_bound(scope, part.id):
            frame.env[part.id] = _name_at(scope, part, names_left - 1, steps)
    left, inspector.calls_left = inspector.calls_left, min(inspector.calls_left, _CALLS_OF_MAKER)
    try:
        return inspector.evaluate_silently(frame, node)
    finally:
        inspector.calls_left = left


def _is_bound(scope: Scope, name: str) -> bool:
    """Whether the file binds a name: all others are Python's."""
    return name in scope.bindings or (scope.parent is not None and _is_bound(scope.parent, name))


def _name_at(scope: Scope, node: ast.Name, names_left: int, steps: int) -> Kind:
    found = binding_at(scope, node.id, start_of(node))
    if found is None:
        return UNKNOWN
    where, bound = found
    if bound.kind is not None:
        return bound.kind
    if bound.value is not None:
        return _value_at(where, bound.value, names_left, steps) if bound.iterated is None else UNKNOWN
    if steps and not isinstance(scope.node, ast.Module) and is_parameter(scope, node):
        arguments = arguments_of_callers(scope.inspector, scope.module.name, scope.node, node.id)
        values = (_value_at(caller, argument, names_left, steps - 1) for caller, argument in arguments)
        known = [kind for kind in values if kind != UNKNOWN]
        return kinds.join(*known) if known else UNKNOWN
    return UNKNOWN
