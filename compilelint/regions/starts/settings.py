"""What the project's own code sets in `torch._dynamo.config`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from msgspec import Struct

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.source.model import ModuleIndex
from compilelint.source.nodes import walk

_CONFIG = "torch._dynamo.config."
_REORDERED = "reorderable_logging_functions"
_LOGGING_SETS = {_REORDERED, "ignore_logger_methods", "ignore_logging_functions"}


class DynamoSettings(Struct, frozen=True):
    """The settings that change what is a hazard."""

    capture_scalars: bool = False
    capture_shapes: bool = False
    dynamic_ints_on_modules: bool = False
    """`allow_unspec_int_on_nn_module`: a counter on a module does not recompile then."""
    harmless_callees: frozenset[str] = frozenset()
    """Functions that Dynamo was told to reorder or to ignore; of the project's own the qualified names."""
    reordered_callees: frozenset[str] = frozenset()
    """Those that it was told to reorder: that it does with tensors, numbers and texts as arguments only."""


def find_settings(inspector: Inspector, files: Iterable[str]) -> dict[str, DynamoSettings]:
    """The settings that each of these files makes; files that make none are left out."""
    found: dict[str, DynamoSettings] = {}
    for name in files:
        if not inspector.tree.graph.may_configure(name):
            continue
        module = inspector.tree.module(name)
        if module is not None and (made := _made_in(inspector, module)) != DynamoSettings():
            found[name] = made
    return found


def together(settings: Iterable[DynamoSettings]) -> DynamoSettings:
    """What holds in a program in which all of these are made."""
    every = tuple(settings)
    ignored = frozenset().union(*(each.harmless_callees - each.reordered_callees for each in every))
    return DynamoSettings(
        any(each.capture_scalars for each in every),
        any(each.capture_shapes for each in every),
        any(each.dynamic_ints_on_modules for each in every),
        frozenset().union(*(each.harmless_callees for each in every)),
        frozenset().union(*(each.reordered_callees for each in every)) - ignored,
    )


def _made_in(inspector: Inspector, module: ModuleIndex) -> DynamoSettings:
    flags: set[str] = set()
    reordered: set[str] = set()
    ignored: set[str] = set()
    for setting, value in _settings(inspector, module):
        if setting in _LOGGING_SETS:
            (reordered if setting == _REORDERED else ignored).update(_names(inspector, module, value))
        elif isinstance(value, ast.Constant) and value.value is True:
            flags.add(setting)
    return DynamoSettings(
        "capture_scalar_outputs" in flags,
        "capture_dynamic_output_shape_ops" in flags,
        "allow_unspec_int_on_nn_module" in flags,
        frozenset(reordered | ignored),
        frozenset(reordered - ignored),
    )


def _settings(inspector: Inspector, module: ModuleIndex) -> Iterator[tuple[str, ast.expr]]:
    for node in walk(module.tree):
        match node:
            case (
                ast.Assign(targets=[ast.Attribute() as target], value=value)
                | ast.AugAssign(target=ast.Attribute() as target, value=value)
            ):
                yield from ((name, value) for name in _setting(inspector, module, target))
            case ast.Call(func=ast.Attribute(value=ast.Attribute() as target, attr="add" | "update"), args=[value]):
                yield from ((name, value) for name in _setting(inspector, module, target))


def _setting(inspector: Inspector, module: ModuleIndex, target: ast.Attribute) -> list[str]:
    if not isinstance(target.value, ast.Name | ast.Attribute):
        return []
    found = inspector.evaluate_globally(module, target.value)
    if isinstance(found, kinds.Reference) and f"{found.name}." == _CONFIG:
        return [target.attr]
    return []


def _names(inspector: Inspector, module: ModuleIndex, value: ast.expr) -> set[str]:
    parts = value.elts if isinstance(value, ast.Set | ast.List | ast.Tuple) else [value]
    found = [inspector.evaluate_globally(module, part) for part in parts]
    infos = [inspector.tree.function(kind.key) for kind in found if isinstance(kind, kinds.Function)]
    own = {info.qualname for info in infos if info is not None}
    return own | {kind.name for kind in found if isinstance(kind, kinds.Reference)}
