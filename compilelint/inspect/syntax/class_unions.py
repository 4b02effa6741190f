"""Classes of numpy's in a union that Dynamo makes itself: `isinstance(y, np.ndarray | list)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect.kinds import NONE, Kind, Reference

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame

UNION = "builtins.type.__or__"
_OF_NUMPY = frozenset(
    {
        *("ndarray", "generic", "number", "integer", "signedinteger", "unsignedinteger", "inexact", "floating"),
        *("bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32"),
        *("float64", "complex64", "complex128", "dtype"),
    }
)
_REFUSED = frozenset({"builtins.list", "builtins.dict"})
"""What such a class has no union with while tracing, besides None and each other, in either order: seen of torch 2.13.0
of some thirty classes. With numbers, texts, tuples, tensors and classes of the project it has one."""


def report_union(frame: Frame, node: ast.BinOp, left: Kind, right: Kind) -> None:
    """Report `np.ndarray | list`, which raises a TypeError while tracing."""
    if (_is_of_numpy(left) and _is_refused(right)) or (_is_of_numpy(right) and _is_refused(left)):
        frame.emit("operator", node, callee=UNION)


def _is_of_numpy(kind: Kind) -> bool:
    if not isinstance(kind, Reference):
        return False
    module, _, name = kind.name.rpartition(".")
    return module == "numpy" and name in _OF_NUMPY


def _is_refused(kind: Kind) -> bool:
    return kind == NONE or _is_of_numpy(kind) or (isinstance(kind, Reference) and kind.name in _REFUSED)
