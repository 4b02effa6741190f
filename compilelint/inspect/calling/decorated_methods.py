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
from compilelint.source.model import Key

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call

CALLEE = "torch.utils._contextlib.context_decorator"
_MANAGERS = frozenset(
    {
        *("torch.no_grad", "torch.enable_grad", "torch.set_grad_enabled", "torch.inference_mode"),
        *("torch.autocast", "torch.amp.autocast", "torch.cuda.amp.autocast"),
    }
)


def emit(frame: Frame, callee: kinds.Function, call: Call) -> None:
    """Report a call of such a method, if that is what is called."""
    receiver = callee.receiver
    if not isinstance(receiver, kinds.Instance) or not receiver.fresh or not frame.is_heard:
        return
    if isinstance(call.node, ast.Call) and _is_decorated(frame, callee.key) and not _was_handed_over(frame, receiver):
        frame.emit("call", call.node, callee=CALLEE, receiver=receiver)


def _is_decorated(frame: Frame, function: Key) -> bool:
    return not _MANAGERS.isdisjoint(classes.decorator_names(frame.inspector, function))


def _was_handed_over(frame: Frame, receiver: kinds.Instance) -> bool:
    """Whether it is an argument of what Dynamo compiles next, as the graph has broken at such a method of it."""
    return frame.receiver == receiver and frame.function is not None and _is_decorated(frame, frame.function.key)
