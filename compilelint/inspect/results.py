"""A function's body is walked, and gives what it returns."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.deciding.unusual_values import beside_unknown
from compilelint.inspect.deciding.usual_results import is_usually_none
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.members import classes, forward_hooks, self_attributes
from compilelint.inspect.syntax import expressions, handing_on, statements
from compilelint.source.nodes import walk

_SUSPENSIONS = (ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Yield)


def run(frame: Frame) -> Kind:
    """Walk the body of a function; gives what it returns, or, for a generator, what it yields."""
    assert frame.function is not None
    node = frame.function.node
    if isinstance(node, ast.Lambda):
        given = expressions.evaluate(frame, node.body)
        if frame.route.enters_body:
            handing_on.report(frame)
        return given
    falls_through = statements.execute(frame, node.body)
    if frame.route.enters_body:
        handing_on.report(frame)
    if node.name == "forward":
        forward_hooks.run(frame)
    if isinstance(node, ast.AsyncFunctionDef) or frame.yields:
        suspension = next((part for part in walk(node) if isinstance(part, _SUSPENSIONS)), None)
        if suspension is not None and isinstance(node, ast.AsyncFunctionDef):
            frame.emit("function-definition", suspension, construct="await")
        else:
            frame.emit("function-definition", node, construct="generator" if frame.yields else "async")
            if "contextlib.contextmanager" in classes.decorator_names(frame.inspector, frame.function.key):
                frame.emit("function-definition", node, construct="context-manager")
    if falls_through:
        frame.returns.append(kinds.NONE)
    if frame.yields:
        return kinds.Sequence("iterator", kinds.shallow(kinds.join(*frame.yields)))
    if isinstance(node, ast.AsyncFunctionDef) or not frame.returns:
        return UNKNOWN
    result = kinds.join(*beside_unknown(frame.returns, frame.supposed))
    if result != kinds.NONE and kinds.NONE in frame.returns and is_usually_none(frame, node.body):
        return kinds.NONE
    if result == UNKNOWN and node.returns is not None:
        declared = frame.inspector.annotated(frame, node.returns)
        return _read_by_property(frame, node, declared) if _is_property(node) else declared
    return result


def _read_by_property(frame: Frame, node: ast.FunctionDef, declared: Kind) -> Kind:
    """What a property gives that is declared so: `-> int` says nothing of the None before the first call."""
    receiver = frame.receiver_instance
    match node.body[-1]:
        case ast.Return(value=ast.Attribute(value=ast.Name(), attr=name)) if receiver is not None:
            if self_attributes.is_reset(frame.inspector, receiver.cls, name):
                return kinds.join(kinds.NONE, there_before(declared))
    return there_before(declared)


def _is_property(node: ast.FunctionDef) -> bool:
    """Whether reading an attribute runs the function: what it gives is then there already, as far as source tells."""
    return any(isinstance(decorator, ast.Name) and decorator.id == "property" for decorator in node.decorator_list)


def there_before(kind: Kind) -> Kind:
    """Tensors that a module holds, and numbers, exist before the region starts."""
    match kind:
        case kinds.Tensor():
            return replace(kind, parameter=True)
        case kinds.Array(number=True):
            return replace(kind, kept=True)
        case _:
            return kind
