"""Plain objects that modules hold: what is read by way of a module is guarded as what is the module's own. And those
that globals hold, which are guarded as these are."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from compilelint.inspect import kinds, names
from compilelint.inspect.events import Event
from compilelint.inspect.frame import Frame, path_of
from compilelint.inspect.kinds import Instance, Kind
from compilelint.inspect.lasting.first_states import values_given
from compilelint.inspect.members import classes
from compilelint.report.confidence import Confidence
from compilelint.source.model import Key
from compilelint.source.nodes import walk
from compilelint.source.watched import says

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_COUNTS = frozenset({"augmented", "item-augmented"})
_WRITES = _COUNTS | {"append", "fill", "carry", "fill-for-another-size", "fill-by-size", "first-item"}
"""What matters only where the next call finds the same object."""
_MOST = 300
"""Models hold no more sorts of layers and objects than this, or are not worth the search."""


def with_holders(
    inspector: Inspector, events: Iterable[Event], roots: Iterable[Kind], kept: Callable[[], Container[Key]]
) -> list[Event]:
    """The events of a region; of those that write to an object it is said what holds it, as far as what the region
    belongs to shows, and the code around it: `kept` are the classes of objects that all calls of the region are given.
    Nothing is looked at where nobody writes to an object, which is seldom."""
    found: dict[Instance, bool] | None = None
    told: list[Event] = []
    for event in events:
        if event.type == "attribute-write" and event.construct in _WRITES:
            receiver = event.receiver
            if isinstance(receiver, Instance) and not receiver.module and not receiver.fresh:
                found = _held_by(inspector, roots) if found is None else found
                if receiver in found:
                    event = _as_held(inspector, event, "module" if found[receiver] else "object", found)
                elif receiver in inspector.of_globals:
                    event = _as_held(inspector, event, "global", (receiver,))
                elif event.construct == "append" and _is_of_each_call(inspector, event, receiver):
                    event = _as_held(inspector, event, "object", (receiver,)) if receiver.cls.key in kept() else event
        told.append(event)
    return told


def _is_of_each_call(inspector: Inspector, event: Event, receiver: Instance) -> bool:
    """Whether a method appends each time that it is called: a cache does so until there is one for each layer."""
    for method in classes.methods(inspector, receiver.cls):
        body = method.node.body if method.qualname == event.place.function else None
        for statement in body if isinstance(body, list) else ():
            if isinstance(statement, ast.Expr) and statement.lineno == event.span.line:
                return True
            if any(isinstance(part, ast.Return | ast.Raise) for part in walk(statement)):
                return False
    return False


def note_global(frame: Frame, callee: kinds.Function, node: ast.AST) -> None:
    """Note of which object that a global holds a method is called: `METER.update(x)`."""
    receiver = callee.receiver
    if not isinstance(receiver, Instance) or receiver.module or receiver.fresh or not isinstance(node, ast.Call):
        return
    path = path_of(node.func)
    if path is not None and frame.is_heard and names.is_global(frame, path.partition(".")[0]):
        frame.inspector.of_globals.add(receiver)


def _held_by(inspector: Inspector, roots: Iterable[Kind]) -> dict[Instance, bool]:
    """All objects that are held by these, by way of whatever is between, and whether a module is among that."""
    found: dict[Instance, bool] = {}
    pending = [(root, False) for root in roots]
    met: set[tuple[Kind, bool]] = set()
    while pending and len(met) < _MOST:
        each = pending.pop()
        if each in met:
            continue
        met.add(each)
        kind, by_module = each
        match kind:
            case Instance():
                found[kind] = by_module or found.get(kind, False)
                pending += ((held, by_module or kind.module) for held in inspector.assigned(kind).values())
            case kinds.External(args=layers):
                pending += ((layer, by_module or kind.cls.startswith("torch.nn.")) for layer in layers)
            case kinds.Sequence(item=item, items=items):
                pending += ((part, by_module) for part in (item, *(items or ())))
            case kinds.Dictionary(value=value, entries=entries):
                pending += ((part, by_module) for part in (value, *(entry for _, entry in entries)))
            case kinds.Union(options=options):
                pending += ((option, by_module) for option in options)
    return found


def _as_held(
    inspector: Inspector, event: Event, holder: Literal["object", "module", "global"], around: Iterable[Instance]
) -> Event:
    """A write to an object that is held. A count is none where one of these sets it, as that may be in each call."""
    sure = event.confidence
    if event.construct in _COUNTS and any(_is_count(arg) for arg in event.args[:1]):
        attr = event.callee.rpartition(".")[2]
        sure = Confidence.LOW if any(_sets(inspector, instance, attr) for instance in around) else sure
    return replace(event, held=holder, confidence=sure)


def _sets(inspector: Inspector, instance: Instance, attr: str) -> bool:
    """Whether a method besides `__init__` gives an attribute of this name a value that is not made of the last one."""
    for method in classes.methods(inspector, instance.cls):
        module = inspector.tree.module(method.key[0])
        if method.qualname.endswith(".__init__") or module is None or not says(method.node, module.lines, attr):
            continue
        for value in values_given(method.node, attr):
            if value is None or not any(getattr(part, "attr", "") == attr for part in walk(value)):
                return True
    return False


def _is_count(kind: Kind) -> bool:
    return isinstance(kind, kinds.Const | kinds.Python) and kinds.type_name(kind) in ("int", "str")
