"""What an attribute of `self`, or an item of a dict, is on the paths that leave it as it is."""

from __future__ import annotations

import ast
import re

from compilelint.inspect import kinds, names
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Instance, Kind

_ITEM = re.compile(r"(\w+)\['\w+'\]")
"""An item by name of what a name stands for."""


def unassigned(frame: Frame, path: str, kind: Kind) -> Kind | None:
    """What `self.mask` was before the function began, where other paths give it this kind; None for all that is no
    attribute of an object or item of what nobody knows, and for what is neither a tensor nor a dict that holds one.

    To an `__init__` it is None, whatever it is given: nothing was there before, and who reads it later is on a path
    that has set it. An item of what nobody knows (`state["mean"]` of an optimizer, which its first step fills) is
    unknown.
    """
    if (item := _ITEM.fullmatch(path)) is not None:
        held = kinds.tensor_part(kind) is not None and names.lookup(frame, item[1]) == kinds.UNKNOWN
        return kinds.UNKNOWN if held else None
    name, _, attr = path.partition(".")
    if not attr or "." in attr or "[" in path:
        return None
    if _is_being_made(frame, name):
        return kinds.NONE
    if kinds.tensor_part(kind) is None and not _holds_tensor(kind):
        return None
    owner = names.lookup(frame, name)
    return frame.inspector.attribute(owner, attr) if isinstance(owner, Instance) else None


def _holds_tensor(kind: Kind) -> bool:
    return isinstance(kind, kinds.Dictionary) and any(kinds.tensor_part(value) for _, value in kind.entries)


def _is_being_made(frame: Frame, name: str) -> bool:
    node = frame.function.node if frame.function is not None else None
    return isinstance(node, ast.FunctionDef) and node.name == "__init__" and first_parameter(node) == name
