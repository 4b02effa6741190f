"""What conditions say about how likely, and how often, the code under them runs."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from compilelint.inspect import kinds, signatures
from compilelint.inspect.deciding.absent_attributes import is_for_absent
from compilelint.inspect.deciding.complaining import only_warns, reports_trouble, says_deprecated
from compilelint.inspect.deciding.not_finite import is_for_not_finite
from compilelint.inspect.deciding.nothing_given import is_for_nothing
from compilelint.inspect.deciding.other_devices import is_for_other_device
from compilelint.inspect.frame import path_of
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.members import options_of_modules
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import asked_classes, walk

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame

_FOREIGN = {
    "builtins.str",
    "builtins.bytes",
    "pathlib.Path",
    "os.PathLike",
    "torch.nn.utils.rnn.PackedSequence",
}
_NUMBERS = {"int", "float", "bool"}
_CLASSES_OF_NUMBERS = {"builtins.int", "builtins.float", "builtins.bool", "numbers.Number", "numbers.Real"}
_HALF = {"torch.float16", "torch.half"}
RECOMPILE_LIMIT = 8
"""So many compilations of a function are kept (`torch._dynamo.config.recompile_limit`)."""


def confidence_within(
    frame: Frame, node: ast.If, wanted: bool, decided: bool | None, rare: Collection[bool]
) -> Confidence:
    """How sure what happens in one branch can be, as far as what the branch is for tells; `decided` is what source
    says that the condition comes to, `rare` are the outcomes that are unlikely."""
    body = node.body if wanted else node.orelse
    if reports_trouble(frame, body) or wanted in rare:
        return Confidence.LOW
    if only_warns(body):
        return Confidence.LOW if decided is None else Confidence.MEDIUM
    if decided is None and says_deprecated(body):
        return Confidence.LOW
    return Confidence.HIGH


def rare_outcomes(frame: Frame, test: ast.expr) -> tuple[bool, ...]:
    """The outcomes of a condition that are unlikely."""
    return tuple(outcome for outcome in (True, False) if is_unlikely(frame, test, outcome))


def confidence_beyond(rare: Collection[bool], left: Sequence[bool]) -> Confidence:
    """How sure what follows can be, where control gets there with these outcomes: `if isinstance(x, Tensor): return`
    leaves only one that is unlikely."""
    return Confidence.LOW if left and all(outcome in rare for outcome in left) else Confidence.HIGH


def is_unlikely(frame: Frame, test: ast.expr, outcome: bool) -> bool:
    """Whether a condition has this outcome only in programs that are hardly ever compiled."""
    if is_for_other_device(test, outcome) or is_for_not_finite(frame, test, outcome):
        return True
    return _asks_for_something_rare(test) and (
        is_for_nothing(frame, test, outcome)
        or is_for_absent(frame, test, outcome)
        or (outcome and (needs_half_precision(frame, test) or _is_for_sparse(frame, test)))
        or _is_foreign_input(frame, test, outcome)
        or _is_tensor_for_number(frame, test, outcome)
        or _is_no_tensor(frame, test, outcome)
    )


def _asks_for_something_rare(test: ast.expr) -> bool:
    """Whether a condition, as it is spelled, may ask what these questions look for: most do not."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _asks_for_something_rare(operand)
        case ast.BoolOp(values=values):
            return any(map(_asks_for_something_rare, values))
        case ast.Call() | ast.Compare(comparators=[ast.Attribute()]) | ast.Attribute(attr="is_sparse"):
            return True
        case ast.Compare(left=ast.Call(func=ast.Name(id="getattr"))) | ast.Compare(comparators=[ast.Constant(value=0)]):
            return True
        case ast.Name(id=name):
            return "kwargs" in name
        case _:
            return False


def _is_foreign_input(frame: Frame, test: ast.expr, outcome: bool) -> bool:
    """Whether a condition holds only for what no compiled model is given: a path, an array, an image.

    Functions that take "a tensor or an array" ask with `isinstance`: where source does not tell, it is the tensor.
    """
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _is_foreign_input(frame, operand, not outcome)
        case ast.BoolOp(op=ast.And(), values=values) if outcome:
            return any(_is_foreign_input(frame, value, True) for value in values)
        case ast.Call(func=ast.Name(id="isinstance"), args=[subject, classes]):
            kind = frame.inspector.peek(frame, subject)
            names = {part.name for part in _classes(frame, classes) if isinstance(part, kinds.Reference)}
            if outcome:
                return _may_be_tensor(kind) and bool(names) and all(_is_foreign(name) for name in names)
            return _is_tensor_or_array(kind) and bool(names) and names <= signatures.TENSOR_CLASSES
        case _:
            return False


def _is_no_tensor(frame: Frame, test: ast.expr, outcome: bool) -> bool:
    """Whether a condition holds only for what is no tensor, asked of something of which nothing is known: helpers that
    take anything ask for what they are mostly given."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _is_no_tensor(frame, operand, not outcome)
        case ast.Call(func=ast.Name(id="isinstance"), args=[subject, classes]) if not outcome:
            names = {part.name for part in _classes(frame, classes) if isinstance(part, kinds.Reference)}
            return not names.isdisjoint(signatures.TENSOR_CLASSES) and frame.inspector.peek(frame, subject) == UNKNOWN
        case ast.Call(func=ast.Attribute(), args=[subject]) if not outcome and asks_for_tensor(frame, test):
            kind = frame.inspector.peek(frame, subject)
            return kind == UNKNOWN or _is_tensor_or_array(kind)
        case _:
            return False


def _is_tensor_for_number(frame: Frame, test: ast.expr, outcome: bool) -> bool:
    """Whether a condition holds only where a tensor is given for what may be a number: most programs give the number.

    `s.item() if isinstance(s, Tensor) else s`, `s if isinstance(s, float) else s.item()`
    """
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _is_tensor_for_number(frame, operand, not outcome)
        case ast.BoolOp(op=ast.And(), values=values) if outcome:
            return any(_is_tensor_for_number(frame, value, True) for value in values)
        case ast.Call(args=[subject, *_]) if outcome and asks_for_tensor(frame, test):
            return not _must_be_given(frame, subject) and _is_rather_a_number(frame.inspector.peek(frame, subject))
        case ast.Call(args=[subject, *_]) if not outcome and _asks_for_number(frame, test):
            kind = frame.inspector.peek(frame, subject)
            is_either = kinds.tensor_part(kind) is not None and _is_rather_a_number(kind)
            return is_either and not _must_be_given(frame, subject)
        case _:
            return False


def _is_rather_a_number(kind: Kind) -> bool:
    """Whether something may be a number, or is one of which nothing but the question says that it may be a tensor."""
    return kind == kinds.OBJECT or any(
        isinstance(option, kinds.Const | kinds.Python) and option.type in _NUMBERS for option in kinds.options(kind)
    )


def _must_be_given(frame: Frame, node: ast.expr) -> bool:
    """Whether it is a root's parameter without a default: nobody knows which of its declared kinds is given."""
    if frame.function is None or frame.route.depth or not isinstance(node, ast.Name):
        return False
    spec = frame.function.node.args
    positional = [*spec.posonlyargs, *spec.args]
    needed = positional[: len(positional) - len(spec.defaults)]
    needed += [arg for arg, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if default is None]
    return any(arg.arg == node.id for arg in needed)


def is_for_numbers(frame: Frame, node: ast.IfExp) -> bool:
    """Whether a value may be a tensor, and else is taken as it is: `s.item() if is_tensor(s) else s`."""
    match node:
        case ast.IfExp(test=ast.Call(args=[ast.Name(id=name) as subject, *_]) as test, orelse=ast.Name(id=other)):
            return name == other and asks_for_tensor(frame, test) and _is_guessed(frame.inspector.peek(frame, subject))
        case _:
            return False


def _is_guessed(kind: Kind) -> bool:
    return kind == UNKNOWN or any(
        isinstance(option, kinds.Tensor) and option.confidence < Confidence.HIGH for option in kinds.options(kind)
    )


def asks_for_tensor(frame: Frame, test: ast.Call) -> bool:
    """Whether it asks of something whether it is a tensor, and nothing else."""
    match test:
        case ast.Call(func=ast.Name(id="isinstance"), args=[_, classes]):
            names = {part.name for part in _classes(frame, classes) if isinstance(part, kinds.Reference)}
            return bool(names) and names <= signatures.TENSOR_CLASSES
        case ast.Call(func=ast.Attribute(attr="is_tensor"), args=[_]):
            return frame.inspector.peek(frame, test.func) == kinds.Reference("torch.is_tensor")
        case _:
            return False


def _asks_for_number(frame: Frame, test: ast.Call) -> bool:
    match test:
        case ast.Call(func=ast.Name(id="isinstance"), args=[_, classes]):
            names = {part.name for part in _classes(frame, classes) if isinstance(part, kinds.Reference)}
            return bool(names) and names <= _CLASSES_OF_NUMBERS
        case _:
            return False


def _may_be_tensor(kind: Kind) -> bool:
    """Whether nothing speaks against a value being a tensor, or a collection of them."""
    return all(
        isinstance(option, kinds.Unknown | kinds.Tensor | kinds.Sequence | kinds.Dictionary)
        or option in (kinds.OBJECT, kinds.NONE)
        for option in kinds.options(kind)
    )


def _is_tensor_or_array(kind: Kind) -> bool:
    return kinds.tensor_part(kind) is not None and all(
        isinstance(option, kinds.Tensor | kinds.Array) for option in kinds.options(kind)
    )


def _classes(frame: Frame, node: ast.expr) -> list[Kind]:
    return [frame.inspector.peek(frame, part) for part in asked_classes(node)]


def _is_foreign(name: str) -> bool:
    return name in _FOREIGN or name.startswith(("PIL.", "numpy."))


def needs_half_precision(frame: Frame, test: ast.expr) -> bool:
    """Whether a condition holds only for float16: `x.dtype == torch.float16 and …`, as guards against overflow have it.

    Such a path is one that most programs never take; what happens on it is reported with low confidence.
    """
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            return any(needs_half_precision(frame, value) for value in values)
        case ast.Compare(ops=[ast.Eq() | ast.Is()], comparators=[ast.Attribute() as dtype]):
            kind = frame.inspector.peek(frame, dtype)
            return isinstance(kind, kinds.Reference) and kind.name in _HALF
        case _:
            return False


def _is_for_sparse(frame: Frame, test: ast.expr) -> bool:
    """Whether a condition holds only for tensors that Dynamo takes into no graph: `x.is_sparse`.

    Who asks that takes both, and is mostly given a dense one. Who asks for a layout, `x.layout == torch.sparse_csr`,
    tells sparse ones apart.
    """
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            return any(_is_for_sparse(frame, value) for value in values)
        case ast.Attribute(value=owner, attr="is_sparse"):
            tensor = kinds.tensor_part(frame.inspector.peek(frame, owner))
            return tensor is not None and not tensor.sparse
        case _:
            return False


def happens_once(frame: Frame) -> Confidence:
    """LOW where a condition holds in the first call only: `if self.x is None:`, `if not hasattr(self, "x"):`."""
    first_time = any(
        is_first_time(part) and not _asks_for_option(frame, part)
        for condition in frame.conditions
        for part in _all_of(condition)
    )
    return Confidence.LOW if first_time or frame.runs_once else Confidence.HIGH


def is_for_new_key(frame: Frame) -> bool:
    """Whether this happens once for each key of a table: `if key not in self.table:`. Most have been there before."""
    return any(
        isinstance(part, ast.Compare)
        and isinstance(part.ops[0], ast.NotIn)
        and isinstance(part.comparators[0], ast.Attribute)
        for condition in frame.conditions
        for part in _all_of(condition)
    )


def _all_of(condition: ast.expr) -> Sequence[ast.expr]:
    match condition:
        case ast.BoolOp(op=ast.And(), values=values):
            return values
        case _:
            return [condition]


def _asks_for_option(frame: Frame, condition: ast.expr) -> bool:
    """Whether this is `not self.training`, or asks for what the module was made with: the same in each call."""
    match condition:
        case ast.UnaryOp(operand=ast.Attribute(value=owner, attr=name)):
            holder = frame.inspector.peek(frame, owner)
            return isinstance(holder, kinds.Instance) and options_of_modules.is_option(frame.inspector, holder, name)
        case _:
            return False


def starts_again(frame: Frame, path: str) -> bool:
    """Whether a value is replaced only when it has come far: `if self.step > 1000:`. It takes many values before."""
    return any(_reads(condition, path) and not _is_soon(condition, path) for condition in frame.conditions)


def cycles(frame: Frame, path: str | None) -> bool:
    """Whether a counter begins anew before it has taken too many values: `if self.step == 4: self.step = 0`."""
    if path is None or frame.function is None:
        return False
    return any(
        isinstance(node, ast.If) and _is_soon(node.test, path) and any(_sets(part, path) for part in node.body)
        for node in walk(frame.function.node)
    )


def _sets(statement: ast.stmt, path: str) -> bool:
    match statement:
        case ast.Assign(targets=targets, value=ast.Constant()):
            return any(isinstance(target, ast.Attribute) and path_of(target) == path for target in targets)
        case _:
            return False


def _reads(condition: ast.expr, path: str) -> bool:
    return any(_is_read_of(part, path) for part in walk(condition))


def _is_read_of(part: ast.AST, path: str) -> bool:
    match part:
        case ast.Attribute():
            return path_of(part) == path
        case ast.Call(func=ast.Name(id="hasattr" | "getattr"), args=[owner, ast.Constant(value=str(name)), *_]):
            return f"{path_of(owner)}.{name}" == path
        case _:
            return False


def _is_soon(condition: ast.expr, path: str) -> bool:
    """Whether a value is compared with so small a number that each one before it has a compilation of its own."""
    return any(
        isinstance(side, ast.Constant) and isinstance(side.value, int) and 0 < side.value <= _most_before(part)
        for part in walk(condition)
        if isinstance(part, ast.Compare) and _reads(part, path)
        for side in (part.left, *part.comparators)
    )


def _most_before(compared: ast.Compare) -> int:
    """How many values there may be before one starts again: a container is compiled while it is empty and full, too."""
    sides = (compared.left, *compared.comparators)
    is_length = any(isinstance(side, ast.Call) and isinstance(side.func, ast.Name) for side in sides)
    return RECOMPILE_LIMIT - 1 if is_length else RECOMPILE_LIMIT


def is_first_time(condition: ast.expr) -> bool:
    """Whether this holds in the first call only: `self.x is None`, `not hasattr(self, "x")`."""
    match condition:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Attribute() | ast.Call(func=ast.Name(id="hasattr"))):
            return True
        case ast.Compare(left=ast.Attribute(), ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            return True
        case ast.BoolOp(op=ast.And(), values=values):
            return any(is_first_time(value) for value in values)
        case _:
            return False


def is_flag(node: ast.expr, tensor: kinds.Tensor) -> bool:
    """Whether a condition, as it is spelled, is about a flag rather than a tensor, which nobody is sure of.

    The truth of a tensor of several numbers is an error without torch.compile, too: a name of which that is asked holds
    a bool or a list, mostly, unless it was compared before (`skip = drawn < p`); so does an item (`group["caution"]`,
    `outputs.get("aux")`).
    """
    if tensor.confidence == Confidence.HIGH or tensor.dtype is not None or tensor.ndim == 0:
        return False
    match node:
        case ast.Name() | ast.Attribute() | ast.Subscript(slice=ast.Constant(value=str())):
            return True
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str()), *_]):
            return True
        case _:
            return False
