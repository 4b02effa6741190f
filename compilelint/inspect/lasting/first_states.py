"""What state an attribute has in the first call, as far as the methods of its class tell."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Instance
from compilelint.inspect.lasting.once import given_state
from compilelint.inspect.members import classes
from compilelint.report.confidence import Confidence
from compilelint.source.index import flat_statements
from compilelint.source.model import FunctionInfo, FunctionNode, Key, ModuleIndex
from compilelint.source.nodes import is_none, pairs_of, walk
from compilelint.source.watched import says

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

CALLED_BY_NAME = frozenset({"forward", "__call__"})
"""What others call in series, before which they empty what it keeps: a cache that each text has anew."""


def starts_empty(
    frame: Frame, owner: Instance, attr: str, filler: Key | None = None, call: ast.stmt | None = None
) -> Confidence:
    """How sure it is that an attribute is missing in the first call, where it is filled, by the call of a `filler` or
    by the function itself.

    LOW where `__init__` gives it a value, or where another method fills it, which may be called before.
    """
    own = frame.function.key if frame.function is not None else None
    here = (filler,) if filler is not None and not _fills_only_after(frame, attr, call) else (own, filler)
    is_missing = all(key in here for key in fillers(frame.inspector, owner.cls, attr))
    filling = frame.inspector.tree.function(filler) if filler is not None else frame.function
    if is_missing and filling is not None:
        is_missing = not any(
            # Of what is being walked any other method may be the caller: only `__init__` is sure to have been before.
            _calls_last(method, filling, attr)
            for method in classes.methods(frame.inspector, owner.cls)
            if method.key not in (own, filler) and (filler is not None or method.qualname.endswith(".__init__"))
        )
    return Confidence.HIGH if is_missing else Confidence.LOW


def _fills_only_after(frame: Frame, attr: str, call: ast.stmt | None) -> bool:
    """Whether the function gives an attribute something only further down than a call that fills it: the state of the
    next step, `self.v = self.v + x`, to which the first call has not come where it asks."""
    given = values_given(frame.function.node, attr) if frame.function is not None and call is not None else ()
    return call is not None and all(value is not None and value.lineno > call.lineno for value in given)


def starts_as(frame: Frame, owner: Instance, attr: str, state: bool, turner: Key | None = None) -> Confidence:
    """How sure it is that a flag has this state in the first call.

    LOW where nobody gives it that state, or where another method than `turner` gives it the other one, or calls
    `turner`, and may be called before.
    """
    own = frame.function.key if frame.function is not None else None
    given = [
        given_state(value)
        for key in fillers(frame.inspector, owner.cls, attr)
        if key not in (own, turner) and (function := frame.inspector.tree.function(key)) is not None
        for value in values_given(function.node, attr)
    ]
    if not given:  # it is what the body of the class says
        given = [given_state(classes.default(frame.inspector, owner.cls, attr))]
    if not all(each is state for each in given):
        return Confidence.LOW
    is_called_elsewhere = turner is not None and any(
        key not in (own, turner) for key in callers(frame.inspector, owner.cls, turner)
    )
    return Confidence.LOW if is_called_elsewhere else Confidence.HIGH


def callers(inspector: Inspector, cls: kinds.ProjectClass, method: Key) -> Iterator[Key]:
    """The methods of a class, and of its bases, that call one of them by its name."""
    function = inspector.tree.function(method)
    name = function.qualname.rpartition(".")[2] if function is not None else ""
    for each in classes.methods(inspector, cls):
        if _is_named(inspector.tree.module(each.key[0]), each.node, name) and any(
            isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == name
            for part in walk(each.node)
        ):
            yield each.key


def turns(inspector: Inspector, cls: kinds.ProjectClass, method: Key, attr: str, state: bool) -> bool:
    """Whether a method of a class gives a flag this state, and no other."""
    function = inspector.tree.function(method) if method in fillers(inspector, cls, attr) else None
    given = [given_state(value) for value in values_given(function.node, attr)] if function is not None else []
    return bool(given) and all(each is state for each in given)


def fillers(inspector: Inspector, cls: kinds.ProjectClass, attr: str) -> tuple[Key, ...]:
    """The methods of a class, and of its bases, that give an attribute another value than None."""

    def found() -> tuple[Key, ...]:
        return tuple(dict.fromkeys(key for key, value in _given(inspector, cls, attr) if not is_none(value)))

    return inspector.derived(("fillers", cls.key, attr), found)


def emptiers(inspector: Inspector, cls: kinds.ProjectClass, attr: str) -> tuple[Key, ...]:
    """The methods of a class, and of its bases, that set an attribute to None."""
    return tuple(dict.fromkeys(key for key, value in _given(inspector, cls, attr) if is_none(value)))


def is_emptied_again(frame: Frame, owner: Instance, attr: str) -> bool:
    """Whether a method that comes to what is walked, or reads it as a property, also calls one that sets an attribute
    to None: `y = x * self.scale` and `self.update(x)`. The next call finds it missing as the first one did."""
    inspector, asking = frame.inspector, frame.function
    if asking is None:
        return False
    name = asking.qualname.rpartition(".")[2]
    emptying = [key for key in emptiers(inspector, owner.cls, attr) if not _is_init(inspector, key)]
    leading = {caller for key in emptying for caller in callers(inspector, owner.cls, key)}
    if name in CALLED_BY_NAME:
        return asking.key in leading
    return any(not _is_init(inspector, key) and _mentions(inspector, key, name) for key in leading)


def _mentions(inspector: Inspector, key: Key, name: str) -> bool:
    function = inspector.tree.function(key)
    return function is not None and any(
        isinstance(part, ast.Attribute) and part.attr == name for part in walk(function.node)
    )


def _is_init(inspector: Inspector, key: Key) -> bool:
    function = inspector.tree.function(key)
    return function is not None and function.qualname.endswith(".__init__")


def _given(inspector: Inspector, cls: kinds.ProjectClass, attr: str) -> Iterator[tuple[Key, ast.expr | None]]:
    """What the methods of a class give to an attribute."""
    for function in classes.methods(inspector, cls):
        if _is_named(inspector.tree.module(function.key[0]), function.node, attr):
            for value in values_given(function.node, attr):
                yield function.key, value


def _calls_last(method: FunctionInfo, filler: FunctionInfo, attr: str) -> bool:
    """Whether a method calls the one that fills an attribute, and does not set it to None after that."""
    name = filler.qualname.rpartition(".")[2]
    last = ""
    for node in flat_statements(method.node.body) if not isinstance(method.node, ast.Lambda) else ():
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=called))) if called == name:
                last = "filled"
            case _ if any(is_none(value) for value in values_given(node, attr)):
                last = "missing"
    return last == "filled"


def _is_named(module: ModuleIndex | None, node: FunctionNode, attr: str) -> bool:
    """Whether the text of a function has the name at all: most have not, and need not be walked."""
    return module is not None and says(node, module.lines, attr)


def values_given(node: ast.AST, attr: str) -> Iterator[ast.expr | None]:
    """What a method gives to an attribute of this name, as expressions; None where it is part of more."""
    for part in walk(node):
        match part:
            case ast.Assign():
                for target, value in pairs_of(part):
                    if isinstance(target, ast.Attribute) and target.attr == attr:
                        yield value
                    elif isinstance(target, ast.Tuple) and any(
                        isinstance(inner, ast.Attribute) and inner.attr == attr for inner in target.elts
                    ):
                        yield None
            case ast.AnnAssign(target=ast.Attribute(attr=name), value=value) if name == attr and value is not None:
                yield value
            case ast.Call(func=ast.Attribute(attr="register_buffer"), args=[ast.Constant(value=name), value, *_]) if (
                name == attr
            ):
                yield value
