"""The tensors, numbers and iterators that a script makes and hands to what it compiles: `n = torch.tensor(3)`,
`model(x, n)`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.syntax import unpacking
from compilelint.regions.around.callers import MOST_STEPS, arguments_of_callers, is_parameter
from compilelint.regions.around.scopes import Bound, Scope, binding_at, end_of, start_of
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import walk

Arguments = tuple[tuple[str, Kind], ...]
"""What a call gives, by parameter."""
NUMBERS = (kinds.INT, kinds.FLOAT)
_MOST_NAMES = 6
"""Through how many names a value is followed: `x = torch.rand(8)`, `y = x.to(device)`, `batch = y[:n]`."""
_CALLS_OF_MAKER = 3


def arguments_of(scope: Scope, call: ast.Call, parameters: Sequence[str]) -> Arguments:
    """What a call gives each parameter of a function whose positional ones have these names."""
    return (*zip(parameters, _positional(scope, call), strict=False), *_by_name(scope, call))


def sure_tensors(arguments: Iterable[tuple[str, Kind]]) -> Iterator[tuple[str, Kind]]:
    """Those that are tensors whatever happens: a declaration that says otherwise is wrong."""
    for parameter, kind in arguments:
        if isinstance(kind, kinds.Tensor) and kind.confidence == Confidence.HIGH:
            yield parameter, kinds.Tensor(kind.dtype, kind.ndim, parameter=True, sparse=kind.sparse)


def tensors_given(arguments: Iterable[tuple[str, Kind]]) -> Iterator[tuple[str, Kind]]:
    """Those that are tensors, or numbers.

    A tensor is not surer than what a body tells of its parameters: others may call with something else.
    """
    for parameter, kind in arguments:
        tensor = kinds.tensor_part(kind)
        if tensor is not None:
            confidence = min(tensor.confidence, Confidence.MEDIUM)
            yield parameter, replace(tensor, confidence=confidence, parameter=True, foreseen=False)
        elif (number := kinds.widen(kind)) in NUMBERS:
            yield parameter, number


def iterators_given(arguments: Iterable[tuple[str, Kind]]) -> Iterator[tuple[str, kinds.Sequence]]:
    """Those that are iterators: `step(model.parameters())`, `step(zip(xs, ys))`."""
    for parameter, kind in arguments:
        if isinstance(kind, kinds.Sequence) and kind.type == "iterator":
            yield parameter, replace(kind, given=True)


def _positional(scope: Scope, call: ast.Call) -> Iterator[Kind]:
    """What is given without a name, up to a star of which nobody knows how much it stands for."""
    for argument in call.args:
        if not isinstance(argument, ast.Starred):
            yield argument_at(scope, argument)
            continue
        several = argument_at(scope, argument.value)
        if not isinstance(several, kinds.Sequence) or several.items is None:
            return
        yield from several.items


def _by_name(scope: Scope, call: ast.Call) -> Iterator[tuple[str, Kind]]:
    for keyword in call.keywords:
        kind = argument_at(scope, keyword.value)
        if keyword.arg is not None:
            yield keyword.arg, kind
        elif isinstance(kind, kinds.Dictionary):
            yield from ((name, each) for name, each in kind.entries if isinstance(name, str))


def argument_at(scope: Scope, argument: ast.expr) -> Kind:
    """What an argument comes to where it stands, through names that are unpacked: `options, start = create()`."""
    return _value_at(scope, argument, _MOST_NAMES, MOST_STEPS)


def _value_at(scope: Scope, node: ast.expr, names_left: int, steps: int) -> Kind:
    """What an expression comes to, with what its names were bound to last."""
    if not names_left or isinstance(node, ast.Lambda):
        return UNKNOWN
    inspector = scope.inspector
    frame = _frame_at(scope, node, names_left, steps)
    left, inspector.calls_left = inspector.calls_left, min(inspector.calls_left, _CALLS_OF_MAKER)
    try:
        return inspector.evaluate_silently(frame, node)
    finally:
        inspector.calls_left = left


def _frame_at(scope: Scope, node: ast.expr, names_left: int, steps: int) -> Frame:
    frame = scope.inspector.module_frame(scope.module)
    for part in walk(node):
        if isinstance(part, ast.Name) and part.id not in frame.env and _is_bound(scope, part.id):
            frame.env[part.id] = _name_at(scope, part, names_left - 1, steps)
    return frame


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
    if steps and not isinstance(scope.node, ast.Module) and is_parameter(scope, node):
        arguments = arguments_of_callers(scope.inspector, scope.module.name, scope.node, node.id)
        values = (_value_at(caller, argument, names_left, steps - 1) for caller, argument in arguments)
        known = [kind for kind in values if kind != UNKNOWN]
        return kinds.join(*known) if known else UNKNOWN
    return _as_bound(where, bound, node.id, names_left, steps)


def _as_bound(scope: Scope, bound: Bound, name: str, names_left: int, steps: int) -> Kind:
    """What a name gets of the value that a statement unpacks, or iterates over."""
    for statement in scope.statements:
        match statement.node:
            case ast.Assign(targets=targets, value=value) as node if end_of(node) == bound.since:
                kind = _value_at(scope, value, names_left, steps)
            case ast.For(target=target, iter=value) if end_of(value) == bound.since:
                targets, frame = [target], scope.inspector.module_frame(scope.module)
                with scope.inspector.silently():
                    kind = unpacking.iterate(frame, _value_at(scope, value, names_left, steps))
            case _:
                continue
        frame = scope.inspector.module_frame(scope.module)
        for target in targets:
            unpacking.bind_target(frame, target, kind)
        return frame.env.get(name, UNKNOWN)
    return UNKNOWN
