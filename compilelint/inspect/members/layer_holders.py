"""Classes that are modules by what their `__init__` does, where their base cannot be followed: it gives them layers of
torch's, parameters or buffers, as only an nn.Module has them looked after."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING

from compilelint.inspect import kinds, signatures
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.source.model import ClassInfo, ModuleIndex
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_REGISTERING = frozenset({"register_buffer", "register_parameter"})
_NO_LAYERS = frozenset({"torch.nn.Parameter", "torch.nn.parameter.Parameter"})
"""What is kept as a parameter of a module, or as a tensor by what is none: an optimizer, a process."""


def may_be_of_a_library(base: kinds.Kind) -> bool:
    """Whether a base comes from a package, not from Python: a class of the standard library is no module."""
    match base:
        case kinds.Reference(name=name):
            return name.partition(".")[0] not in sys.stdlib_module_names
        case _:
            return isinstance(base, kinds.Unknown)


def holds_layers(inspector: Inspector, info: ClassInfo) -> bool:
    """Whether the `__init__` of a class starts that of its base, and gives `self` a layer of torch's or a buffer."""
    key = info.methods.get("__init__")
    init, module = inspector.tree.function(key) if key else None, inspector.tree.module(info.key[0])
    if init is None or module is None or isinstance(init.node, ast.Lambda):
        return False
    own = first_parameter(init.node)
    found = list(walk(init.node))
    return any(map(_starts_base, found)) and any(_gives_layer(inspector, module, own, node) for node in found)


def _starts_base(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="__init__")):
            return True
        case _:
            return False


def _gives_layer(inspector: Inspector, module: ModuleIndex, own: str | None, node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)):
            return name == own and attr in _REGISTERING
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name))], value=ast.Call(func=func)) if name == own:
            return _is_layer(inspector.evaluate_globally(module, func))
        case _:
            return False


def _is_layer(kind: kinds.Kind) -> bool:
    return isinstance(kind, kinds.Reference) and kind.name not in _NO_LAYERS and signatures.is_module_class(kind.name)
