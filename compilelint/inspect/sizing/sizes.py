"""Sizes of tensors, by how they are spelled, and what names hold that were given one (`input_sizes.py`)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame, path_of
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members.computed_names import option
from compilelint.inspect.sizing import input_sizes, parameter_names, spelled_sizes
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call

_POOLS = ("avg_pool1d", "avg_pool2d", "avg_pool3d", "max_pool1d", "max_pool2d", "max_pool3d")
_ADAPTIVE_POOLS = ("adaptive_avg_pool1d", "adaptive_max_pool1d", "adaptive_max_pool2d")
_FREQUENCIES = ("torch.fft.fftfreq", "torch.fft.rfftfreq")
_TRIANGLES = ("torch.triu_indices", "torch.tril_indices")
_LOGARITHMS = ("math.log", "math.log10", "math.log1p")
HELD_BY_NUMPY = frozenset(
    (
        *("sqrt", "exp", "log", "log2", "log10", "power", "prod", "sum", "ceil", "floor", "round", "abs", "clip"),
        *("maximum", "minimum", "max", "min", "mean", "array", "linspace", "float32", "float64", "int64"),
        *("sin", "cos", "tan", "tanh"),
    )
)
"""Functions of numpy that make a tensor of the numbers that they are given, which Dynamo holds as a constant."""
_NUMPY = frozenset(f"numpy.{name}" for name in HELD_BY_NUMPY)
HELD = "constant-by-size"
_NUMBERS = "numbered-by-size"
"""What counts to a size for the numbers alone, which a tensor may hold."""
RANGE = "builtins.range"
_CLASSES = "torch.nn.functional.one_hot"
_GRID = "torch.nn.functional.affine_grid"
KEEPS_CONSTANT = {
    **{f"torch.nn.functional.{pool}": (1, "kernel_size") for pool in _POOLS},
    **{f"torch.nn.functional.{pool}": (1, "output_size") for pool in _ADAPTIVE_POOLS},
    _GRID: (1, "size"),
    "torch.nn.functional.interpolate": (2, "scale_factor"),
    _CLASSES: (1, "num_classes"),
    "torch.linspace": (2, "steps"),
    "torch.logspace": (2, "steps"),
    **dict.fromkeys(_FREQUENCIES, (0, "n")),
    **dict.fromkeys(_TRIANGLES, (0, "row")),
    **dict.fromkeys((*_LOGARITHMS, *_NUMPY), (0, "")),
    **{
        f"torch.distributions.{name}.{draw}": (0, "sample_shape")
        for name in ("Beta", "Dirichlet")
        for draw in ("sample", "rsample")
    },
}
"""Functions that are traced for a constant value of an option only, with its position and name."""
_OFTEN_FIXED = frozenset({*_LOGARITHMS, *_FREQUENCIES, *_TRIANGLES, *_NUMPY})
"""Those that are given a number of heads or channels as often as a length."""
OF_SIZE = "of-size"
_OF_LENGTH = re.compile(r"(?:^|_)(?:t|ts|T|L|time\w*|steps?|seq\w*|len\w*|\w*len|frames?|tokens?|positions?)(?:_|$)")
"""Names of what differs from call to call. Of batches, channels and classes there are mostly as many in each."""
_OF_COUNT = re.compile(
    r"(?:^|_)(?:nums?|bins?|class(?:es)?|labels?|heads?|channels?|groups?|levels?|dims?|features)(?:_|$)|^n_"
)
"""Names of what there is as much of in every call, though a size tells how much."""


def is_size(frame: Frame, node: ast.AST | None, kind: Kind) -> bool:
    """Whether an expression of this kind is spelled like a `torch.Size`, or names what was assigned as one."""
    return isinstance(kind, kinds.Sequence) and spelled_sizes.is_size(node, _named(frame))


def compares_sizes(frame: Frame, node: ast.AST | None, passed: frozenset[str] = frozenset()) -> bool:
    """Whether the value of an expression is a comparison with a part of a size: not a bool where the size is dynamic.

    `not` decides, and gives a bool; of `a and b` it is `b` that is given where both hold. `passed` are the names that
    led here.
    """
    match node:
        case ast.Compare(left=left, ops=ops, comparators=others):
            is_decided = isinstance(ops[0], ast.Is | ast.IsNot)
            return not is_decided and any(spelled_sizes.is_part(side, _named(frame)) for side in (left, *others))
        case ast.BoolOp(values=[*_, last]):
            return compares_sizes(frame, last, passed)
        case ast.Call(func=ast.Name(id="bool"), args=[value]) | ast.NamedExpr(value=value):
            return compares_sizes(frame, value, passed)
        case ast.Name(id=name) if name not in passed:
            assigned = assigned_to(frame, name)
            return len(assigned) == 1 and compares_sizes(frame, assigned[0], passed | {name})
        case _:
            return False


def catches_up(frame: Frame, statement: ast.stmt, path: str) -> bool:
    """Whether a value goes on only where it is behind a size: `while n > self.end: self.end *= 2`. Most calls find it
    as it was."""
    return frame.function is not None and any(
        isinstance(node, ast.If | ast.While)
        and any(_is_behind_size(frame, part, path) for part in walk(node.test))
        and any(part is statement for each in node.body for part in walk(each))
        for node in walk(frame.function.node)
    )


def _is_behind_size(frame: Frame, test: ast.AST, path: str) -> bool:
    match test:
        case ast.Compare(left=left, ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()], comparators=[right]):
            return any(
                path_of(value) == path and spelled_sizes.is_part(size, _named(frame))
                for value, size in ((left, right), (right, left))
            )
        case _:
            return False


def is_under_conditions(frame: Frame, node: ast.AST | None, passed: frozenset[str] = frozenset()) -> bool:
    """Whether an expression that `compares_sizes` comes to that only after others: `a and b`."""
    match node:
        case ast.Call(func=ast.Name(id="bool"), args=[value]) | ast.NamedExpr(value=value):
            return is_under_conditions(frame, value, passed)
        case ast.Name(id=name) if name not in passed:
            return any(is_under_conditions(frame, value, passed | {name}) for value in assigned_to(frame, name))
        case _:
            return isinstance(node, ast.BoolOp)


def report_constant(callee: str, frame: Frame, call: Call) -> None:
    """Report where one of these functions holds, as a constant, a size that may differ from call to call."""
    if not frame.is_heard:
        return
    held = [part for part in _held(callee, call.node) if is_size_of_local(frame, part)]
    if callee == RANGE and not held:
        held = [owner for part in _held(callee, call.node) for owner in _owner_of_length(frame, part)]
    if not held:
        return
    if callee in (RANGE, _CLASSES):
        differs = _is_named_for_length(frame, call.node, held)
    elif callee in _OFTEN_FIXED:
        is_fixed = all(is_of_batch_or_width(frame, part) for part in held)
        is_fixed = is_fixed or (callee in _NUMPY and all(spelled_sizes.is_of_channels(part) for part in held))
        differs = not is_fixed or _is_named_for_length(frame, call.node, held)
    else:
        differs = not all(map(is_named_for_count, held))
    frame.emit(
        "call",
        call.node,
        callee=callee,
        construct=_NUMBERS if callee == RANGE and _numbers_rows(frame.statement, call.node) else HELD,
        args=call.args,
        keywords=call.keywords,
        confidence=surest(frame) if differs else Confidence.LOW,
    )


def surest(frame: Frame) -> Confidence:
    """How sure it can be that a size differs from call to call: what is called for one token is only ever given one."""
    return Confidence.LOW if frame.route.single else Confidence.MEDIUM


def _owner_of_length(frame: Frame, node: ast.AST) -> Iterator[ast.expr]:
    """`x` of `len(x)`, if it surely is a tensor: of lists that is no size."""
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name) as owner]):
            kind = frame.inspector.peek(frame, owner)
            is_tensor = isinstance(kind, kinds.Tensor) and kind.confidence == Confidence.HIGH
            if is_tensor and name not in parameter_names.names(frame):
                yield owner


def _numbers_rows(statement: ast.stmt | None, numbers: ast.AST) -> bool:
    """Whether numbers stand in an index, or become a tensor: `x[range(n), y]`, `torch.tensor(list(range(n)))`."""
    for node in walk(statement) if statement is not None else ():
        match node:
            case ast.Subscript(slice=part) | ast.Call(func=ast.Attribute(value=ast.Name(id="torch")), args=[part, *_]):
                if _holds_as_item(part, numbers):
                    return True
    return False


def _holds_as_item(part: ast.AST, numbers: ast.AST) -> bool:
    match part:
        case ast.Tuple(elts=items) | ast.Call(func=ast.Name(id="list" | "tuple"), args=items):
            return any(_holds_as_item(item, numbers) for item in items)
        case _:
            return part is numbers


def index_of_size(frame: Frame, index: ast.expr) -> tuple[ast.expr, Confidence] | None:
    """Of an index, or of several, the one that is so far from a size, and how sure it is that the size differs from
    call to call: `n - 1` of `x[:, n - 1]`."""
    for part in index.elts if isinstance(index, ast.Tuple) else (index,):
        match part:
            case ast.BinOp(left=size, op=ast.Sub() | ast.FloorDiv(), right=ast.Constant(value=int())):
                if is_size_of_local(frame, size):
                    differs = _is_named_for_length(frame, part, [size])
                    return part, Confidence.MEDIUM if differs else Confidence.LOW
    return None


def sureness_of_length(frame: Frame, size: ast.expr, counter: ast.expr) -> Confidence | None:
    """How sure it is that what a loop counts to is a size that differs from call to call; None where it is no size."""
    if not is_size_of_local(frame, size):
        return None
    counted = counter.args if isinstance(counter, ast.Call) else [counter]
    return Confidence.MEDIUM if _is_named_for_length(frame, size, [size, *counted]) else Confidence.LOW


def _held(callee: str, call: ast.AST) -> Sequence[ast.AST]:
    if callee == RANGE or callee in _NUMPY:
        return call.args if isinstance(call, ast.Call) else ()
    match option(call, *KEEPS_CONSTANT[callee]):
        case None:
            return ()
        case ast.BinOp() if callee in ("torch.linspace", "torch.logspace"):
            return ()  # mostly a number of bins, which are as many in every call
        case ast.Tuple(elts=parts) | ast.List(elts=parts) if callee == _GRID and not _are_starred(parts[:2]):
            return parts[2:]  # a grid is made for any batch, and of no channels
        case value:
            return (value,)


def _are_starred(parts: Sequence[ast.expr]) -> bool:
    return any(isinstance(part, ast.Starred) for part in parts)


def _is_named_for_length(frame: Frame, call: ast.AST, sizes: Sequence[ast.AST]) -> bool:
    """Whether names say that a size differs from call to call: `range(seq_len)`, `for t in range(x.size(1))`, also in
    `reversed`."""
    match frame.statement:
        case ast.For(
            target=ast.Name(id=target), iter=ast.Call(func=ast.Name(id="reversed"), args=[iterable]) | iterable
        ) if iterable is call:
            counter = target
        case _:
            counter = ""
    named = (part.id for size in sizes for part in walk(size) if isinstance(part, ast.Name))
    return any(_OF_LENGTH.search(name) for name in (counter, *named))


def is_named_for_length(node: ast.AST) -> bool:
    """Whether a name says that a size differs from call to call: `seq_len`, `num_frames`."""
    return any(isinstance(part, ast.Name) and _OF_LENGTH.search(part.id) is not None for part in walk(node))


def is_named_for_count(node: ast.AST) -> bool:
    """Whether a name says that a size is the same in each call: `num_heads`, `n_bins`, but not `num_frames`."""
    match node:
        case ast.Name(id=name):
            return _OF_COUNT.search(name) is not None and _OF_LENGTH.search(name) is None
        case _:
            return False


def is_of_batch_or_width(frame: Frame, node: ast.AST, passed: frozenset[str] = frozenset()) -> bool:
    """Whether a size is that of the first or the last dimension, or of all, or computed of it: `x.shape[-1]`."""
    match node:
        case ast.Attribute(attr="shape") | ast.Call(func=ast.Attribute(attr="size" | "numel"), args=[]):
            return True
        case ast.Subscript(slice=ast.Slice(lower=first)):
            return first is None or ast.unparse(first) in ("0", "1")
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            sizes = [part for part in parts if spelled_sizes.is_part(part, _named(frame))]
            return bool(sizes) and all(is_of_batch_or_width(frame, part, passed) for part in sizes)
        case ast.Subscript(slice=dimension) | ast.Call(args=[dimension]):
            return ast.unparse(dimension) in ("0", "-1")
        case ast.BinOp(left=left, right=right):
            sides = (side for side in (left, right) if spelled_sizes.is_part(side, _named(frame)))
            return any(is_of_batch_or_width(frame, side, passed) for side in sides)
        case ast.Name(id=name) if name not in passed:
            assigned = assigned_to(frame, name)
            if not assigned:
                return _is_unpacked_first_or_last(frame, name)
            return any(is_of_batch_or_width(frame, value, passed | {name}) for value in assigned)
        case _:
            return False


def _is_unpacked_first_or_last(frame: Frame, name: str) -> bool:
    """Whether a name is that of the first or the last dimension: `b` and `d` of `b, n, d = x.shape`.

    Of two the last one is a length as often: `b, n = x.shape`, but not `*_, d = x.shape`. Of four or more the second is
    that of channels or heads.
    """
    for names, value in _unpacked(frame, name):
        match value:
            case ast.Attribute(attr="shape") | ast.Call(func=ast.Attribute(attr="size"), args=[]):
                place, count = names.index(name), len(names)
                is_last = place == count - 1 and (count > 2 or "*" in names)
                if place == 0 or is_last or (place == 1 and count > 3):
                    return True
    return False


def is_made_of_sizes(frame: Frame, node: ast.expr, passed: frozenset[str] = frozenset()) -> bool:
    """Whether a key is, or holds, the size of a tensor that has a name of its own: `n`, `(h, w)`, `f"{h}x{w}"`."""
    match node:
        case (
            ast.Tuple(elts=parts)
            | ast.JoinedStr(values=parts)
            | ast.Call(func=ast.Attribute(value=ast.Constant(), attr="format"), args=parts)
        ):
            return any(is_made_of_sizes(frame, part, passed) for part in parts)
        case ast.FormattedValue(value=value) | ast.Call(func=ast.Name(id="str" | "tuple"), args=[value]):
            return is_made_of_sizes(frame, value, passed)
        case ast.Name(id=name) if name not in passed and len(assigned := assigned_to(frame, name)) == 1:
            if is_made_of_sizes(frame, assigned[0], passed | {name}):
                return True
    return is_size_of_local(frame, node)


def is_part(frame: Frame, node: ast.expr) -> bool:
    """Whether an expression is a size of a tensor, or a part of one."""
    return spelled_sizes.is_part(node, _named(frame))


def is_size_of_local(frame: Frame, node: ast.AST | None) -> bool:
    """Whether an expression, or an element of the tuple that it is, is made of nothing but sizes of tensors that have
    names of their own: what modules hold (`self.weight.shape[0]`, `self.dim`) is as large in every call."""
    named, held = _named(frame), parameter_names.names(frame)
    return any(
        (spelled_sizes.is_size(part, named) or spelled_sizes.is_part(part, named))
        and all(isinstance(owner, ast.Name) and owner.id not in held for owner in _owners(frame, part, frozenset()))
        for part in (node.elts if isinstance(node, ast.Tuple | ast.List) else [node])
        if isinstance(part, ast.expr)
    )


def _owners(frame: Frame, node: ast.expr, passed: frozenset[str]) -> Iterator[ast.expr]:
    """The tensors of whose sizes an expression is made, and the attributes that it is made of as well."""
    match node:
        case ast.Call(func=ast.Attribute(attr="Size")):
            yield node  # of which tensor the numbers are, if of any, nobody knows
        case ast.Attribute(value=owner, attr="shape") | ast.Call(func=ast.Attribute(value=owner)):
            yield owner
        case ast.Attribute():
            yield node
        case ast.Subscript(value=value):
            yield from _owners(frame, value, passed)
        case ast.BinOp(left=left, right=right):
            yield from _owners(frame, left, passed)
            yield from _owners(frame, right, passed)
        case ast.Name(id=name) if name not in passed:
            assigned = assigned_to(frame, name)
            for value in assigned:
                yield from _owners(frame, value, passed | {name})
            for _, value in () if assigned else _unpacked(frame, name):  # `h, w = self.image.shape[:2]`
                yield from (each for each in _owners(frame, value, passed) if isinstance(each, ast.Attribute))


def _named(frame: Frame) -> spelled_sizes.Named:
    """The names of the function that is walked that hold sizes, as it says, or as what it was given: asked again and
    again, and found once."""
    function = frame.function
    if function is None:
        return spelled_sizes.Named()
    given = input_sizes.names(frame.env)
    return frame.inspector.derived(
        ("named sizes", function.key, given), lambda: spelled_sizes.named_sizes(function.node, given)
    )


def _unpacked(frame: Frame, name: str) -> Iterator[tuple[list[str], ast.expr]]:
    """What a function unpacks into a name of its own and others, after these: `_` of what is none, `*` of several."""
    for part in walk(frame.function.node) if frame.function is not None else ():
        match part:
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=value):
                names = [
                    each.id if isinstance(each, ast.Name) else "*" if isinstance(each, ast.Starred) else "_"
                    for each in parts
                ]
                if name in names:
                    yield names, value


def assigned_to(frame: Frame, name: str) -> list[ast.expr]:
    """What a function assigns to a name of its own."""
    body = walk(frame.function.node) if frame.function is not None else ()
    return [
        part.value
        for part in body
        if isinstance(part, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name for target in part.targets)
    ]
