"""Python's own functions that tell the walk more than their signatures do: `super`, `getattr`, `isinstance` …"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from compilelint.inspect import kinds, signatures
from compilelint.inspect.calling import protocols
from compilelint.inspect.deciding.empty_lists import may_be_filled
from compilelint.inspect.deciding.instance_checks import is_asked_of_nested, is_instance, own_check
from compilelint.inspect.events import EventType
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import BOOL, UNKNOWN, Kind
from compilelint.inspect.lasting.first_states import starts_empty
from compilelint.inspect.members import attributes, unknown_names
from compilelint.inspect.members.computed_names import argument, attribute_name, recurrent_layer
from compilelint.inspect.signatures.modules import RECURRENT
from compilelint.inspect.sizing import sizes, untraced_sizes
from compilelint.inspect.sureness import confidence_of, sureness
from compilelint.inspect.syntax import operators
from compilelint.report.confidence import Confidence

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call

_INT = kinds.Reference("builtins.int")


def call(frame: Frame, name: str, receiver: Kind | None, call: Call) -> Kind | None:
    """What a function of Python's own gives, or a method of a text; None where its signature tells all."""
    if name in _ITERATING and frame.is_heard:
        _report_iterated(frame, call)
    handler = _FUNCTIONS.get(name)
    if handler is not None:
        return handler(frame, call)
    if name == "builtins.str.format":
        made_of = next((arg for arg in call.args if isinstance(arg, kinds.Tensor)), None)
        if made_of is not None:
            return kinds.Text(made_of)
    if isinstance(receiver, kinds.Text):
        operators.look_at_text(frame, call.node, receiver)
    return None


_ITERATING = frozenset(
    {"builtins.filter", *(name for name, method in protocols.BY_BUILTIN.items() if method == "__iter__")}
)
"""What goes through what it is given, as a loop over that would."""


def _report_iterated(frame: Frame, call: Call) -> None:
    """Report the iterators that a function of Python's own advances, as those of a loop are."""
    given = call.node.args if isinstance(call.node, ast.Call) else ()
    for written, kind in zip(given, call.args, strict=False):
        if isinstance(written, ast.Starred):
            return
        if isinstance(kind, kinds.Sequence) and kind.type == "iterator":
            frame.emit("iterate", written, receiver=kind, confidence=sureness(kind), subject=written)


def _len(frame: Frame, call: Call) -> Kind | None:
    if not call.args:
        return None
    if isinstance(call.args[0], kinds.Text):
        operators.look_at_text(frame, call.node, call.args[0])
    length = _known_length(frame, call, call.args[0])
    return None if length is None or call.open_ended else kinds.Const(length)


def _known_length(frame: Frame, call: Call, kind: Kind) -> int | None:
    """How many elements there surely are: a tuple has those that it was made with, and so has `*args`. Lists come and
    go, and are known only as long as nobody has put anything in."""
    match kind:
        case kinds.Sequence(type="tuple", items=items, record=record) if items is not None:
            # How many dimensions a tensor has is often only assumed: a shape, or a part of one, is not counted.
            return len(items) if record or (items and not {kinds.INT, kinds.SIZE} & set(items)) else None
        case kinds.Sequence(type="list", items=()):
            asked = call.node.args[0] if isinstance(call.node, ast.Call) else None
            return 0 if isinstance(asked, ast.Name) and not may_be_filled(frame, asked) else None
        case kinds.Dictionary(entries=(), closed=True):
            return 0
        case _:
            return None


def _super(frame: Frame, call: Call) -> Kind:
    if frame.owner is None or not isinstance(frame.receiver, kinds.Instance):
        return UNKNOWN
    return kinds.External("builtins.super", (frame.receiver, kinds.ProjectClass(frame.owner, "")))


def _isinstance(frame: Frame, call: Call) -> Kind | None:
    if len(call.args) != 2:
        return None
    value, cls = call.args
    protocols.ask_what_it_is(frame, call.node, value, "builtins.isinstance")
    if (check := own_check(frame, cls)) is not None:
        frame.emit(
            "call",
            call.node,
            callee="builtins.isinstance",
            construct=check,
            args=call.args,
            confidence=sureness(value),
        )
    elif is_asked_of_nested(value, cls):
        may_be_tensor = kinds.tensor_part(value) is not None
        sure = Confidence.MEDIUM if may_be_tensor else sureness(value)
        frame.emit(
            "call", call.node, callee="builtins.isinstance", construct="nested-types", args=call.args, confidence=sure
        )
    return is_instance(frame, value, cls)


def _id(frame: Frame, call: Call) -> Kind | None:
    if not call.args or not isinstance(call.args[0], kinds.Tensor) or call.args[0].parameter:
        return None
    frame.emit("call", call.node, callee="builtins.id", args=call.args)
    return kinds.External("builtins.id")


def _callable(frame: Frame, call: Call) -> Kind | None:
    match call.args:
        case (kinds.Function() | kinds.Partial() | kinds.ProjectClass() | kinds.Method(),):
            return kinds.Const(True)
        case (kinds.Instance(module=True),):
            return kinds.Const(True)
        case (kinds.External(cls=name),) if name.startswith("torch.nn.") and name not in RECURRENT:
            return kinds.Const(True)  # Dynamo looks at no recurrent layer
        case (kinds.Const() | kinds.Python() | kinds.Sequence() | kinds.Dictionary() | kinds.Tensor(),):
            return kinds.Const(False)
        case _:
            return None


def _type(frame: Frame, call: Call) -> Kind | None:
    """`type(self)`, of which a method may be taken."""
    match call.args:
        case (kinds.Instance(cls=cls),):
            return cls
        case _:
            return None


def _getattr(frame: Frame, call: Call) -> Kind | None:
    if len(call.args) < 2:
        return None
    owner, name, *default = call.args
    written = argument(call.node, 1)
    _report_recurrent(frame, "attribute", call, attribute_name(name, written))
    if named := attribute_name(name, written):
        found = attributes.attribute(frame.inspector, owner, named)
        may_be_none = default == [kinds.NONE] and _is_missing_at_first(frame, owner, named)
        return kinds.join(found, kinds.NONE) if may_be_none else found
    if default:
        return None
    if layer := recurrent_layer(owner, written):
        return layer
    if isinstance(owner, kinds.Instance) and owner.module:
        if isinstance(written, ast.Subscript):
            return unknown_names.attribute_by_table(frame, owner, written)
        return unknown_names.attribute(frame.inspector, owner)
    return None


def _is_missing_at_first(frame: Frame, owner: Kind, name: str) -> bool:
    """Whether nothing has the attribute in the first call, as only the function that asks sets it."""
    return (
        isinstance(owner, kinds.Instance)
        and name in frame.inspector.assigned(owner)
        and starts_empty(frame, owner, name) == Confidence.HIGH
    )


def _setattr(frame: Frame, call: Call) -> None:
    if len(call.args) == 3 and _is_self(frame, argument(call.node, 0)):
        unknown_names.set_on_self(frame, attribute_name(call.args[1], argument(call.node, 1)), call.args[2])
    elif len(call.args) == 3:
        _report_recurrent(frame, "attribute-write", call, attribute_name(call.args[1], argument(call.node, 1)))


def _report_recurrent(frame: Frame, event: EventType, call: Call, name: str) -> None:
    """Report what is done to an attribute of a recurrent layer by its name, which may be any: Dynamo looks at none."""
    for option in kinds.options(call.args[0]):
        if isinstance(option, kinds.External) and option.cls in RECURRENT and frame.is_heard:
            sure = confidence_of(call.args[0], option)
            frame.emit(event, call.node, callee=f"{option.cls}.{name}", receiver=option, confidence=sure)


def _is_self(frame: Frame, node: ast.AST | None) -> bool:
    return isinstance(node, ast.Name) and node.id == "self" and isinstance(frame.receiver, kinds.Instance)


def _hasattr(frame: Frame, call: Call) -> Kind | None:
    match call.args:
        case kinds.Tensor() as tensor, name:
            return _tensor_has(tensor, name)
        case kinds.Reference(name=owner), name:
            return _torch_has(owner, name)
        case _:
            return None


def _tensor_has(tensor: kinds.Tensor, name: Kind) -> Kind:
    """`hasattr(tensor, "name")`: a plain tensor has what torch gives it, nothing that other libraries' tensors have."""
    if not isinstance(name, kinds.Const) or not isinstance(name.value, str) or name.value.startswith("_"):
        return BOOL
    return BOOL if signatures.attribute(tensor, name.value) is not None else kinds.Const(False)


def _torch_has(owner: str, name: Kind) -> Kind:
    """`hasattr(torch, "compile")`: not a question where every torch has it. What only some have may be there or not."""
    known = isinstance(name, kinds.Const) and signatures.is_in_every_torch(owner, str(name.value))
    return kinds.Const(True) if known else BOOL


def _map(frame: Frame, call: Call) -> Kind | None:
    """`map(int, text.split("."))`: the parts of a release are numbers that are known."""
    if len(call.args) != 2 or call.args[0] != _INT or (texts := _known_texts(call.args[1])) is None:
        return None
    return kinds.sequence("iterator", (signatures.result(_INT.name, None, (text,), {}) for text in texts))


def _known_texts(kind: Kind) -> tuple[Kind, ...] | None:
    """The parts of a text that was split, such as a release."""
    items = kind.items if isinstance(kind, kinds.Sequence) else None
    known = items is not None and all(isinstance(item, kinds.Const) and item.type == "str" for item in items)
    return items if known else None


def _number(number: Kind, frame: Frame, call: Call) -> Kind | None:
    """Before anything is compiled, `int(config.heads)` is a number of Python's whatever it is made of."""
    return number if frame.runs_before and len(call.args) == 1 and call.args[0] == UNKNOWN else None


_FUNCTIONS: dict[str, Callable[[Frame, Call], Kind | None]] = {
    "builtins.len": _len,
    "builtins.super": _super,
    sizes.RANGE: partial(sizes.report_constant, sizes.RANGE),
    **{name: partial(untraced_sizes.report_untraced, name) for name in untraced_sizes.UNTRACED_BUILTINS},
    untraced_sizes.SORTED: untraced_sizes.report_sorted,
    "builtins.isinstance": _isinstance,
    "builtins.id": _id,
    "builtins.callable": _callable,
    "builtins.type": _type,
    "builtins.getattr": _getattr,
    "builtins.setattr": _setattr,
    "builtins.hasattr": _hasattr,
    "builtins.map": _map,
    "builtins.int": partial(_number, kinds.INT),
    "builtins.float": partial(_number, kinds.FLOAT),
}
