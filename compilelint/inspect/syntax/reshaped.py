"""Tensors whose number of dimensions a method changes in place: `i.unsqueeze_(0)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from msgspec.structs import replace

from compilelint.inspect.frame import path_of
from compilelint.inspect.kinds import Kind, Tensor
from compilelint.inspect.signatures.tensors import SHAPE_CHANGING

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame


def keep_shape(frame: Frame, node: ast.expr, given: Kind) -> None:
    """Let a name be of as many dimensions as what the method has given: that is the tensor itself."""
    match node:
        case ast.Call(func=ast.Attribute(value=subject, attr=method)) if (
            method.endswith("_") and method[:-1] in SHAPE_CHANGING and isinstance(given, Tensor)
        ):
            path, before = path_of(subject), frame.inspector.peek(frame, subject)
            if path is not None and isinstance(before, Tensor):
                frame.env[path] = replace(before, ndim=given.ndim)
