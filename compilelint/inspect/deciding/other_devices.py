"""Conditions that hold only on devices of which few programs have one: `if x.device.type == "mps":`, `if x.is_xpu:`.

What is written for such a device works around what it lacks, and is not what most of those who compile run into.
"""

from __future__ import annotations

import ast

_DEVICES = frozenset({"hpu", "ipu", "maia", "mlu", "mps", "mtia", "musa", "npu", "privateuseone", "xla", "xpu"})
"""What torch calls them, apart from the CPU, what is called "cuda", and what is no device (`meta`)."""
_FLAGS = frozenset({"is_meta", *(f"is_{name}" for name in _DEVICES)})


def is_for_other_device(test: ast.expr, outcome: bool) -> bool:
    """Whether a condition has this outcome only for what lies on such a device."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return is_for_other_device(operand, not outcome)
        case ast.BoolOp(op=ast.And(), values=values):
            return outcome and any(is_for_other_device(value, True) for value in values)
        case ast.BoolOp(op=ast.Or(), values=values):
            return outcome and all(is_for_other_device(value, True) for value in values)
        case ast.Attribute(attr=name):
            return outcome and name in _FLAGS
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _compares(left, op, right, outcome)
        case ast.Call(func=ast.Attribute(attr="startswith"), args=[start]):
            return outcome and _names_one(start)
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=name), attr="is_available"), args=[]):
            return outcome and name in _DEVICES  # `torch.backends.mps.is_available()`, `torch.xpu.is_available()`
        case _:
            return False


def _compares(left: ast.expr, op: ast.cmpop, right: ast.expr, outcome: bool) -> bool:
    match op:
        case ast.Eq() if isinstance(left, ast.Attribute) and left.attr == "type" and _is_meta(right):
            return outcome  # of nothing else it can be told what is called so
        case ast.Eq():
            return outcome and (_names_one(right) or _names_one(left))
        case ast.NotEq():
            return not outcome and (_names_one(right) or _names_one(left))
        case ast.In() if isinstance(right, ast.Tuple | ast.List | ast.Set):
            return outcome and bool(right.elts) and all(map(_names_one, right.elts))
        case ast.In():
            return outcome and _names_one(left)
        case _:
            return False


def _is_meta(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == "meta"


def _names_one(node: ast.expr) -> bool:
    """`"mps"`, `"npu:0"`, `torch.device("mps")`."""
    match node:
        case ast.Constant(value=str(name)):
            return name.partition(":")[0] in _DEVICES
        case ast.Call(func=ast.Attribute(attr="device"), args=[inner, *_]):
            return _names_one(inner)
        case _:
            return False
