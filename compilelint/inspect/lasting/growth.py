"""Containers that calls fill: what they hold afterwards, and whether they outlive the call."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect import kinds, names, signatures
from compilelint.inspect.arguments.defaults import is_by_default
from compilelint.inspect.deciding.conditions import happens_once
from compilelint.inspect.frame import Frame, item_of, path_of
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.lasting import bounds, fixed_keys
from compilelint.inspect.members import attributes
from compilelint.inspect.syntax import bodies
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call

GROW = frozenset({"append", "appendleft", "extend", "insert", "add", "update", "setdefault"})
"""Methods that fill the container that they are called on."""
_OTHER_WRITES = frozenset({"__setitem__", "pop", "clear"})
"""Methods that do not fill a container, or not with more each time, but that the body of an operator may call no more
than those: lambdas write a dict by `latest.__setitem__("grad", g)`."""
_THE_SAME_EACH_TIME = (kinds.Const, kinds.ProjectClass, kinds.Reference)
"""What a set holds once, however often it is added: constants, classes."""


def grow(frame: Frame, node: ast.Call, callee: Kind, call: Call) -> None:
    """What a call does to the container that it is a method of."""
    if type(callee) is not kinds.Method or not isinstance(node.func, ast.Attribute):
        return
    if callee.name not in GROW and not (frame.route.body and callee.name in _OTHER_WRITES):
        return
    container = _outermost(node.func.value)
    path = path_of(container)
    if path is None:
        return
    if frame.route.body and isinstance(callee.receiver, kinds.Sequence | kinds.Dictionary):
        bodies.report_write(frame, node, container)
    else:
        _emit_growth(frame, node, container, path, callee, call)
    if container is not node.func.value or callee.name in _OTHER_WRITES or names.is_global(frame, path):
        return
    match callee.receiver:
        case kinds.Sequence() as before if call.args:
            frame.env[path] = _grown(before, callee.name, call.args[-1])
        case kinds.Dictionary() as before if callee.name == "update":
            frame.env[path] = _updated(before, call)
        case kinds.External(cls="torch.nn.ModuleList" | "torch.nn.Sequential") as layers if call.args:
            new = call.args[-1]
            if isinstance(new, kinds.Sequence | kinds.External) and callee.name == "extend":
                new = signatures.iterated(new)
            frame.env[path] = signatures.with_layers(layers, new)


def _begins_anew(frame: Frame, method: ast.expr) -> bool:
    """Whether a container is an item that the call has put there before: `self.log["loss"] = []`."""
    match method:
        case ast.Attribute(value=ast.Subscript(value=held, slice=ast.Constant(value=str(key)))):
            path = path_of(held)
            return path is not None and item_of(path, kinds.Const(key)) in frame.replaced
        case _:
            return False


def _outermost(container: ast.expr) -> ast.expr:
    """What holds a container as an item: `self.log` of `self.log["loss"]`, of `self.log.setdefault("loss", [])`."""
    match container:
        case ast.Subscript(value=held) | ast.Call(func=ast.Attribute(value=held, attr="setdefault")):
            return _outermost(held)
        case _:
            return container


def _grown(before: kinds.Sequence, method: str, added: Kind) -> Kind:
    if method in ("extend", "update"):
        added = kinds.element(added) if isinstance(added, kinds.Sequence) else signatures.iterated(added)
    elements = [] if before.items == () else [kinds.element(before)]
    if added == UNKNOWN:
        elements = [kinds.loosened(element) for element in elements]
    known = [kind for kind in [*elements, added] if kind != UNKNOWN] or [UNKNOWN]
    return kinds.Sequence(before.type, kinds.shallow(kinds.join(*known)), default=before.default)


def _updated(before: kinds.Dictionary, call: Call) -> kinds.Dictionary:
    """A dict that is given what another has, and what is given by name."""
    by_name = [kinds.Dictionary(UNKNOWN, tuple(call.keywords.items()))] if call.keywords else []
    for more in (*call.args, *by_name):
        before = kinds.with_entries(before, more)
    return before


def _emit_growth(
    frame: Frame, node: ast.Call, container: ast.expr, path: str, callee: kinds.Method, call: Call
) -> None:
    """Containers that outlive the call: on `self` of a module, on an object that it holds, a global, what a function
    around has made, or what a parameter is by default."""
    if not frame.is_heard or not isinstance(callee.receiver, kinds.Sequence | kinds.Dictionary):
        return
    holder, _, attr = path.rpartition(".")
    owner = _owner(frame, container, holder)
    of_object = isinstance(owner, kinds.Instance) and frame.outlives_calls(owner)
    of_class = isinstance(owner, kinds.ProjectClass)
    of_global = of_class or ("." not in holder and names.is_global(frame, holder or attr))
    sureness = bounds.grows(frame, node, path) if of_object or of_global else None
    if not holder and attr not in frame.env and attr in frame.closure:
        sureness = bounds.grows_around(frame, node, attr)
    if not holder and is_by_default(frame.env.get(attr)):
        sureness = bounds.grows_by_default(frame, attr)
    if sureness is None or _begins_anew(frame, node.func):
        return
    if isinstance(owner, kinds.Instance) and "." in holder and bounds.is_replaced(frame, holder, owner, attr):
        return
    if callee.name == "add" and call.args and _is_the_same_each_time(frame, node, call.args[0]):
        return
    if isinstance(callee.receiver, kinds.Dictionary):
        if fixed_keys.adds_fixed_keys(frame, node):
            return
        sureness = Confidence.LOW if fixed_keys.may_be_any_keys(node) else sureness
    if of_object:
        frame.emit(
            "attribute-write",
            node,
            callee=f"{attributes.class_name(frame.inspector, owner)}.{attr}",
            construct="append",
            receiver=owner,
            args=call.args,
            confidence=min(sureness, happens_once(frame)),
        )
    else:
        frame.emit("global-write", node, callee=path, construct="append", args=call.args, confidence=sureness)


def _owner(frame: Frame, container: ast.expr, holder: str) -> Kind:
    """What the container is an attribute of."""
    if isinstance(container, ast.Attribute) and "." in holder:
        return frame.inspector.peek(frame, container.value)
    return names.lookup(frame, holder) if holder else UNKNOWN


def _is_the_same_each_time(frame: Frame, node: ast.Call, added: Kind) -> bool:
    return isinstance(added, _THE_SAME_EACH_TIME) or _is_one_of_constants(frame, node)


def _is_one_of_constants(frame: Frame, node: ast.Call) -> bool:
    """Whether what is added is the name that a loop around gives to each of some constants, and nothing else does."""
    if frame.function is None or not isinstance(node.args[0], ast.Name):
        return False
    name = node.args[0].id
    return any(
        isinstance(loop, ast.For)
        and isinstance(loop.target, ast.Name)
        and loop.target.id == name
        and isinstance(loop.iter, ast.Tuple | ast.List | ast.Set)
        and all(isinstance(each, ast.Constant) for each in loop.iter.elts)
        and any(inner is node for inner in walk(loop))
        and sum(_is_assigned(part, name) for part in walk(loop)) == 1
        for loop in walk(frame.function.node)
    )


def _is_assigned(part: ast.AST, name: str) -> bool:
    return isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store)
