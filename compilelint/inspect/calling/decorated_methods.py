"""Methods under a context manager of torch (`@torch.no_grad()`), of an object that the region itself makes.

What such a manager puts around a function is called with the object, of which Dynamo knows no source then: it fails to
make the bound method (GB0116). Of a class or static method that is asked of the class it does not have to.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame
from compilelint.inspect.members import classes
from compilelint.report.confidence import Confidence
from compilelint.source.model import Key

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call
    from compilelint.inspect.inspector import Inspector

CALLEE = "torch.utils._contextlib.context_decorator"
_MANAGERS = frozenset(
    {
        *("torch.no_grad", "torch.enable_grad", "torch.set_grad_enabled", "torch.inference_mode"),
        *("torch.autocast", "torch.amp.autocast", "torch.cuda.amp.autocast"),
    }
)


def note_made(frame: Frame, made: kinds.Instance) -> None:
    """Remember when an object was made that has such methods."""
    inspector = frame.inspector
    if made.fresh and frame.is_heard and _has_any(inspector, made.cls):
        inspector.depends_on_place()
        inspector.made[made] = inspector.breaks, len(inspector.events)


def emit(frame: Frame, callee: kinds.Function, call: Call) -> None:
    """Report a call of such a method, if that is what is called.

    Where the graph has broken since the object was made, it is an argument of what Dynamo compiles next; where it may
    have, it may be one.
    """
    receiver, inspector = callee.receiver, frame.inspector
    if not isinstance(receiver, kinds.Instance) or not receiver.fresh or not frame.is_heard:
        return
    if not isinstance(call.node, ast.Call) or not _is_decorated(inspector, callee.key):
        return
    inspector.depends_on_place()
    breaks, since = inspector.made.get(receiver, (inspector.breaks, len(inspector.events)))
    if inspector.breaks == breaks:
        is_as_made = all(event.confidence == Confidence.LOW for event in inspector.events[since:])
        sure = Confidence.HIGH if is_as_made else Confidence.LOW
        frame.emit("call", call.node, callee=CALLEE, receiver=receiver, confidence=sure)


def _has_any(inspector: Inspector, cls: kinds.ProjectClass) -> bool:
    return inspector.derived(
        ("has decorated methods", cls),
        lambda: any(_is_decorated(inspector, info.key) for info in classes.methods(inspector, cls)),
    )


def _is_decorated(inspector: Inspector, function: Key) -> bool:
    return not _MANAGERS.isdisjoint(classes.decorator_names(inspector, function))
