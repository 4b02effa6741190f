"""What a module overrides of `nn.Module`'s own methods, called on the wrapper, which has them itself and passes nothing
on: `compiled.to(device)`, `compiled.parameters()`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect import kinds
from compilelint.inspect.members import classes
from compilelint.regions.around.queries import calls
from compilelint.regions.around.scopes import Scope
from compilelint.regions.starts.compiled_attributes import compiled_at
from compilelint.regions.usage import Usage

CONSTRUCT = "overridden-method"
_NOT_PASSED_ON = frozenset(
    {
        *("to", "cpu", "cuda", "float", "double", "half", "bfloat16", "type", "to_empty"),
        *("eval", "requires_grad_", "zero_grad", "share_memory", "load_state_dict", "register_buffer"),
        *("parameters", "named_parameters", "buffers", "named_buffers", "children", "named_children", "modules"),
        *("register_forward_hook", "register_forward_pre_hook", "register_full_backward_hook", "register_parameter"),
    }
)
"""Seen of torch 2.13.0. It does call `train`, `apply`, `state_dict` and `named_modules` of the original."""


def _overridden(scope: Scope) -> Iterator[Usage]:
    for call in calls(scope):
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in _NOT_PASSED_ON:
            continue
        compiled = compiled_at(scope, call.func.value)
        inner = compiled[0].args[0] if compiled is not None else None
        if compiled is None or not isinstance(inner, kinds.Instance):
            continue
        if _does_more(scope, inner.cls, call.func.attr):
            yield Usage(CONSTRUCT, call, receiver=compiled[0], confidence=compiled[1])


def _does_more(scope: Scope, cls: kinds.ProjectClass, name: str) -> bool:
    """Whether a class has a method of this name that does more than to call that of its base."""
    key = classes.find_method(scope.inspector, cls, name)
    function = scope.inspector.tree.function(key) if key is not None else None
    if function is None or isinstance(function.node, ast.Lambda):
        return False
    body = [each for each in function.node.body if not _is_text(each)]
    return len(body) != 1 or not _calls_base(body[0], name)


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _calls_base(statement: ast.stmt, name: str) -> bool:
    """Whether a statement is the call of the base's method, and nothing else."""
    match statement:
        case (
            ast.Return(value=ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=attr)))
            | ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=attr)))
        ):
            return attr == name
        case _:
            return False


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_overridden,)
