"""What happens where a class of the project is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compilelint.inspect import kinds, signatures
from compilelint.inspect.calling import calls, decorated_methods, own_calls
from compilelint.inspect.calling.own_items import report_filled
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.members import attributes, classes, factories, made_options, new_modules

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call

_MADE_WHOLE = frozenset({"typing.NamedTuple", "collections.namedtuple.type", "enum.Enum"})
"""Bases that make an object without an `__init__` of the project's."""


def construct(frame: Frame, cls: kinds.ProjectClass, call: Call) -> Kind:
    """The object that a call of a class of the project makes; what runs as it is made is walked."""
    own_calls.emit(frame, cls, call)
    inspector = frame.inspector
    if (other := factories.made_instead(frame, cls, call)) is not None:
        return other
    instance = made_options.made(frame, cls, call)
    decorated_methods.note_made(frame, instance)
    outside = classes.external_bases(inspector, cls)
    if instance.module:
        # `norm=RMSNorm` and `self.norm(x)`: the class stands for a layer that callers pass, of a tensor none is made.
        layer = calls.submodule_result(frame, getattr(call.node, "func", None), call)
        if layer != UNKNOWN:
            return layer
        calls.emit_call(frame, call, "torch.nn.Module", cls)
        if not inspector.silent:
            new_modules.initialise(frame, instance, call)
        return instance
    if not _MADE_WHOLE.isdisjoint(outside):
        return instance
    if not call.open_ended and classes.has_keys_as_attributes(inspector, cls):
        return classes.as_made(inspector, cls, signatures.result("builtins.dict", None, call.args, call.keywords))
    init = classes.find_method(inspector, cls, "__init__")
    if classes.has_optional_keys(inspector, cls):
        frame.emit(
            "call", call.node, callee="typing.TypedDict.__init__", construct="optional-keys", keywords=call.keywords
        )
    else:
        makes = "__init__" if outside[:1] != ("torch.Tensor",) else "__new__"
        takes_fields = classes.takes_fields(inspector, cls)
        is_made_outside = classes.find_method(inspector, cls, makes) is None and not takes_fields
        if outside and (is_made_outside or outside[0].startswith("builtins.")):
            # What Python itself makes of a number, a text, a container or an exception is made before `__init__` runs.
            calls.emit_call(frame, call, outside[0], cls)
        if init is not None:
            calls.call_kind(frame, attributes.bound_method(inspector, init, instance), call)
        elif (last := classes.find_method(inspector, cls, "__post_init__")) is not None:
            # The `__init__` that `dataclass` writes calls it, and gives it what is no field.
            calls.call_kind(
                frame, attributes.bound_method(inspector, last, instance), calls.Call(call.node, open_ended=True)
            )
        elif not takes_fields:
            report_filled(frame, instance, "__init__", call)
    return instance
