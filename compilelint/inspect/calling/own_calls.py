"""Calls of the project's own functions and classes: events, too, since a project's own rules may name them."""

from __future__ import annotations

import ast
import functools
import itertools
import sys
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame
from compilelint.inspect.signatures.names import canonical

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call

_SOURCES = "src"
_OTHERS = sys.stdlib_module_names | {"numpy", "scipy", "torch", "tqdm"}
"""Top-level modules that the built-in rules are about: no project's own function is meant there."""


def emit(frame: Frame, callee: kinds.Function | kinds.ProjectClass, call: Call) -> None:
    """Report a call under the name by which other files import what is called (`package.module.Class.method`).

    It is entered all the same. What Python calls by itself (an operator's method) is spelled nowhere.
    """
    if not frame.is_heard or not isinstance(call.node, ast.Call):
        return
    tree, module = frame.inspector.tree, frame.inspector.tree.module(callee.key[0])
    if module is None:
        return
    bound = isinstance(callee, kinds.Function)
    info = tree.function(callee.key) if bound else tree.class_(callee.key)
    qualname = info.qualname if info is not None else callee.name
    known = _known_as(module.dotted, qualname) if tree.is_followed(module.name) else ()
    named = itertools.chain((f"{name}.{qualname}" for name in _names(module.name, module.dotted)), known)
    name = next((each for each in named if frame.inspector.wants("call", each)), None)
    if name is None:
        return
    frame.emit(
        "call",
        call.node,
        callee=name,
        receiver=callee.receiver if isinstance(callee, kinds.Function) else None,
        args=call.args,
        keywords=call.keywords,
        starred=call.open_ended,
    )


@functools.cache
def _known_as(dotted: str, qualname: str) -> tuple[str, ...]:
    """By what name rules know a method of a library's class: what is entered now is called all the same."""
    owner, _, method = qualname.rpartition(".")
    where = f"{dotted}.{owner}"
    known = canonical(where) if owner else where
    return (f"{known}.{method}",) if known != where else ()


@functools.cache
def _names(file: str, dotted: str) -> tuple[str, ...]:
    """What a module is imported as: by its package, or, where no `__init__.py` makes one, from the project's root.

    Not where that is the name of something else: what lies in `utils/random.py` is none of Python's `random`.
    """
    parts = file.removesuffix(".py").removesuffix("/__init__").split("/")
    from_root = parts[1:] if parts[0] == _SOURCES else parts
    return tuple(
        name
        for name in dict.fromkeys((dotted, ".".join(from_root)))
        if ("." in name or len(from_root) == 1) and name.partition(".")[0] not in _OTHERS
    )
