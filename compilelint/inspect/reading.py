"""Reading an attribute as an expression: what properties and descriptors do then."""

from __future__ import annotations

import ast

from compilelint.inspect import attributes, calls, classes, kinds
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import UNKNOWN, Kind


def read_attribute(frame: Frame, node: ast.Attribute, base: Kind) -> Kind:
    """`base.name` as an expression: properties run."""
    found: list[Kind] = []
    for option in kinds.options(base):
        if option == kinds.NONE and base != kinds.NONE:
            continue
        kind = attributes.attribute(frame.inspector, option, node.attr)
        if (
            isinstance(option, kinds.Instance)
            and not option.module
            and classes.answers_for_every_attribute(frame.inspector, option.cls)
        ):
            frame.emit("attribute", node, callee="builtins.object.__getattribute__", receiver=option)
        if (
            isinstance(option, kinds.Instance)
            and isinstance(kind, kinds.Function)
            and attributes.is_property(frame.inspector, option, node.attr)
        ):
            if "functools.cached_property" in classes.decorator_names(frame.inspector, kind.key):
                frame.emit("attribute", node, callee="functools.cached_property.__get__", receiver=option)
            kind = calls.call_kind(frame, kind, calls.Call(node))
        if isinstance(option, kinds.Instance) and isinstance(kind, kinds.Instance):
            kind = _read_descriptor(frame, node, option, kind)
        if isinstance(option, kinds.External):
            frame.emit("attribute", node, callee=f"{option.cls}.{node.attr}", receiver=option)
        found.append(kind)
    return kinds.join(*found) if found else UNKNOWN


def _read_descriptor(frame: Frame, node: ast.Attribute, owner: kinds.Instance, value: kinds.Instance) -> Kind:
    """What reading `owner.name` gives where the class, not the object, holds an object with a `__get__`."""
    is_held_by_object = node.attr in frame.inspector.assigned(owner)
    if is_held_by_object or classes.find_method(frame.inspector, value.cls, "__get__") is None:
        return value
    frame.emit("attribute", node, callee="builtins.object.__get__", receiver=value)
    return calls.call_method(frame, value, "__get__", (owner, owner.cls)) or UNKNOWN
