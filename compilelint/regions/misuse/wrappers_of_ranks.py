"""DistributedDataParallel and FSDP around what is compiled, or inside it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect import kinds
from compilelint.regions.around import scope_kinds, scopes
from compilelint.regions.around.in_place import MODULE_COMPILE, in_place_target
from compilelint.regions.around.queries import calls, compiled_in_place, is_constant
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.usage import Usage

DDP = "torch.nn.parallel.DistributedDataParallel"
FSDP = "torch.distributed.fsdp.FullyShardedDataParallel"


def _compiled_before_ddp(scope: Scope) -> Iterator[Usage]:
    """`DDP(torch.compile(model))`, or `model.compile()` and then `DDP(model)`."""
    in_place = compiled_in_place(scope)
    for call in calls(scope):
        if not call.args or not scope_kinds.is_reference(scope, call.func, DDP):
            continue
        inner = call.args[0]
        kind = kind_at(scope, inner)
        since = in_place.get(ast.unparse(inner))
        if scope_kinds.is_compiled(kind) or (since is not None and since < scopes.start_of(call)):
            yield Usage("compiled-before-ddp", call, DDP, kind)


def _fullgraph_around_ddp(scope: Scope) -> Iterator[Usage]:
    """`torch.compile(DDP(model), fullgraph=True)`."""
    for call in calls(scope):
        compiled, in_place = scope_kinds.compile_target(scope, call), in_place_target(scope, call)
        target = compiled or in_place
        if target is None or not any(
            keyword.arg == "fullgraph" and is_constant(keyword.value, True) for keyword in call.keywords
        ):
            continue
        kind = kind_at(scope, target)
        if kind == kinds.External(DDP) or (isinstance(kind, kinds.External) and kind.cls == DDP):
            yield Usage("fullgraph-around-ddp", call, MODULE_COMPILE if in_place is not None else "torch.compile", kind)


def _flat_parameters(scope: Scope) -> Iterator[Usage]:
    """`torch.compile(FSDP(model))` without `use_orig_params=True`."""
    in_place = compiled_in_place(scope)
    for call in calls(scope):
        if not scope_kinds.is_reference(scope, call.func, FSDP) or not _keeps_flat_parameters(call):
            continue
        inner = call.args[0] if call.args else None
        if inner is not None and (scope_kinds.is_compiled(kind_at(scope, inner)) or ast.unparse(inner) in in_place):
            yield Usage("flat-parameters", call, FSDP, kind_at(scope, inner))
        elif _is_compiled_later(scope, call):
            yield Usage("flat-parameters", call, FSDP)


def _keeps_flat_parameters(call: ast.Call) -> bool:
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    if None in given or any(isinstance(argument, ast.Starred) for argument in call.args):
        return False
    return "use_orig_params" not in given or is_constant(given["use_orig_params"], False)


def _is_compiled_later(scope: Scope, call: ast.Call) -> bool:
    """Whether this call's result goes into torch.compile, at once or by the name that it gets."""
    for node in calls(scope):
        target = scope_kinds.compile_target(scope, node) or in_place_target(scope, node)
        if target is call:
            return True
        if isinstance(target, ast.Name):
            found = scopes.binding_at(scope, target.id, scopes.start_of(target))
            if found is not None and found[0] is scope and found[1].value is call:
                return True
    return False


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (
    _compiled_before_ddp,
    _fullgraph_around_ddp,
    _flat_parameters,
)
