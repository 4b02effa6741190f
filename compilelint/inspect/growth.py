"""Containers that calls fill: what they hold afterwards, and whether they outlive the call."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.inspect import attributes, bodies, classes, kinds, names, signatures
from compilelint.inspect.conditions import happens_once, is_first_time
from compilelint.inspect.frame import Frame, path_of
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.source.model import ModuleIndex
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.calls import Call

GROW = frozenset({"append", "appendleft", "extend", "insert", "add", "update", "setdefault"})
"""Methods that fill the container that they are called on."""
_THE_SAME_EACH_TIME = (kinds.Const, kinds.ProjectClass, kinds.Reference)
"""What a set holds once, however often it is added: constants, classes."""


def grow(frame: Frame, node: ast.Call, callee: Kind, call: Call) -> None:
    """What a call does to the container that it is a method of."""
    if type(callee) is not kinds.Method or callee.name not in GROW or not isinstance(node.func, ast.Attribute):
        return
    container = node.func.value
    while isinstance(container, ast.Subscript):
        container = container.value
    path = path_of(container)
    if path is None:
        return
    if frame.route.body and isinstance(callee.receiver, kinds.Sequence | kinds.Dictionary):
        bodies.report_write(frame, node, container)
    else:
        _emit_growth(frame, node, path, callee, call)
    if container is not node.func.value or names.is_global(frame, path):
        return
    match callee.receiver:
        case kinds.Sequence() as before if call.args:
            frame.env[path] = _grown(before, callee.name, call.args[-1])
        case kinds.External(cls="torch.nn.ModuleList" | "torch.nn.Sequential" as cls, args=layers) if call.args:
            new = call.args[-1]
            if isinstance(new, kinds.Sequence | kinds.External) and callee.name == "extend":
                new = signatures.iterated(new)
            frame.env[path] = kinds.External(cls, tuple(dict.fromkeys((*layers, new)))[: kinds.MAX_OPTIONS])


def _grown(before: kinds.Sequence, method: str, added: Kind) -> Kind:
    if method in ("extend", "update"):
        added = kinds.element(added) if isinstance(added, kinds.Sequence) else signatures.iterated(added)
    elements = [] if before.items == () else [kinds.element(before)]
    known = [kind for kind in [*elements, added] if kind != UNKNOWN] or [UNKNOWN]
    return kinds.Sequence(before.type, kinds.shallow(kinds.join(*known)))


def _emit_growth(frame: Frame, node: ast.Call, path: str, callee: kinds.Method, call: Call) -> None:
    """Containers that outlive the call: on `self` of a module, or a global."""
    if not frame.is_heard or not isinstance(callee.receiver, kinds.Sequence | kinds.Dictionary):
        return
    head, _, rest = path.partition(".")
    owner = names.lookup(frame, head) if rest and "." not in rest else UNKNOWN
    of_object = isinstance(owner, kinds.Instance) and _outlives_calls(frame, owner)
    of_global = "." not in rest and names.is_global(frame, head)
    if not (of_object or of_global) or _is_bounded(frame, path) or _left_if_held(frame, node, path):
        return
    if callee.name == "add" and call.args and _is_the_same_each_time(frame, node, call.args[0]):
        return
    if of_object:
        frame.emit(
            "attribute-write",
            node,
            callee=f"{attributes.class_name(frame.inspector, owner)}.{rest}",
            construct="append",
            receiver=owner,
            args=call.args,
            confidence=happens_once(frame),
        )
    else:
        frame.emit("global-write", node, callee=path, construct="append", args=call.args)


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


def _outlives_calls(frame: Frame, owner: kinds.Instance) -> bool:
    """Modules do, and what a root is a method of; other objects are passed in, such as a cache that a caller renews."""
    return not owner.fresh and (owner.module or frame.route.depth == 0)


def _is_bounded(frame: Frame, path: str) -> bool:
    """Whether the container starts anew in each call, or grows only while a condition on it holds."""
    if path in frame.replaced or any(path in ast.unparse(condition) for condition in frame.conditions):
        return True
    return any(_is_emptied(module, path.rpartition(".")[2]) for module in _files_of(frame)) if "." in path else False


def _left_if_held(frame: Frame, node: ast.Call, path: str) -> bool:
    """Whether the function returns before if the container holds something: `if key in SEEN: return`."""
    if frame.function is None:
        return False
    return any(
        isinstance(leaving, ast.If)
        and leaving.lineno < node.lineno
        and isinstance(leaving.body[-1], ast.Return | ast.Raise | ast.Continue)
        and any(
            isinstance(part, ast.Compare)
            and isinstance(part.ops[0], ast.In)
            and ast.unparse(part.comparators[0]) == path
            for part in walk(leaving.test)
        )
        for leaving in walk(frame.function.node)
    )


def _files_of(frame: Frame) -> list[ModuleIndex]:
    """The file that is walked, and those of the classes that its `self` is of."""
    receiver = frame.receiver_instance
    bases = classes.mro(frame.inspector, receiver.cls) if receiver is not None else ()
    files = {base.key[0] for base in bases if isinstance(base, kinds.ProjectClass)} - {frame.module.name}
    found = [frame.inspector.tree.module(name) for name in sorted(files)]
    return [frame.module, *(module for module in found if module is not None)]


def _is_emptied(module: ModuleIndex, attribute: str) -> bool:
    """Whether the file gives an attribute of this name a new value, or empties it, after it was first filled."""
    beginning = {id(part) for part in _parts_that_begin(module, attribute)}
    for node in walk(module.tree):
        match node:
            case ast.Assign(targets=targets) if id(node) not in beginning:
                if any(isinstance(target, ast.Attribute) and target.attr == attribute for target in targets):
                    return not _grows_itself(node, attribute)
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute(attr=owner), attr="clear" | "pop" | "popleft" | "popitem")
            ) if owner == attribute:
                return True
            case ast.Call(func=ast.Attribute(value=ast.Call() as named, attr="clear")) if _has_computed_name(named):
                return True
            case ast.Call(func=ast.Name(id="setattr")) if id(node) not in beginning and _has_computed_name(node):
                return True
    return False


def _parts_that_begin(module: ModuleIndex, attribute: str) -> Iterator[ast.AST]:
    """What is in `__init__`, or happens where the attribute is not there yet: `if self.seen is None:`."""
    for info in module.functions.values():
        if info.qualname.endswith("__init__"):
            yield from walk(info.node)
    for node in walk(module.tree):
        if isinstance(node, ast.If) and is_first_time(node.test) and _mentions(node.test, attribute):
            for statement in node.body:
                yield from walk(statement)


def _mentions(test: ast.expr, attribute: str) -> bool:
    return any(
        (isinstance(part, ast.Attribute) and part.attr == attribute)
        or (isinstance(part, ast.Constant) and part.value == attribute)
        for part in walk(test)
    )


def _has_computed_name(call: ast.Call) -> bool:
    """Whether it is a `getattr` or `setattr` of `self` whose name is computed: it may mean any attribute."""
    match call:
        case ast.Call(func=ast.Name(id="getattr" | "setattr"), args=[ast.Name(id="self"), name, *_]):
            return not isinstance(name, ast.Constant)
        case _:
            return False


def _grows_itself(node: ast.Assign, attribute: str) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr == attribute for part in walk(node.value))
