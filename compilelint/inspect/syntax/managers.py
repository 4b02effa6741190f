"""Context managers: what `with` enters, what that gives, and whether Dynamo can leave it in the middle."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.calling import calls
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.members import attributes

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame


def suppresses(node: ast.With) -> bool | None:
    """Whether control may go on behind a block that never falls through: None if it may, as it says `suppress`."""
    text = ast.unparse(node.items[0].context_expr)
    return None if "suppress" in text else False


def name_of(frame: Frame, manager: Kind, node: ast.expr) -> str:
    """What rules call a manager: the function that gives it, or its class."""
    if isinstance(node, ast.Call):
        callee = frame.inspector.peek(frame, node.func)
        if isinstance(callee, kinds.Reference):
            return callee.name
        if isinstance(callee, kinds.Method):
            return f"{attributes.class_name(frame.inspector, callee.receiver)}.{callee.name}"
    return attributes.class_name(frame.inspector, manager)


def enter(frame: Frame, manager: Kind) -> Kind:
    """Walk what a project's own manager does as it is entered and left; gives what `as` binds."""
    match manager:
        case kinds.Instance():
            with frame.aggravated("as a context manager is entered and left"):
                entered = calls.call_method(frame, manager, "__enter__", ())
                calls.call_method(frame, manager, "__exit__", (kinds.NONE, kinds.NONE, kinds.NONE))
            return entered or UNKNOWN
        case kinds.Sequence(type="iterator"):
            return kinds.element(manager)
        case _:
            return manager if isinstance(manager, kinds.External) else UNKNOWN


def aggravates(manager: Kind, callee: str) -> bool:
    """Dynamo restores torch's own managers after a break; a user's manager it cannot leave in the middle."""
    if isinstance(manager, kinds.Instance | kinds.Sequence):
        return True
    return bool(callee) and not callee.startswith(("torch.", "contextlib.nullcontext"))
