"""Settings that are part of the guards, where they change around a compiled call: of the process, of a module."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect import kinds
from compilelint.regions.around import scope_kinds, scopes
from compilelint.regions.around.driving import Drive, Loop, drives, loops_around
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope, Statement
from compilelint.regions.changes import setting_gradients
from compilelint.regions.changes.varying import variation
from compilelint.regions.usage import Usage
from compilelint.source.nodes import walk

_MODES = ("torch.set_grad_enabled", "torch.inference_mode")
"""Contexts whose argument is written only where it changes."""
_AUTOCAST = ("torch.autocast", "torch.amp.autocast", "torch.cuda.amp.autocast", "torch.cpu.amp.autocast")
_SETTERS = (
    "torch.set_grad_enabled",
    "torch.set_default_dtype",
    "torch.set_num_threads",
    "torch.set_float32_matmul_precision",
    "torch.use_deterministic_algorithms",
)
_WITHOUT_GRADIENTS = ("torch.no_grad", "torch.inference_mode")
_FLAGS = (
    "torch.backends.cuda.matmul.allow_tf32",
    "torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction",
    "torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction",
)


def _setting_changes(scope: Scope) -> Iterator[Usage]:
    called = drives(scope)
    if not called:
        return
    yield from _contexts(scope, called)
    yield from _alternatives(scope, called)
    for statement in scope.statements:
        loops = loops_around(statement)
        match statement.node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=module, attr="train"), args=[value])):
                changes = _is_module(scope, module) and _is_chosen(scope, value, loops)
                name = "torch.nn.Module.train"
            case ast.Expr(value=ast.Call(args=[value, *_]) as call):
                name = _name(scope, call.func)
                changes = name in _SETTERS and (_is_chosen if name in _MODES else _changes)(scope, value, loops)
            case ast.Assign(targets=[ast.Attribute() as target], value=value):
                name = _dotted(scope, target)
                changes = name in _FLAGS and _changes(scope, value, loops)
            case _:
                continue
        if changes and any(_comes_after(statement, drive) for drive in called):
            yield Usage("setting-changes", statement.node, name)


def _contexts(scope: Scope, called: list[Drive]) -> Iterator[Usage]:
    """`with torch.set_grad_enabled(train):` around the call."""
    seen: set[int] = set()
    for drive in called:
        for around in drive.statement.ancestors:
            if not isinstance(around, ast.With) or id(around) in seen:
                continue
            seen.add(id(around))
            loops = tuple(node for node in drive.statement.ancestors if isinstance(node, Loop))
            for item in around.items:
                if isinstance(item.context_expr, ast.Call):
                    yield from _context(scope, item.context_expr, loops)


def _context(scope: Scope, call: ast.Call, loops: tuple[Loop, ...]) -> Iterator[Usage]:
    name = _name(scope, call.func)
    if name in _MODES and call.args and _is_chosen(scope, call.args[0], loops):
        yield Usage("setting-changes", call, name)
    if name in _AUTOCAST:
        for keyword in call.keywords:
            if keyword.arg == "enabled" and _changes(scope, keyword.value, loops):
                yield Usage("setting-changes", call, "torch.autocast")


def _alternatives(scope: Scope, called: list[Drive]) -> Iterator[Usage]:
    """`if …: with torch.no_grad(): y = model(x)`, and the same call with gradients on the other way."""
    for drive in called:
        for other in called:
            if other is drive or ast.unparse(other.call.func) != ast.unparse(drive.call.func):
                continue
            decided = _is_decided(scope, drive) or _is_decided(scope, other)
            if decided and not any(True for _ in _without_gradients(scope, other)):
                yield from (Usage("setting-changes", node, name) for node, name in _without_gradients(scope, drive))


def _is_decided(scope: Scope, drive: Drive) -> bool:
    """Whether an `if` on what changes from call to call decides about the call."""
    return any(
        isinstance(node, ast.If) and _is_chosen(scope, node.test, drive.loops) for node in drive.statement.ancestors
    )


def _without_gradients(scope: Scope, drive: Drive) -> Iterator[tuple[ast.expr, str]]:
    for node in drive.statement.ancestors:
        for item in node.items if isinstance(node, ast.With) else ():
            match item.context_expr:
                case ast.Call(func=func, args=[]) if (name := _name(scope, func)) in _WITHOUT_GRADIENTS:
                    yield item.context_expr, name


def _is_module(scope: Scope, node: ast.expr) -> bool:
    return scope_kinds.is_module(kind_at(scope, node))


def _comes_after(statement: Statement, drive: Drive) -> bool:
    loops = loops_around(statement)
    if loops:
        return loops[-1] in drive.loops
    return scopes.start_of(drive.call) > scopes.start_of(statement.node)


def _changes(scope: Scope, value: ast.expr, loops: tuple[Loop, ...]) -> bool:
    """Whether a setting is another one from call to call: by the loop, or by a number that is passed."""
    chosen = value.test if isinstance(value, ast.IfExp) else value
    if variation(scope, chosen, loops) is not None:
        return True
    for node in walk(value):
        match node:
            case ast.BinOp(left=left, op=ast.Mod(), right=ast.Constant(value=int())):
                if any(isinstance(part, ast.Name) and scopes.takes(scope, part.id) for part in walk(left)):
                    return True
    return False


def _is_chosen(scope: Scope, value: ast.expr, loops: tuple[Loop, ...]) -> bool:
    """The same, also if it is a parameter, or asks about one. Others are settings of a run more often than not."""
    return _changes(scope, value, loops) or any(
        scopes.takes(scope, node.id)
        if isinstance(node, ast.Name)
        else isinstance(node, ast.Attribute) and node.attr == "training"
        for node in walk(value)
    )


def _name(scope: Scope, node: ast.expr) -> str:
    kind = kind_at(scope, node)
    return kind.name if isinstance(kind, kinds.Reference) else ""


def _dotted(scope: Scope, node: ast.Attribute) -> str:
    base = kind_at(scope, node.value)
    return f"{base.name}.{node.attr}" if isinstance(base, kinds.Reference) else ""


# Gradients of parameters


def _freezing(scope: Scope) -> Iterator[Usage]:
    """`for layer in model.layers: layer.requires_grad_(False); step(x)`: one set of frozen layers after the other."""
    called = drives(scope)
    if not called:
        return
    inputs = {arg.id for drive in called for arg in drive.call.args if isinstance(arg, ast.Name)}
    for statement in scope.statements:
        loops = loops_around(statement)
        written = _requires_grad(statement.node)
        if written is None:
            continue
        value, name = written
        if name in inputs and _changes(scope, value, loops):
            yield Usage("input-requires-grad", statement.node)
        if not loops:
            continue
        # `for p in layer.parameters()` inside: the loop that goes on to the next layer is the outer one.
        outer = loops[-2] if len(loops) > 1 and _iterates_parameters(loops[-1], name) else loops[-1]
        chosen = ast.unparse(loops[-1].iter.func.value) if outer is not loops[-1] else name  # type: ignore[union-attr]
        if isinstance(outer, ast.For) and any(outer in drive.loops for drive in called):
            if _is_target(outer, chosen.partition(".")[0].partition("[")[0]):
                yield Usage("frozen-one-by-one", statement.node)
            elif not isinstance(value, ast.Constant) and variation(scope, value, (outer,)) is not None:
                yield Usage("requires-grad-toggled", statement.node)


def _freezing_in_turns(scope: Scope) -> Iterator[Usage]:
    """`critic.requires_grad_(True)`, a call, `critic.requires_grad_(False)`, another call, in one loop: a GAN."""
    called = drives(scope)
    set_before: dict[tuple[int, str], tuple[object, scopes.Position]] = {}
    for statement in scope.statements if called else ():
        loops = loops_around(statement)
        if not loops:
            continue
        for given, named in setting_gradients.by_call(scope, statement.node) or filter(
            None, [_requires_grad(statement.node)]
        ):
            if not isinstance(given, ast.Constant):
                continue
            value = given.value
            around, name = _set_in(loops[-1], statement, named)
            calls = [scopes.start_of(drive.call) for drive in called if around in drive.loops and _calls(drive, name)]
            here = scopes.start_of(statement.node)
            before, since = set_before.get((id(around), name), (value, here))
            if before != value and any(since < call < here for call in calls) and any(call > here for call in calls):
                yield Usage("requires-grad-toggled", statement.node)
            set_before[id(around), name] = value, here


def _set_in(loop: Loop, statement: Statement, name: str) -> tuple[Loop, str]:
    """The loop that goes from call to call, and whose gradients are set in it: not one over the parameters."""
    outer = loops_around(statement)[:-1]
    match loop:
        case ast.For(iter=ast.Call(func=ast.Attribute(value=owner))) if outer and _iterates_parameters(loop, name):
            return outer[-1], ast.unparse(owner)
        case _:
            return loop, name


def _calls(drive: Drive, name: str) -> bool:
    """Whether it is a call of the module of this name, compiled or before it was."""
    called = drive.call.func.id if isinstance(drive.call.func, ast.Name) else ""
    return name in (called, drive.compiled.original)


def _requires_grad(node: ast.stmt) -> tuple[ast.expr, str] | None:
    """The value that a statement gives to `requires_grad`, and the name of what it gives it to."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="requires_grad_"), args=[value])):
            return value, name
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(attr="requires_grad_"), args=[value])
        ):
            return value, name
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name), attr="requires_grad")], value=value):
            return value, name
        case _:
            return None


def _iterates_parameters(loop: Loop, name: str) -> bool:
    match loop:
        case ast.For(target=ast.Name(id=target), iter=ast.Call(func=ast.Attribute(attr="parameters"))):
            return target == name
        case _:
            return False


def _is_target(loop: ast.For, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in walk(loop.target))


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_setting_changes, _freezing, _freezing_in_turns)
