"""What is compiled and, somewhere else, kept from being compiled."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import classes
from compilelint.regions.around import scope_kinds
from compilelint.regions.around.in_place import MODULE_COMPILE, in_place_target
from compilelint.regions.around.queries import calls, is_constant
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope, expects_error
from compilelint.regions.usage import Usage
from compilelint.source.model import FunctionInfo

_DISABLE = ("torch.compiler.disable", "torch._dynamo.disable", "torch._disable_dynamo")
_ERROR_ON_GRAPH_BREAK = "torch._dynamo.error_on_graph_break"


def _disabled_forward(scope: Scope) -> Iterator[Usage]:
    """`torch.compile(Net())` where `Net.forward` is under `@torch.compiler.disable`."""
    for call in calls(scope):
        compiled, in_place = scope_kinds.compile_target(scope, call), in_place_target(scope, call)
        target = compiled or in_place
        if target is None:
            continue
        kind = kind_at(scope, target)
        forward = _forward(scope, kind)
        if forward is not None and any(_disables_all(scope, forward, node) for node in forward.decorators):
            yield Usage("disabled-forward", call, MODULE_COMPILE if in_place is not None else "torch.compile", kind)


def _forward(scope: Scope, kind: Kind) -> FunctionInfo | None:
    if not isinstance(kind, kinds.Instance) or not kind.module:
        return None
    found = classes.find_method(scope.inspector, kind.cls, "forward")
    return scope.inspector.tree.function(found) if found is not None else None


def _disables_all(scope: Scope, function: FunctionInfo, node: ast.expr) -> bool:
    """Whether a decorator disables the function and all that it calls: not with `recursive=False`."""
    home = scope.inspector.tree.module(function.key[0])
    if home is None:
        return False
    called = node.func if isinstance(node, ast.Call) else node
    if isinstance(node, ast.Call) and any(
        keyword.arg == "recursive" and not is_constant(keyword.value, True) for keyword in node.keywords
    ):
        return False
    kind = scope.inspector.evaluate_globally(home, called)
    return isinstance(kind, kinds.Reference) and kind.name in _DISABLE


def _idle_disable(scope: Scope) -> Iterator[Usage]:
    """`torch.compiler.disable()` as a statement, which only gives a decorator; and entered by `with`, which fails."""
    for statement in scope.statements:
        match statement.node:
            case ast.Expr(value=ast.Call() as call) if _disables(scope, call) and _changes_nothing(scope, call):
                yield Usage("disable-discarded", call, _DISABLE[0])
            case ast.With(items=items) if not expects_error(statement):
                for item in items:
                    if isinstance(item.context_expr, ast.Call) and _disables(scope, item.context_expr):
                        yield Usage("disable-as-context", item.context_expr, _DISABLE[0])


def _disables(scope: Scope, call: ast.Call) -> bool:
    return any(scope_kinds.is_reference(scope, call.func, name) for name in _DISABLE)


def _changes_nothing(scope: Scope, call: ast.Call) -> bool:
    """Whether nothing is left of the call once its result is lost: a class is changed itself, and so is the code of a
    function with `recursive=False`."""
    match call.args, call.keywords:
        case [], _:
            return not any(keyword.arg in ("fn", None) for keyword in call.keywords)
        case [fn], []:
            kind = kind_at(scope, fn)
            return isinstance(kind, kinds.Function | kinds.Method) or scope_kinds.is_module(kind)
        case _:
            return False


def _allowed_breaks_under_fullgraph(scope: Scope) -> Iterator[Usage]:
    """`with torch._dynamo.error_on_graph_break(False)` in a function that is compiled with `fullgraph=True`."""
    if isinstance(scope.node, ast.Module) or not _is_compiled_whole(scope):
        return
    for statement in scope.statements:
        if isinstance(statement.node, ast.With):
            for item in statement.node.items:
                match item.context_expr:
                    case ast.Call(func=function, args=[ast.Constant(value=False)]) as call if scope_kinds.is_reference(
                        scope, function, _ERROR_ON_GRAPH_BREAK
                    ):
                        yield Usage("breaks-allowed-under-fullgraph", call, _ERROR_ON_GRAPH_BREAK)


def _is_compiled_whole(scope: Scope) -> bool:
    """Whether the function has `@torch.compile(fullgraph=True)`, or the scope around compiles it by name."""
    if isinstance(scope.node, ast.Module) or scope.parent is None:
        return False
    for decorator in scope.node.decorator_list:
        if isinstance(decorator, ast.Call) and scope_kinds.is_reference(scope.parent, decorator.func, "torch.compile"):
            return _asks_for_one_graph(decorator)
    for call in calls(scope.parent):
        target = scope_kinds.compile_target(scope.parent, call)
        if isinstance(target, ast.Name) and target.id == scope.node.name and scope.owner is None:
            return _asks_for_one_graph(call)
    return False


def _asks_for_one_graph(call: ast.Call) -> bool:
    return any(keyword.arg == "fullgraph" and is_constant(keyword.value, True) for keyword in call.keywords)


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (
    _disabled_forward,
    _idle_disable,
    _allowed_breaks_under_fullgraph,
)
