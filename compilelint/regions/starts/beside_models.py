"""Methods called `forward` that are no part of a model that somebody compiles, but beside it: trainers, predictors."""

from __future__ import annotations

import ast
import re

from compilelint.inspect import kinds
from compilelint.inspect.calling.compilations import COMPILE
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Kind
from compilelint.regions.around.own_methods import calls_by_attribute, calls_unasked, with_own_methods
from compilelint.source.model import ModuleIndex
from compilelint.source.watched import says

_DRIVES = re.compile(
    r"\.(?:compile|(?:maybe_)?mark_(?:dynamic|unbacked|static_address)|set_stance|cudagraph_mark_step_begin)\("
)


def is_beside(inspector: Inspector, module: ModuleIndex, function: kinds.Function) -> bool:
    """Whether a `forward` drives, trains or saves a model, is given one, or prepares arrays for one."""
    return (
        _drives_what_is_compiled(inspector, module, function)
        or _trains(inspector, function)
        or _saves_a_model(inspector, function)
        or _is_given_a_model(inspector, function)
        or _takes_only_arrays(inspector, function)
    )


def _drives_what_is_compiled(inspector: Inspector, module: ModuleIndex, function: kinds.Function) -> bool:
    """Whether a `forward` calls torch.compile, or marks what goes into a compiled part: it is none itself.

    It may do so by a method of its class, which compiles when it is first asked.
    """
    info = inspector.tree.function(function.key)
    if info is None or not inspector.derived(("may drive", module.name), lambda: _may_drive(inspector, module)):
        return False
    calls = [func for each in with_own_methods(inspector, info) for func in calls_by_attribute(each)]
    return any(
        _DRIVES.search(f".{func.attr}(") is not None and _is_of_driver(inspector.evaluate_globally(module, func))
        for func in calls
    )


def _trains(inspector: Inspector, function: kinds.Function) -> bool:
    """Whether a `forward` is a training step or a whole training loop, with its optimizer: itself, or by a method of
    its class that it calls. A layer that fits its codebook where an option asks for it is a layer all the same."""
    info, module = inspector.tree.function(function.key), inspector.tree.module(function.key[0])
    if info is None or module is None or "zero_grad(" not in inspector.tree.text_of(module):
        return False
    return any(
        {"backward", "zero_grad", "step"} <= {func.attr for func in calls_by_attribute(each)}
        and not isinstance(each.node, ast.Lambda)
        and calls_unasked(each.node.body, "backward")
        for each in with_own_methods(inspector, info)
    )


def _saves_a_model(inspector: Inspector, function: kinds.Function) -> bool:
    """Whether a `forward` writes checkpoints, itself or by a method of its class: a trainer, what stops one early."""
    info, module = inspector.tree.function(function.key), inspector.tree.module(function.key[0])
    if info is None or module is None or "torch.save(" not in inspector.tree.text_of(module):
        return False
    return any(
        {"torch.save", "state_dict"} <= {_with_torch(func) for func in calls_by_attribute(each)}
        for each in with_own_methods(inspector, info)
    )


def _with_torch(func: ast.Attribute) -> str:
    """The name of what is called; with the module, if that is torch."""
    is_of_torch = isinstance(func.value, ast.Name) and func.value.id == "torch"
    return f"torch.{func.attr}" if is_of_torch else func.attr


def _is_given_a_model(inspector: Inspector, function: kinds.Function) -> bool:
    """Whether a `forward` reads the parameters of what it is given, as a moving average of a model's weights does."""
    info, module = inspector.tree.function(function.key), inspector.tree.module(function.key[0])
    if info is None or module is None or not says(info.node, module.lines, "parameters("):
        return False
    given = {arg.arg for arg in (*info.node.args.posonlyargs, *info.node.args.args)[1:]}
    return any(
        func.attr in ("parameters", "named_parameters") and isinstance(func.value, ast.Name) and func.value.id in given
        for func in calls_by_attribute(info)
    )


def _takes_only_arrays(inspector: Inspector, function: kinds.Function) -> bool:
    """Whether all that a `forward` is declared to take are arrays of numpy, or lists of them, and options.

    It makes tensors of them for the models that it holds, and of what these give what a user wants to see, as the
    predictors of doctr do. These models are what is compiled.
    """
    declared = [kind for kind in inspector.declared(function).values() if kind != function.receiver]
    return any(map(_is_of_arrays, declared)) and all(
        _is_of_arrays(option) or isinstance(option, kinds.Const | kinds.Python)
        for kind in declared
        for option in kinds.options(kind)
    )


def _is_of_arrays(kind: Kind) -> bool:
    return isinstance(kinds.element(kind) if isinstance(kind, kinds.Sequence) else kind, kinds.Array)


def _may_drive(inspector: Inspector, module: ModuleIndex) -> bool:
    return _DRIVES.search(inspector.tree.text_of(module)) is not None


def _is_of_driver(called: Kind) -> bool:
    """`torch.compile`, and what Dynamo refuses to trace because it prepares a call of something compiled."""
    return isinstance(called, kinds.Reference) and called.name.startswith(
        (COMPILE, "torch.compiler.", "torch._dynamo.")
    )
