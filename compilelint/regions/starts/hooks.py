"""Forward hooks that a script registers on a model: `model.layer.register_forward_hook(save)`; and what else it hands
to a model that calls it (`inspect/members/handed_to_models.py`).

They run where their module does, also those that are registered after `torch.compile(model)` (measured on torch 2.13),
but not those that a submodule gets after the first call (CL610).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from compilelint.inspect import kinds
from compilelint.inspect.arguments.items import is_module
from compilelint.inspect.calling.compilations import Compilation
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Kind
from compilelint.regions.around.scopes import scopes
from compilelint.regions.misuse.bypass import hooks_after_calls
from compilelint.regions.starts.put_on_classes import with_numbers
from compilelint.source.model import ModuleIndex
from compilelint.source.nodes import positional_names, walk


class Hook(Struct, frozen=True):
    """A function that runs in what is compiled, as a hook."""

    function: kinds.Function
    label: str
    """Where it is registered, as reports show it."""
    given: tuple[tuple[str, Kind], ...]
    """What its parameters take."""
    beside_black_box: bool
    """Whether the function that registers it compiles a model of which nothing is known, as those of a library are, or
    is given that model by the one that does, or called by it to put the function on a class."""


def registered_hooks(inspector: Inspector, module: ModuleIndex) -> Iterator[Hook]:
    """The hooks that the inspector came by as it looked for what a file compiles.

    Not those of a file that takes hooks back (`handle.remove()`): they are gone when what is compiled runs. Nor those
    that come too late for what was compiled already.
    """
    found = [each for each in inspector.compilations if each.given]
    if not found or any(_takes_back(node) for node in walk(module.tree)):
        return
    late = {
        getattr(usage.node, "lineno", 0) for scope in scopes(inspector, module) for usage in hooks_after_calls(scope)
    }
    boxes = {each.function for each in inspector.compilations if each.file == module.name and _is_black_box(each)}
    helpers = {name for function in boxes for name in _given_models(module, function)}
    beside = {name for function in boxes for call in _calls(module, function) for name in _called_name(call)}
    for each in found:
        if each.file == module.name and each.span.line in late:
            continue
        info = inspector.tree.function(each.target.key) if isinstance(each.target, kinds.Function) else None
        if info is not None and isinstance(each.target, kinds.Function):
            names = positional_names(info.node.args)
            given = tuple(zip(names[each.target.receiver is not None :], each.given, strict=False))
            is_put_on_class = bool(given) and is_module(given[0][1])
            if is_put_on_class:
                given = (*with_numbers(inspector, module, *given[0]), *given[1:])
            label = f"{each.file}:{each.span.line} {each.source}"
            helper, is_own = _called_as(each.function), each.file == module.name
            is_beside = (is_own and helper in helpers) or (is_put_on_class and helper in beside)
            yield Hook(each.target, label, given, beside_black_box=each.function in boxes or is_beside)


def _called_as(function: str) -> str:
    """What a call names that runs a function: the class, of an `__init__`."""
    return function.removesuffix(".__init__").rpartition(".")[2]


def _given_models(module: ModuleIndex, function: str) -> Iterator[str]:
    """The names of what a function calls with a model that it compiles: `Activations(model)`, `stats.attach(model)`."""
    calls = _calls(module, function)
    compiled = {name for call in calls for name in _compiled_name(call)}
    for call in calls:
        given = (*call.args, *(keyword.value for keyword in call.keywords))
        if any(isinstance(each, ast.Name) and each.id in compiled for each in given):
            yield from _called_name(call)


def _calls(module: ModuleIndex, function: str) -> list[ast.Call]:
    """The calls in a function, or in the file where it has no such function."""
    inside: list[ast.AST] = [info.node for info in module.functions.values() if info.qualname == function]
    return [node for each in inside or [module.tree] for node in walk(each) if isinstance(node, ast.Call)]


def _called_name(call: ast.Call) -> Iterator[str]:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield name


def _compiled_name(call: ast.Call) -> Iterator[str]:
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="compile"), args=[]):
            yield name
        case ast.Call(func=ast.Attribute(attr="compile") | ast.Name(id="compile"), args=[ast.Name(id=name), *_]):
            yield name


def _is_black_box(compilation: Compilation) -> bool:
    return not compilation.given and (
        compilation.target == kinds.UNKNOWN or isinstance(compilation.target, kinds.External)
    )


def _takes_back(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="remove"), args=[], keywords=[]):
            return True
        case _:
            return False
