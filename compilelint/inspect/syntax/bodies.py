"""Bodies of higher-order operators: what they write must not outlive them.

Dynamo traces the function that `checkpoint`, `cond`, `while_loop` or `register_hook` is given as a graph of its own,
which can give back results but cannot write to anything around it.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from compilelint.inspect import kinds, names
from compilelint.inspect.frame import Frame, path_of
from compilelint.inspect.kinds import Kind
from compilelint.inspect.signatures.entering import BRANCHES, CARRYING_SCANS, CHECKPOINTS, LOOPS

_UNDECIDED = (kinds.Tensor, kinds.Unknown)
"""What `torch.cond` cannot know while tracing: of what Python knows it calls one side, as an `if` does."""
HOOKS = frozenset({"torch.Tensor.register_hook"})


def body_of(callee: str, args: Sequence[Kind]) -> str:
    """What this call makes of the functions it calls: "checkpoint", "branch", "hook" or, mostly, nothing: ""."""
    if callee in CHECKPOINTS:
        return "checkpoint"
    if callee in BRANCHES:
        return "branch" if not args or isinstance(args[0], _UNDECIDED) else ""
    if callee in LOOPS or callee in CARRYING_SCANS:
        return "branch"
    return "hook" if callee in HOOKS else ""


def report_write(frame: Frame, node: ast.AST, target: ast.expr) -> None:
    """Report a write to `target`, an attribute or a container, if it reaches out of a body."""
    body = frame.route.body
    if body and _reaches_out(frame, target):
        frame.emit("body-write", node, construct=body, callee=path_of(target) or "")


def _reaches_out(frame: Frame, target: ast.expr) -> bool:
    path = path_of(target)
    if path is None:
        return False
    head, _, rest = path.partition(".")
    if rest:
        owner = names.lookup(frame, head)
        return isinstance(owner, kinds.Instance) and not owner.fresh
    if names.is_global(frame, head):
        return True
    return frame.route.enters_body and head in frame.closure and head not in frame.env
