"""Reading an attribute as an expression: what properties and descriptors do then."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect import kinds, signatures
from compilelint.inspect.calling import calls
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.lasting.read_as_made import is_read_as_made, is_read_before
from compilelint.inspect.members import attributes, body_functions, classes
from compilelint.inspect.members.numbers_from_outside import number_of
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import is_none

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_AS_READ = "as an attribute is read"
"""A break in a property drops who reads it (seen on torch 2.5.1, 2.9.1, 2.13.0 and 2.15.0)."""
_VALUES = (kinds.Const, kinds.Python, kinds.Text, kinds.Tensor, kinds.Sequence, kinds.Dictionary, kinds.Reference)


def read_attribute(frame: Frame, node: ast.Attribute, base: Kind) -> Kind:
    """`base.name` as an expression: properties run."""
    if type(base) is kinds.Instance:
        return _read_of_instance(frame, node, base)
    found: list[Kind] = []
    for option in attributes.those_with(base.options, node.attr) if type(base) is kinds.Union else (base,):
        if isinstance(option, kinds.Instance):
            found.append(_read_of_instance(frame, node, option))
            continue
        if isinstance(option, kinds.External) and option.cls == "builtins.super":
            found.append(_read_of_base(frame, node, option))
            continue
        if isinstance(option, kinds.External) and frame.is_heard:
            frame.emit("attribute", node, callee=f"{option.cls}.{node.attr}", receiver=option)
        elif isinstance(option, kinds.Dictionary) and option.by_slot and not hasattr(dict, node.attr):
            _emit_read_by_slot(frame, node, option)
        elif type(option) is kinds.ProjectClass and frame.is_heard:
            _emit_read_of_class(frame, node, option)
        found.append(attributes.attribute(frame.inspector, option, node.attr))
    return (found[0] if len(found) == 1 else kinds.join(*found)) if found else UNKNOWN


def _emit_read_of_class(frame: Frame, node: ast.Attribute, cls: kinds.ProjectClass) -> None:
    """`Scale.factor` of an autograd.Function: a value that its class holds, and that Dynamo does not look up."""
    if classes.AUTOGRAD_FUNCTION not in classes.lineage(frame.inspector, cls).external:
        return
    written = attributes.written_in_body(frame.inspector, cls, node.attr)
    if not isinstance(written, _VALUES) or body_functions.is_static(frame.inspector, cls, node.attr):
        return
    other = _asked_for_identity(frame.statement, node)
    callee = "torch.autograd.Function.__getattr__"
    if other is None:
        frame.emit("attribute", node, callee=callee, construct="value", receiver=cls)
    elif written == kinds.NONE and is_none(other):
        # Code may have set it before: then Dynamo is right.
        frame.emit("attribute", node, callee=callee, construct="is", receiver=cls, confidence=Confidence.MEDIUM)


def _asked_for_identity(statement: ast.stmt | None, node: ast.Attribute) -> ast.expr | None:
    """With what this statement compares the node by `is` or `is not`: that is answered without the value."""
    for each in ast.walk(statement) if statement is not None else ():
        match each:
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[right]) if node in (left, right):
                return right if node is left else left
    return None


def _read_of_instance(frame: Frame, node: ast.Attribute, owner: kinds.Instance) -> Kind:
    inspector, name = frame.inspector, node.attr
    kind = inspector.derived(("merely read", owner, name), lambda: _merely_read(inspector, owner, name))
    return _run_for_it(frame, node, owner) if kind is None else kind


def _read_of_base(frame: Frame, node: ast.Attribute, base: kinds.External) -> Kind:
    """What `super().name` gives: of a property what it makes."""
    kind = attributes.attribute(frame.inspector, base, node.attr)
    if isinstance(kind, kinds.Method) and (given := _given_by_property(frame.inspector, kind.receiver, node.attr)):
        # What only gets a name breaks where that is used, if it is.
        named = isinstance(frame.statement, ast.Assign) and frame.statement.value is node
        sure = Confidence.LOW if named else Confidence.HIGH
        frame.emit("attribute", node, callee="builtins.super.__get__", receiver=base, confidence=sure)
        return given
    if not isinstance(kind, kinds.Function) or not attributes.is_property_itself(frame.inspector, kind.key):
        return kind
    frame.emit("attribute", node, callee="builtins.super.__get__", receiver=base)
    with frame.aggravated(_AS_READ):
        return calls.call_kind(frame, kind, calls.Call(node))


def _given_by_property(inspector: Inspector, owner: Kind, name: str) -> Kind | None:
    """The tensor that a property of torch's makes for `super().logits`, in a distribution of the project's; `super()`
    never finds what an object holds itself."""
    bases = classes.external_bases(inspector, owner.cls) if isinstance(owner, kinds.Instance) else ()
    found = (
        signatures.attribute(kinds.External(base), name) for base in bases if base.startswith("torch.distributions.")
    )
    return next((kind for kind in found if isinstance(kind, kinds.Tensor)), None)


def _merely_read(inspector: Inspector, owner: kinds.Instance, name: str) -> Kind | None:
    """What `owner.name` is; None where code runs to find it, which most attributes do without."""
    if not owner.module and classes.answers_for_every_attribute(inspector, owner.cls):
        return None
    if not owner.module and classes.is_read_by_slot(inspector, owner, name):
        return None
    kind = attributes.find_attribute(inspector, owner, name)
    match kind:
        case kinds.Function():
            return None if attributes.is_property(inspector, owner, name) else kind
        case kinds.Instance():
            return None if classes.find_method(inspector, kind.cls, "__get__") is not None else kind
        case kinds.Unknown() if owner.module:
            # Who asks whether it is there (`getattr(self, "calls", None)`) may be who sets it.
            return number_of(inspector, owner.cls, name)
        case _:
            return kind


def _run_for_it(frame: Frame, node: ast.Attribute, owner: kinds.Instance) -> Kind:
    inspector, name = frame.inspector, node.attr
    if not owner.module and classes.answers_for_every_attribute(inspector, owner.cls):
        frame.emit("attribute", node, callee="builtins.object.__getattribute__", construct="override", receiver=owner)
    if not owner.module and classes.is_read_by_slot(inspector, owner, name):
        _emit_read_by_slot(frame, node, owner)
        return UNKNOWN
    kind = attributes.attribute(inspector, owner, name)
    if isinstance(kind, kinds.Function) and attributes.is_property(inspector, owner, name):
        if "functools.cached_property" in classes.decorator_names(inspector, kind.key):
            if is_read_as_made(inspector, owner, name) or is_read_before(frame, node):
                with inspector.silently():
                    return calls.call_kind(frame, kind, calls.Call(node))
            frame.emit("attribute", node, callee="functools.cached_property.__get__", receiver=owner)
        with frame.aggravated(_AS_READ):
            kind = calls.call_kind(frame, kind, calls.Call(node))
    if isinstance(kind, kinds.Instance):
        kind = _read_descriptor(frame, node, owner, kind)
    return kind


def _emit_read_by_slot(frame: Frame, node: ast.Attribute, owner: Kind) -> None:
    frame.emit("attribute", node, callee="builtins.object.__getattr__", construct="slot", receiver=owner)


def _read_descriptor(frame: Frame, node: ast.Attribute, owner: kinds.Instance, value: kinds.Instance) -> Kind:
    """What reading `owner.name` gives where the class, not the object, holds an object with a `__get__`."""
    is_held_by_object = node.attr in frame.inspector.assigned(owner)
    if is_held_by_object or classes.find_method(frame.inspector, value.cls, "__get__") is None:
        return value
    frame.emit("attribute", node, callee="builtins.object.__get__", receiver=value)
    with frame.aggravated(_AS_READ):
        return calls.call_method(frame, value, "__get__", (owner, owner.cls)) or UNKNOWN
