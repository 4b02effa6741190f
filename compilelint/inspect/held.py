"""Plain objects that modules hold: what is read by way of a module is guarded as what is the module's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from compilelint.inspect import classes, kinds
from compilelint.inspect.events import Event
from compilelint.inspect.first_states import values_given
from compilelint.inspect.kinds import Instance, Kind
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import walk
from compilelint.source.watched import says

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_COUNTS = frozenset({"augmented", "item-augmented"})
_MOST = 300
"""Models hold no more sorts of layers and objects than this, or are not worth the search."""


def with_holders(inspector: Inspector, events: Iterable[Event], roots: Iterable[Kind]) -> list[Event]:
    """The events of a region; of those that count on an object it is said whether a module holds it, as far as what the
    region belongs to shows. Nothing is looked at where nobody counts on an object, which is seldom."""
    seen: list[tuple[Instance, bool]] | None = None
    told: list[Event] = []
    for event in events:
        if event.type == "attribute-write" and event.construct in _COUNTS and _is_object(event.receiver):
            seen = list(_seen_from(inspector, roots)) if seen is None else seen
            if (event.receiver, True) in seen:
                event = _as_held(inspector, event, [instance for instance, _ in seen])
        told.append(event)
    return told


def _is_object(kind: Kind | None) -> bool:
    return isinstance(kind, Instance) and not kind.module and not kind.fresh


def _seen_from(inspector: Inspector, roots: Iterable[Kind]) -> Iterator[tuple[Instance, bool]]:
    """All objects that are held by these, by way of whatever is between, and whether a module is among that."""
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
                yield kind, by_module
                pending += ((held, by_module or kind.module) for held in inspector.assigned(kind).values())
            case kinds.External(args=layers):
                pending += ((layer, by_module or kind.cls.startswith("torch.nn.")) for layer in layers)
            case kinds.Sequence(item=item, items=items):
                pending += ((part, by_module) for part in (item, *(items or ())))
            case kinds.Dictionary(value=value, entries=entries):
                pending += ((part, by_module) for part in (value, *(entry for _, entry in entries)))
            case kinds.Union(options=options):
                pending += ((option, by_module) for option in options)


def _as_held(inspector: Inspector, event: Event, around: list[Instance]) -> Event:
    """A count on an object that a module holds. It is none where one of them sets it, as that may be in each call."""
    attr = event.callee.rpartition(".")[2]
    is_set = any(_sets(inspector, instance, attr) for instance in around)
    return replace(event, held=True, confidence=Confidence.LOW if is_set else event.confidence)


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
