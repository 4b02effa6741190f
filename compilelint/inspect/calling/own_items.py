"""Ordered dicts with a `__setitem__` of their own, where they are filled at once.

Python's `OrderedDict` puts each item in by `self[key] = value`, so that a class below it has its say. Dynamo fills the
dict that it keeps in place of the object, without a word (2.13): keys and values are what was given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame
from compilelint.inspect.members import classes

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call

_BASE = "collections.OrderedDict"
_FILL = frozenset({"__init__", "update", "setdefault"})


def report_filled(frame: Frame, receiver: kinds.Instance, name: str, call: Call) -> None:
    """Report a method of `OrderedDict` that fills such an object, made in the region or given."""
    if name not in _FILL or not frame.is_heard or not (call.args or call.keywords or call.open_ended):
        return
    inspector = frame.inspector
    if _BASE not in classes.external_bases(inspector, receiver.cls):
        return
    if classes.find_method(inspector, receiver.cls, "__setitem__") is not None:
        frame.emit("call", call.node, callee=f"{_BASE}.{name}", construct="own-items", receiver=receiver)
