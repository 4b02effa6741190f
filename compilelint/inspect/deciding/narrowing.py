"""What a condition says about the names in it, where it holds and where it does not."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from msgspec.structs import replace

from compilelint.inspect import kinds, signatures
from compilelint.inspect.deciding.asked_again import recall
from compilelint.inspect.deciding.instance_checks import PYTHON_TYPES, abstract, is_class, is_of_abstract
from compilelint.inspect.frame import item_of, path_of
from compilelint.inspect.kinds import NONE, UNKNOWN, Kind
from compilelint.inspect.members.chosen_parts import recall_parts
from compilelint.inspect.members.classes import mro
from compilelint.source.nodes import asked_classes

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame

_TENSOR_NAMES = {"torch.Tensor", "torch.autograd.Variable", "torch.nn.Parameter"}
_ONLY_OF_SOME = frozenset({"imag", "names"})
"""What tensors of some sorts refuse to tell, though all have it."""


def narrow(frame: Frame, test: ast.expr, outcome: bool) -> None:
    """Change the frame's names to what they are where `test` turned out so."""
    recall(frame, test, outcome)
    recall_parts(frame, test, outcome)
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            narrow(frame, operand, not outcome)
        case ast.BoolOp(op=ast.And(), values=values) if outcome:
            for value in values:
                narrow(frame, value, True)
        case ast.BoolOp(op=ast.Or(), values=values) if not outcome:
            for value in values:
                narrow(frame, value, False)
        case ast.BoolOp(op=op, values=values):
            _narrow_one(frame, values, isinstance(op, ast.And), outcome)
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=None)]):
            _narrow_none(frame, left, is_none=outcome == isinstance(op, ast.Is | ast.Eq))
        case ast.Compare(
            left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[ast.Constant(value=int() as count)]
        ):
            if outcome == isinstance(op, ast.Eq) and (subject := _of_dimensions(left)) is not None:
                _narrow_dimensions(frame, subject, count)
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="type") as func, args=[subject]),
            ops=[ast.Eq() | ast.NotEq() | ast.Is() | ast.IsNot() | ast.In() | ast.NotIn() as op],
            comparators=[cls],
        ):
            _narrow_type(frame, func, subject, cls, outcome is isinstance(op, ast.Eq | ast.Is | ast.In))
        case ast.Compare(
            left=ast.Attribute(value=subject, attr="__name__"),
            ops=[ast.Eq() | ast.NotEq() as op],
            comparators=[ast.Constant(value=str() as name)],
        ):
            _narrow_named(frame, subject, name, outcome is isinstance(op, ast.Eq))
        case ast.Call(func=func, args=[subject, *rest]):
            _narrow_call(frame, func, subject, rest, outcome)
        case ast.NamedExpr(target=target):
            narrow(frame, target, outcome)
        case ast.Name() | ast.Attribute() if outcome:
            _narrow_none(frame, test, is_none=False)


def _narrow_one(frame: Frame, values: list[ast.expr], is_and: bool, outcome: bool) -> None:
    """Where `x is not None and is_compiling()` fails, the second being true, the first does not hold."""
    asking = [value for value in values if _asks_what_it_is(value)]
    if len(asking) == 1 and all(value is asking[0] or _decided(frame, value) is is_and for value in values):
        narrow(frame, asking[0], outcome)


def _asks_what_it_is(value: ast.expr) -> bool:
    match value:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _asks_what_it_is(operand)
        case ast.Compare(ops=[_], comparators=[ast.Constant(value=None)]) | ast.Call(func=ast.Name(id="isinstance")):
            return True
        case _:
            return False


def _decided(frame: Frame, value: ast.expr) -> bool | None:
    """Whether a value is true, as far as a constant that it comes to tells."""
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not):
        inner = _decided(frame, value.operand)
        return None if inner is None else not inner
    if not isinstance(value, ast.Call | ast.Name | ast.Attribute):
        return None
    kind = frame.inspector.peek(frame, value)
    return bool(kind.value) if isinstance(kind, kinds.Const) else None


def _narrow_none(frame: Frame, subject: ast.expr, *, is_none: bool) -> None:
    if isinstance(subject, ast.NamedExpr):
        subject = subject.target
    path = _place_of(frame, subject)
    if path is None:
        return
    before = frame.inspector.peek(frame, subject)
    if is_none:
        frame.env[path] = NONE
    elif before != UNKNOWN:
        rest = [option for option in kinds.options(before) if option != NONE]
        frame.env[path] = kinds.join(*rest) if rest else UNKNOWN


def _narrow_named(frame: Frame, subject: ast.expr, name: str, is_called_so: bool) -> None:
    """Of several functions, those that have this name: who asks for it calls them with what others do not take."""
    path = path_of(subject)
    before = frame.inspector.peek(frame, subject) if path is not None else UNKNOWN
    if path is None or before == UNKNOWN:
        return
    named = [
        (option, isinstance(option, kinds.Function) and option.wrapper is None and option.name.rpartition(".")[2])
        for option in kinds.options(before)
    ]
    rest = [option for option, own in named if own is False or (own == name) is is_called_so]
    frame.env[path] = kinds.join(*rest) if rest else UNKNOWN


def _place_of(frame: Frame, subject: ast.expr) -> str | None:
    """Where the frame remembers what something is: `self.a`, and `batch[0]`, of which the other items tell nothing."""
    if not isinstance(subject, ast.Subscript):
        return path_of(subject)
    path = path_of(subject.value)
    index = frame.inspector.peek(frame, subject.slice) if path is not None else UNKNOWN
    return item_of(path, index) if path is not None and isinstance(index, kinds.Const) else None


def _of_dimensions(count: ast.expr) -> ast.expr | None:
    """Of what this is the number of dimensions: `x.ndim`, `x.dim()`, `len(x.shape)`."""
    match count:
        case ast.Attribute(value=subject, attr="ndim"):
            return subject
        case ast.Call(func=ast.Attribute(value=subject, attr="dim" | "ndimension"), args=[], keywords=[]):
            return subject
        case ast.Call(
            func=ast.Name(id="len"),
            args=[
                ast.Attribute(value=subject, attr="shape")
                | ast.Call(func=ast.Attribute(value=subject, attr="size"), args=[], keywords=[])
            ],
        ):
            return subject
        case _:
            return None


def _narrow_dimensions(frame: Frame, subject: ast.expr, count: int) -> None:
    path = path_of(subject)
    before = frame.inspector.peek(frame, subject) if path is not None else UNKNOWN
    if path is not None and isinstance(before, kinds.Tensor):
        frame.env[path] = replace(before, ndim=count)


def _narrow_call(frame: Frame, func: ast.expr, subject: ast.expr, rest: list[ast.expr], outcome: bool) -> None:
    path = _place_of(frame, subject)
    if path is None:
        return
    callee = frame.inspector.peek(frame, func)
    before = frame.inspector.peek(frame, subject)
    if callee == kinds.Reference("torch.is_tensor"):
        arrays = [option for option in kinds.options(before) if isinstance(option, kinds.Array)]  # Dynamo says yes
        frame.env[path] = _keep(frame, before, [kinds.TENSOR, *arrays], outcome)
    elif callee == kinds.Reference("builtins.isinstance") and rest and _is_type(frame, rest[0]):
        kept = [option for option in kinds.options(before) if is_class(option) is not (not outcome)]
        frame.env[path] = kinds.join(*kept) if kept else UNKNOWN
    elif callee == kinds.Reference("builtins.isinstance") and _is_self(frame, path, before):
        return  # `isinstance(self, Sub)` in a base: what is walked is the base, also where the two ways meet again
    elif callee == kinds.Reference("builtins.isinstance") and rest:
        wanted = [_instance_of(frame.inspector.peek(frame, cls)) for cls in asked_classes(rest[0])]
        if all(kind is not None for kind in wanted):
            frame.env[path] = _keep(frame, before, [kind for kind in wanted if kind is not None], outcome)
    elif callee == kinds.Reference("builtins.hasattr") and rest and _tensor_has(rest[0]) is (not outcome):
        frame.env[path] = _keep(frame, before, [kinds.TENSOR], False)
    elif callee == kinds.Reference("torch.jit.isinstance") and rest:
        annotated = frame.inspector.annotated(frame, rest[0])
        if annotated != UNKNOWN:
            frame.env[path] = _keep(frame, before, list(kinds.options(annotated)), outcome)


def _narrow_type(frame: Frame, func: ast.expr, subject: ast.expr, cls: ast.expr, outcome: bool) -> None:
    """`type(x) == list`, `type(x) in (list, tuple)`: as `isinstance`, but that it fails for classes below, too."""
    path = _place_of(frame, subject)
    if path is None or frame.inspector.peek(frame, func) != kinds.Reference("builtins.type"):
        return
    classes = cls.elts if isinstance(cls, ast.Tuple | ast.List | ast.Set) else [cls]
    wanted = [_instance_of(frame.inspector.peek(frame, each)) for each in classes]
    found = [kind for kind in wanted if kind is not None]
    if len(found) == len(wanted) and (outcome or not any(map(_may_be_derived_from, found))):
        frame.env[path] = _keep(frame, frame.inspector.peek(frame, subject), found, outcome)


def _may_be_derived_from(kind: Kind) -> bool:
    """Whether what is taken for this may be of a class below it."""
    return isinstance(kind, kinds.Instance | kinds.External)


def _tensor_has(name: ast.expr) -> bool | None:
    """Whether every tensor has an attribute of this name; None where only some have it, or nobody knows."""
    if not isinstance(name, ast.Constant) or not isinstance(name.value, str) or name.value.startswith("_"):
        return None
    if name.value in _ONLY_OF_SOME:
        return None
    return signatures.attribute(kinds.TENSOR, name.value) is not None


def _is_self(frame: Frame, path: str, before: Kind) -> bool:
    """Whether this is the object whose method is walked."""
    node = frame.function.node if frame.function is not None else None
    parameters = node.args.args if node is not None else []
    is_method = frame.function is not None and frame.function.owner is not None
    return is_method and bool(parameters) and parameters[0].arg == path and isinstance(before, kinds.Instance)


def _is_type(frame: Frame, cls: ast.expr) -> bool:
    return frame.inspector.peek(frame, cls) == kinds.Reference("builtins.type")


def _instance_of(cls: Kind) -> Kind | None:
    match cls:
        case kinds.Reference(name) if name in _TENSOR_NAMES:
            return kinds.TENSOR
        case kinds.Reference(name) if name in PYTHON_TYPES:
            return kinds.Python(PYTHON_TYPES[name])
        case kinds.Reference("builtins.list" | "builtins.tuple" | "builtins.set" as name):
            return kinds.Sequence(name.removeprefix("builtins."), UNKNOWN)
        case kinds.Reference("builtins.dict"):
            return kinds.Dictionary(UNKNOWN)
        case kinds.Reference("numpy.ndarray"):
            return kinds.Array()
        case kinds.Reference(name):
            return kinds.External(name)
        case kinds.ProjectClass():
            return kinds.Instance(cls)
        case kinds.Const(value=None):
            return NONE
        case _:
            return None


def _keep(frame: Frame, before: Kind, wanted: list[Kind], outcome: bool) -> Kind:
    if outcome:
        kept = [option for option in kinds.options(before) if any(_alike(frame, option, kind) for kind in wanted)]
        return kinds.join(*kept) if kept else kinds.join(*wanted)
    if before == UNKNOWN:
        return UNKNOWN
    rest = [option for option in kinds.options(before) if not any(_alike(frame, option, kind) for kind in wanted)]
    return kinds.join(*rest) if rest else UNKNOWN


def _alike(frame: Frame, option: Kind, wanted: Kind) -> bool:
    match option, wanted:
        case _, kinds.Const():
            return option == wanted
        case (kinds.Const() | kinds.Python(), kinds.Python()):
            return kinds.type_name(option) == wanted.type
        case kinds.Scalar(), kinds.Python():
            return wanted.type in ("int", "float", "bool")
        case kinds.Sequence(), kinds.Sequence():
            return option.type == wanted.type
        case kinds.Instance(), kinds.Instance():
            return wanted.cls in mro(frame.inspector, option.cls)
        case _, kinds.External(cls=name) if (types := abstract(name)) is not None and option != wanted:
            return is_of_abstract(option, types) is True
        case kinds.External(), kinds.External():
            return option.cls == wanted.cls
        case _:
            return type(option) is type(wanted) and not isinstance(option, kinds.Instance | kinds.External)
