"""Annotations that a project makes of a library's: `Float = TorchTyping(Float)`, then `x: Float["b n"]`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect import kinds, signatures
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.members import classes
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector


def annotated_by(inspector: Inspector, made: kinds.Instance, name: str) -> Kind:
    """The kind of a value whose annotation is an item of an object of the project that has this name.

    Known where the object hands the item on to another type, as one of tensors: `return self.dtype[Tensor, shape]`.
    """
    method = classes.find_method(inspector, made.cls, "__getitem__")
    function = inspector.tree.function(method) if method is not None else None
    module = inspector.tree.module(method[0]) if method is not None else None
    if function is None or module is None or isinstance(function.node, ast.Lambda):
        return UNKNOWN
    for node in walk(function.node):
        match node:
            case ast.Return(value=ast.Subscript(slice=ast.Tuple(elts=[array, *_]))):
                if inspector.evaluate_globally(module, array) == kinds.Reference("torch.Tensor"):
                    return signatures.annotation_kind(f"jaxtyping.{name}") or kinds.TENSOR
    return UNKNOWN
