"""What training loops do around a compiled step: learning rates, last batches, padding, raised limits."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.regions.around import scope_kinds, scopes
from compilelint.regions.around.compiled import COMPILE, compiled_callable
from compilelint.regions.around.driving import Drive, Loop, drives
from compilelint.regions.around.own_methods import calls_unasked
from compilelint.regions.around.queries import text_of
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes.kept_optimizers import MAKERS, OPTIMIZERS, SCHEDULERS, with_scheduled_rates
from compilelint.regions.changes.loaders import (
    Loader,
    gone_through,
    is_ragged,
    loaders,
    loops_around_method,
    made_loader,
)
from compilelint.regions.usage import Usage
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import parameter_of, positional_names, walk

_LIMITS = {
    "recompile_limit": 8,
    "cache_size_limit": 8,
    "accumulated_recompile_limit": 256,
    "accumulated_cache_size_limit": 256,
}
"""Settings of torch._dynamo.config, and what they are if nobody sets them."""


_WORD = re.compile(r"[A-Za-z]{2,}")


# Learning rates


def _scheduled_step(scope: Scope) -> Iterator[Usage]:
    """A compiled `optimizer.step` whose learning rate, a float, a scheduler changes."""
    for node, optimizer in _compiled_steps(scope):
        if _has_float_rate(scope, optimizer) and _is_scheduled(scope, optimizer.id):
            yield Usage("learning-rate", node, COMPILE)
    yield from (Usage("learning-rate", node, COMPILE) for node in with_scheduled_rates(scope))


def _compiled_steps(scope: Scope) -> Iterator[tuple[ast.expr, ast.Name]]:
    """Where `optimizer.step`, or a function that calls it, is compiled, and the optimizer."""
    for statement in scope.statements:
        for node in statement.expressions:
            match scope_kinds.compile_target(scope, node):
                case ast.Attribute(value=ast.Name() as optimizer, attr="step"):
                    yield node, optimizer
                case ast.Name(id=name):
                    function = _function_of(scope, name, scopes.start_of(node))
                    yield from ((node, optimizer) for optimizer in _stepped(function))
        if isinstance(statement.node, ast.FunctionDef):
            for decorator in statement.node.decorator_list:
                called = decorator.func if isinstance(decorator, ast.Call) else decorator
                if scope_kinds.is_reference(scope, called, COMPILE):
                    yield from ((decorator, optimizer) for optimizer in _stepped(statement.node))


def _function_of(scope: Scope, name: str, position: scopes.Position) -> ast.AST | None:
    kind = kind_at(scope, ast.Name(name, ast.Load()), position)
    info = scope.inspector.tree.function(kind.key) if isinstance(kind, kinds.Function) else None
    return info.node if info is not None else None


def _stepped(function: ast.AST | None) -> Iterator[ast.Name]:
    """The optimizers that a function moves on, by the names that it has for them."""
    for node in walk(function) if function is not None else ():
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name() as optimizer, attr="step"), args=[]):
                yield optimizer


def _has_float_rate(scope: Scope, optimizer: ast.Name) -> bool:
    """Whether the optimizer is seen to be made with a learning rate that is no tensor."""
    found = scopes.binding_at(scope, optimizer.id, scopes.END)
    made = found[1].value if found is not None else None
    if found is None or not isinstance(made, ast.Call):
        return False
    kind = kind_at(found[0], made.func)
    if not isinstance(kind, kinds.Reference) or not kind.name.startswith(OPTIMIZERS):
        return False
    given = [keyword.value for keyword in made.keywords if keyword.arg == "lr"] or made.args[1:2]
    if not given:
        return True
    rate: ast.expr = given[0]
    if isinstance(rate, ast.Name):
        bound = scopes.binding_at(found[0], rate.id, scopes.start_of(rate))
        rate = bound[1].value if bound is not None and bound[1].value is not None else rate
    if isinstance(rate, ast.Call):
        return isinstance(rate.func, ast.Name) and rate.func.id == "float"
    return not isinstance(kind_at(found[0], given[0]), kinds.Tensor)


def _is_scheduled(scope: Scope, optimizer: str) -> bool:
    for statement in scope.statements:
        for node in statement.expressions:
            match node:
                case ast.Call(func=func) if _is_given(node, optimizer) and _makes_scheduler(scope, func):
                    return True
        match statement.node:
            case ast.Assign(targets=[ast.Subscript(value=owner, slice=ast.Constant(value="lr"))], value=value):
                loops = [node for node in statement.ancestors if isinstance(node, ast.For)]
                groups = f"{optimizer}.param_groups"
                written = {ast.unparse(owner), *(ast.unparse(loop.iter) for loop in loops)}
                if not isinstance(value, ast.Constant) and any(groups in text for text in written):
                    return True
    return False


def _is_given(call: ast.Call, name: str) -> bool:
    """Whether a call passes what has this name; a scheduler that is asked for by name may leave the rate as it is."""
    values = (*call.args, *(keyword.value for keyword in call.keywords))
    is_constant = any(isinstance(value, ast.Constant) and value.value == "constant" for value in values)
    return not is_constant and any(isinstance(value, ast.Name) and value.id == name for value in values)


def _makes_scheduler(scope: Scope, func: ast.expr) -> bool:
    """Whether a function or class of torch's or of another package makes a scheduler, by its name in the latter."""
    match kind_at(scope, func):
        case kinds.Reference(name=name):
            return name.startswith(SCHEDULERS) or MAKERS.fullmatch(name.rpartition(".")[2]) is not None
        case kinds.Function(key=key, name=name) | kinds.ProjectClass(key=key, name=name):
            return scope.inspector.tree.is_followed(key[0]) and MAKERS.fullmatch(name) is not None
        case _:
            return False


# Batches


def _ragged_last_batch(scope: Scope) -> Iterator[Usage]:
    """A training loop over a DataLoader that hands out a smaller batch at the end of each epoch."""
    if "mark_dynamic" in text_of(scope):
        return
    for drive in drives(scope):
        if drive.compiled.has("dynamic", True):
            continue
        for loop in drive.loops:
            if isinstance(loop, ast.For) and _trains(loop) and not _leaves_small_out(loop):
                yield from (_ragged(loader) for loader in loaders(scope, loop) if is_ragged(loader))
    if "DataLoader" in text_of(scope):
        yield from (_ragged(loader) for loader in _handed_to_training(scope) if is_ragged(loader))
        yield from _ragged_by_own_loops(scope)


def _ragged_by_own_loops(scope: Scope) -> Iterator[Usage]:
    """A method that runs something compiled, and which another one calls for each batch of what the class keeps."""
    if scope.owner is None or all(drive.loops or drive.compiled.has("dynamic", True) for drive in drives(scope)):
        return
    for loop in loops_around_method(scope):
        if (_trains(loop) or calls_unasked(scope.node.body, "backward")) and not _leaves_small_out(loop):
            for loader in loaders(scope, loop):
                if is_ragged(loader):
                    yield _ragged(replace(loader, sure=Confidence.MEDIUM))


def _ragged(loader: Loader) -> Usage:
    return Usage("ragged-last-batch", loader.call, confidence=loader.sure, function=loader.function)


def _handed_to_training(scope: Scope) -> Iterator[Loader]:
    """The loaders of calls that hand on what is compiled with them: `train(torch.compile(model), loader)`."""
    for _, call in scope.calls:
        given = (*call.args, *(keyword.value for keyword in call.keywords))
        # Cheap questions first: most calls are none of a function of the file that gets two things.
        if len(given) < 2 or not isinstance(call.func, ast.Name) or call.func.id not in scope.outermost.bindings:
            continue
        kind = kind_at(scope, call.func)
        info = scope.inspector.tree.function(kind.key) if isinstance(kind, kinds.Function) else None
        if info is None or isinstance(info.node, ast.Lambda):
            continue
        names = positional_names(info.node.args)
        by_name = {name: each for each in given if (name := parameter_of(call, names, each)) is not None}
        for loop in walk(info.node):
            if isinstance(loop, ast.For) and _trains(loop) and not _leaves_small_out(loop):
                iterable = gone_through(loop)
                looped = by_name.get(iterable.id) if isinstance(iterable, ast.Name) else None
                loader = made_loader(scope, looped) if looped is not None else None
                if loader is not None and any(_is_compiled(scope, by_name.get(name)) for name in _called(loop)):
                    yield loader


def _called(loop: ast.For) -> Iterator[str]:
    return (node.func.id for node in walk(loop) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))


def _is_compiled(scope: Scope, argument: ast.expr | None) -> bool:
    compiled = compiled_callable(scope, argument) if argument is not None else None
    return compiled is not None and not compiled.has("dynamic", True)


def _trains(loop: ast.For) -> bool:
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "backward"
        for node in walk(loop)
    )


def _leaves_small_out(loop: ast.For) -> bool:
    """Whether the loop itself looks at how large a batch is: `if x.shape[0] != batch_size: continue`, or pads it."""
    for statement in loop.body:
        match statement:
            case ast.If(test=test, body=[*_, ast.Continue() | ast.Break()]) if any(map(_asks_size, walk(test))):
                return True
            case ast.Assign(value=ast.Call(func=ast.Name(id="pad") | ast.Attribute(attr="pad"), args=args)) if any(
                _asks_size(part) for argument in args for part in walk(argument)
            ):
                return True
    return False


def _asks_size(part: ast.AST) -> bool:
    match part:
        case ast.Attribute(attr="shape") | ast.Call(func=ast.Attribute(attr="size") | ast.Name(id="len")):
            return True
        case _:
            return False


def _padded_to_longest(scope: Scope) -> Iterator[Usage]:
    """Batches that are as long as their longest item, for something that is compiled with static shapes."""
    loops = {id(drive.loops[-1]): drive.loops[-1] for drive in drives(scope) if _is_static(drive) and drive.loops}
    for loop in loops.values():
        yield from (Usage("padded-to-longest", node) for node in _paddings(loop))


def _is_static(drive: Drive) -> bool:
    return drive.compiled.has("dynamic", False)


def _paddings(loop: Loop) -> Iterator[ast.Call]:
    for node in walk(loop):
        match node:
            case ast.Call(func=ast.Name(id="pad_sequence") | ast.Attribute(attr="pad_sequence")):
                yield node
            case ast.Call(keywords=keywords):
                given = {keyword.arg: keyword.value for keyword in keywords}
                match given.get("padding"):
                    case ast.Constant(value=True | "longest") if "pad_to_multiple_of" not in given:
                        yield node


# Limits


def _raised_limit(scope: Scope) -> Iterator[Usage]:
    """`torch._dynamo.config.recompile_limit = 64`, where no comment says why."""
    for statement in scope.statements:
        match statement.node:
            case ast.Assign(targets=[ast.Attribute(value=base, attr=attr)], value=ast.Constant(value=int() as limit)):
                if limit <= _LIMITS.get(attr, limit) or _is_commented(scope, statement.node):
                    continue
                if kind_at(scope, base) == kinds.Reference("torch._dynamo.config"):
                    yield Usage("recompile-limit-raised", statement.node, f"torch._dynamo.config.{attr}")


def _is_commented(scope: Scope, node: ast.stmt) -> bool:
    """Whether a comment stands on the line, or on one above it in the same paragraph."""
    _, _, comment = scope.module.lines[node.lineno - 1].partition("#")
    if len(_WORD.findall(comment)) > 1:  # a mark for another tool gives no reason
        return True
    for line in reversed(scope.module.lines[: node.lineno - 1]):
        text = line.strip()
        if not text:
            return False
        if text.startswith("#"):
            return True
        if "_dynamo" not in text:
            return False
    return False


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (
    _scheduled_step,
    _ragged_last_batch,
    _padded_to_longest,
    _raised_limit,
)

OF_HANDED: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_ragged_last_batch,)
"""Those that are of use where something compiled is handed to a function or an object."""
