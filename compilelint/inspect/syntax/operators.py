"""Operators in terms of kinds; comparisons are in `comparisons`."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from compilelint.inspect import kinds, signatures
from compilelint.inspect.calling import calls, protocols
from compilelint.inspect.deciding.instance_checks import union_of_classes
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import BOOL, FLOAT, INT, NUMPY_FLOAT, SIZE, STR, UNKNOWN, Kind
from compilelint.inspect.sizing import untraced_sizes
from compilelint.inspect.sureness import is_tensor_like
from compilelint.inspect.syntax import class_unions
from compilelint.report.confidence import Confidence

_METHODS: dict[type, str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.FloorDiv: "floor_divide",
    ast.Mod: "remainder",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
    ast.BitAnd: "bitwise_and",
    ast.BitOr: "bitwise_or",
    ast.BitXor: "bitwise_xor",
    ast.LShift: "bitwise_left_shift",
    ast.RShift: "bitwise_right_shift",
}
_NUMBERS = ("bool", "int", "float")


def binary(frame: Frame, node: ast.BinOp | ast.AugAssign, left: Kind, right: Kind) -> Kind:
    """`left op right`, or `left op= right`; a tensor on either side makes a tensor."""
    op, name = node.op, protocols.BINARY[type(node.op)]
    if isinstance(op, ast.BitOr) and isinstance(node, ast.BinOp):
        class_unions.report_union(frame, node, left, right)
    left, right = (kinds.but_none(side) if type(side) is kinds.Union else side for side in (left, right))
    protocols.call(frame, node, left, f"__i{name}__" if isinstance(node, ast.AugAssign) else f"__{name}__", (right,))
    if isinstance(right, kinds.Tensor) and right.sparse:
        protocols.call(frame, node, right, f"__r{name}__", (left,))
    if isinstance(op, ast.Mod) and is_text(left):
        for value in right.items or () if isinstance(right, kinds.Sequence) else (right,):
            frame.emit("format", node, construct="percent", args=(value,))
        untraced_sizes.report_percent(frame, node)
        return STR
    if isinstance(op, ast.Add) and _are_text(left, right):
        for side in (left, right):
            if isinstance(side, kinds.Text):
                frame.emit("format", node, construct="concat", args=(side.tensor,), confidence=side.tensor.confidence)
        return STR
    of_object = _of_object(frame, node, left, right)
    if of_object not in (None, UNKNOWN):
        return of_object
    if any(is_tensor_like(kind) for kind in (left, right)):
        repeated = _repeated(op, left, right)
        if repeated is not None:
            return repeated
        tensor = tensor_result(_METHODS[type(op)], left, right)
        number = _number_among(left, right)
        return tensor if number is None else kinds.join(number, tensor)
    arrays = [option for side in (left, right) for option in kinds.options(side) if isinstance(option, kinds.Array)]
    if arrays:
        is_number = is_number_of_arrays(arrays, left, right)
        computed = kinds.Array(number=is_number, held=is_number and all(array.held for array in arrays))
        if isinstance(left, kinds.Array) or isinstance(right, kinds.Array):
            return computed
        others = _python_binary(op, kinds.without(left, kinds.Array), kinds.without(right, kinds.Array))
        return kinds.join(others, computed)
    if isinstance(node, ast.BinOp) and any(
        _is_held_float(frame, side, kind) for side, kind in ((node.left, left), (node.right, right))
    ):
        return kinds.Array(number=True, held=True)
    if isinstance(left, kinds.External) and left.cls == "pathlib.Path":
        return left
    if of_object is not None:
        return of_object
    result = _python_binary(op, left, right)
    match left, right:
        case kinds.Scalar(drawn=True), kinds.Scalar(drawn=True) | kinds.Const() | kinds.Python():
            protocols.call_of_draw(frame, node, left, f"__{name}__", (right,))
            return _beside_the_graph(result)
        case kinds.Const() | kinds.Python(), kinds.Scalar(drawn=True):
            protocols.call_of_draw(frame, node, right, f"__r{name}__", (left,))
            return _beside_the_graph(result)
    return result


def _repeated(op: ast.operator, left: Kind, right: Kind) -> Kind | None:
    """`[0] * n`, also where `n` is a tensor: torch leaves it to the list, which repeats itself; None for all others."""
    if not isinstance(op, ast.Mult):
        return None
    for side in (left, right):
        if isinstance(side, kinds.Sequence):
            return kinds.Sequence(side.type, kinds.element(side))
    return None


def _is_held_float(frame: Frame, node: ast.expr, kind: Kind) -> bool:
    """Whether it is a float of numpy's that exists before the region: Dynamo computes with it as with an array."""
    return any(option == NUMPY_FLOAT for option in kinds.options(kind)) and frame.is_outside(node)


def _beside_the_graph(kind: Kind) -> Kind:
    """A number that was computed with one that `random` drew, and no tensor: Dynamo has given up the function."""
    return kinds.Python(kind.type) if isinstance(kind, kinds.Scalar) else kind


def _is_list(kind: Kind) -> bool:
    return isinstance(kind, kinds.Sequence)


def _number_among(left: Kind, right: Kind) -> Kind | None:
    """The number that two values make if neither is a tensor, where one of them is "a number or a tensor"."""
    if isinstance(left, kinds.Tensor) or isinstance(right, kinds.Tensor):
        return None
    numbers = [
        option
        for side in (left, right)
        if isinstance(side, kinds.Union)
        for option in side.options
        if option in (INT, SIZE, FLOAT)
    ]
    return numbers[0] if numbers else None


_AS_OPERATOR = "as an operator is computed"


def _of_object(frame: Frame, node: ast.BinOp | ast.AugAssign, left: Kind, right: Kind) -> Kind | None:
    """What an object of the project that defines the operator makes of it: `left * right` is `left.__mul__(right)`, and
    if nothing there does, as in a tensor, `right.__rmul__(left)`."""
    name = protocols.BINARY[type(node.op)]
    if isinstance(left, kinds.Instance):
        own = ("__i{}__", "__{}__") if isinstance(node, ast.AugAssign) else ("__{}__",)
        for method in own:
            with frame.aggravated(_AS_OPERATOR):
                found = calls.call_method(frame, left, method.format(name), (right,))
            if found is not None:
                return found
    if isinstance(right, kinds.Instance) and not isinstance(left, kinds.Instance):
        if is_tensor_like(left):
            protocols.call(frame, node, right, f"__r{name}__", (left,))
        with frame.aggravated(_AS_OPERATOR):
            return calls.call_method(frame, right, f"__r{name}__", (left,))
    return None


def is_text(kind: Kind) -> bool:
    """Whether it is a text, of whatever it is made."""
    return isinstance(kind, kinds.Text) or (
        isinstance(kind, kinds.Const | kinds.Python) and kinds.type_name(kind) == "str"
    )


def _are_text(left: Kind, right: Kind) -> bool:
    """Whether two values make a text. What is added to a text is one, too, if nothing else is known of it."""
    if is_text(left):
        return is_text(right) or right == UNKNOWN
    return left == UNKNOWN and is_text(right)


def tensor_result(method: str, left: Kind, right: Kind) -> Kind:
    """What a method of tensors gives for two values of which at least one may be a tensor."""
    tensors = [part for part in (kinds.tensor_part(left), kinds.tensor_part(right)) if part is not None]
    best = max(tensors, key=lambda part: part.confidence)
    first, second = (left, right) if kinds.tensor_part(left) is not None else (right, left)
    result = signatures.result(f"torch.Tensor.{method}", first, (second,), {})
    tensor = kinds.tensor_part(result)
    if tensor is None:
        return kinds.Tensor(confidence=best.confidence)
    return kinds.Tensor(tensor.dtype, tensor.ndim, best.confidence, foreseen=tensor.foreseen)


def _python_binary(op: ast.operator, left: Kind, right: Kind) -> Kind:
    match left, right:
        case kinds.Sequence(), kinds.Sequence() if isinstance(op, ast.Add):
            if left.items is not None and right.items is not None:
                return kinds.sequence(left.type, (*left.items, *right.items))
            return kinds.Sequence(left.type, kinds.join(kinds.element(left), kinds.element(right)))
        case kinds.Sequence(), _ if isinstance(op, ast.Mult):
            return kinds.Sequence(left.type, kinds.element(left))
        case kinds.External(cls="torch.nn.ModuleList" | "torch.nn.Sequential"), kinds.External() | kinds.Sequence() if (
            isinstance(op, ast.Add)
        ):
            return signatures.with_layers(left, signatures.iterated(right))
        case kinds.Const(value=a), kinds.Const(value=b):
            return _constant_binary(op, a, b)
        case kinds.Const(value=bool(a)), _ if _number_type(right) == "bool":
            if isinstance(op, ast.BitOr if a else ast.BitAnd):
                return left
    if any(isinstance(kind, kinds.Scalar) for kind in (left, right)):
        type_ = "float" if isinstance(op, ast.Div) else "int" if _both(left, right, "int") else "float"
        return kinds.Scalar(type_, drawn=is_drawn(left, right))
    names = [_number_type(kind) for kind in (left, right)]
    if isinstance(op, ast.BitOr) and (union := union_of_classes(left, right)) is not None:
        return union
    if None not in names:
        by_numpy = is_by_numpy(left) or is_by_numpy(right)
        if isinstance(op, ast.Div) or "float" in names:
            return NUMPY_FLOAT if by_numpy else FLOAT
        if names == ["bool", "bool"] and isinstance(op, ast.BitAnd | ast.BitOr):
            return BOOL
        return kinds.Python("int", numpy=True) if by_numpy else SIZE if SIZE in (left, right) else INT
    return UNKNOWN


def is_by_numpy(kind: Kind) -> bool:
    """Whether it is a number of Python that a function of numpy gave."""
    return isinstance(kind, kinds.Python) and kind.numpy


def is_drawn(left: Kind, right: Kind) -> bool:
    """Whether of the numbers that the graph holds none comes from a tensor of the program's."""
    return all(kind.drawn for kind in (left, right) if isinstance(kind, kinds.Scalar))


def may_be_drawn(kind: Kind) -> bool:
    """Whether it may be a number that Python's `random` drew, and the graph holds."""
    return any(isinstance(option, kinds.Scalar) and option.drawn for option in kinds.options(kind))


def _both(left: Kind, right: Kind, type_: str) -> bool:
    return all(
        kind.type == type_ if isinstance(kind, kinds.Scalar) else _number_type(kind) == type_ for kind in (left, right)
    )


def _number_type(kind: Kind) -> str | None:
    if isinstance(kind, kinds.Const | kinds.Python) and kinds.type_name(kind) in _NUMBERS:
        return kinds.type_name(kind)
    return None


_ARITHMETIC: dict[type, Any] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b if abs(a) < 2**32 and abs(b) < 2**32 else None,
    ast.Div: lambda a, b: a / b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
    ast.BitOr: lambda a, b: a | b if isinstance(a, int) and isinstance(b, int) else None,
    ast.BitAnd: lambda a, b: a & b if isinstance(a, int) and isinstance(b, int) else None,
}


def _constant_binary(op: ast.operator, a: Any, b: Any) -> Kind:
    if isinstance(a, int | float) and isinstance(b, int | float) and type(op) in _ARITHMETIC:
        try:
            value = _ARITHMETIC[type(op)](a, b)
        except (ArithmeticError, ValueError):
            return UNKNOWN
        if value is not None:
            return kinds.Const(value)
    types = {type(a).__name__, type(b).__name__}
    return (FLOAT if "float" in types else INT) if types <= set(_NUMBERS) else UNKNOWN


def unary(op: ast.unaryop, kind: Kind) -> Kind:
    """`-x`, `+x`, `~x`."""
    tensor = kinds.tensor_part(kind)
    if tensor is not None and isinstance(op, ast.Invert) and tensor.dtype is None:
        # Integers can be inverted too, but what models invert are masks.
        return kinds.Tensor("bool", tensor.ndim, min(tensor.confidence, Confidence.MEDIUM))
    if tensor is not None:
        return kinds.Tensor(tensor.dtype, tensor.ndim, tensor.confidence)
    match kind:
        case kinds.Const(value=int() | float() as value) if isinstance(op, ast.USub):
            return kinds.Const(-value)
        case kinds.Array(dtype=dtype, number=number) if not isinstance(op, ast.UAdd):
            return kinds.Array(dtype, number)  # computed now, whatever was there before
        case kinds.Scalar(drawn=True):
            return _beside_the_graph(kind)
        case kinds.Const() | kinds.Python() | kinds.Scalar() | kinds.Array():
            return kinds.widen(kind)
        case _:
            return UNKNOWN


def is_number_of_arrays(arrays: Iterable[kinds.Array], left: Kind, right: Kind) -> bool:
    """Whether an operator gives a number of numpy's own types: a number of numpy's times a number is one again; what
    is not known beside one is a number as a rule."""
    return all(array.number for array in arrays) and not _is_list(left) and not _is_list(right)


def look_at_text(frame: Frame, node: ast.AST, *values: Kind) -> None:
    """Report that a text made of a tensor is needed now, where one of the values is one."""
    for value in values:
        if isinstance(value, kinds.Text):
            frame.emit("format", node, construct="used", args=(value.tensor,), confidence=value.tensor.confidence)
