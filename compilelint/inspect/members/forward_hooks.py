"""Hooks that a module registers as it is made: Dynamo traces them with its `forward`.

`self.layer.register_forward_hook(self.save)` in `__init__`, or in a method that `__init__` calls. Whose hook it is
does not matter here: parts of a module run when the module does. Measured on torch 2.13, for hooks of the module
itself as well: `torch.compile(model)` breaks at a `print` in one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.calling import calls, compilations
from compilelint.inspect.frame import Frame, nowhere
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.members import classes, handed_to_models
from compilelint.inspect.members.own_calls import called_on_self
from compilelint.inspect.syntax import expressions
from compilelint.report.confidence import Confidence
from compilelint.source.model import FunctionInfo
from compilelint.source.nodes import walk
from compilelint.source.watched import says

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_WORD = "register_forward"
_BEFORE, _AFTER = "_forward_pre_hooks", "_forward_hooks"
_REGISTERING = {"register_forward_hook": _AFTER, "register_forward_pre_hook": _BEFORE}
_PASSED = kinds.Tensor(confidence=Confidence.MEDIUM)
_INPUTS = kinds.Sequence("tuple", _PASSED)
_GIVEN: dict[str, tuple[Kind, ...]] = {_BEFORE: (UNKNOWN, _INPUTS), _AFTER: (UNKNOWN, _INPUTS, _PASSED)}
"""What hooks are called with: the module, what it is given, what it gave."""


def registered(frame: Frame) -> dict[str, Kind]:
    """The hooks that an `__init__` registers, by the names of the attributes in which `nn.Module` keeps them; `frame`
    is that of the `__init__`, at its end."""
    found: dict[str, Kind] = {}
    init, inspector = frame.function, frame.inspector
    if init is None:
        return found
    for key in inspector.derived(
        ("registers hooks", init.key), lambda: tuple(dict.fromkeys(_registering(frame, init)))
    ):
        function = inspector.tree.function(key)
        inside = frame if key == init.key or function is None else _frame_of(frame, function)
        for attribute, value in _registrations(function) if function is not None else ():
            hook = expressions.evaluate(inside, value)
            if isinstance(hook, kinds.Function) and not _removes_itself(inspector, hook):
                found[attribute] = kinds.join(hook, found.get(attribute, hook))
    return found


def note(frame: Frame, node: ast.Call, args: Sequence[Kind]) -> None:
    """Remember a hook that a script registers on a model, for who looks for what is compiled."""
    if not isinstance(node.func, ast.Attribute) or len(args) != 1:
        return
    if any(keyword.arg == "with_kwargs" for keyword in node.keywords):
        return  # then it is called with one thing more
    given = _GIVEN.get(_REGISTERING.get(node.func.attr, ""))
    if given is None:
        return
    for hook in handed_to_models.called(frame.inspector, args[0]):
        if not _removes_itself(frame.inspector, hook):
            compilations.record_hook(frame, node, hook, given)


def run(frame: Frame) -> None:
    """Walk the hooks that run around a `forward` that was walked."""
    receiver = frame.receiver_instance
    if frame.function is None or receiver is None or not receiver.module or frame.inspector.silent:
        return
    if classes.find_method(frame.inspector, receiver.cls, "forward") != frame.function.key:
        return
    assigned = frame.inspector.assigned(receiver)
    for attribute, given in _GIVEN.items():
        for hook in kinds.options(assigned.get(attribute, UNKNOWN)):
            _call(frame, hook, given)


def _call(frame: Frame, hook: Kind, args: tuple[Kind, ...]) -> None:
    if isinstance(hook, kinds.Function):
        calls.call_kind(frame, hook, calls.Call(nowhere(), args))


def _removes_itself(inspector: Inspector, hook: kinds.Function) -> bool:
    """Whether a hook fills in a layer at its first call, and is gone after it: that call is seldom a compiled one."""
    info, module = inspector.tree.function(hook.key), inspector.tree.module(hook.key[0])
    if info is None or module is None or not says(info.node, module.lines, "remove"):
        return False
    return any(isinstance(node, ast.Attribute) and node.attr == "remove" for node in walk(info.node))


def _registering(frame: Frame, init: FunctionInfo) -> Iterator[kinds.FunctionKey]:
    """Those of an `__init__` and the methods that it calls that may register hooks."""
    for function in (init, *_called_methods(frame, init)):
        if says(function.node, frame.module.lines, _WORD):
            yield function.key


def _registrations(function: FunctionInfo) -> Iterator[tuple[str, ast.expr]]:
    """The hooks that a method registers, each with the attribute in which `nn.Module` keeps it."""
    for node in walk(function.node):
        match node:
            case ast.Call(func=ast.Attribute(attr=name), args=[hook, *_]) if name in _REGISTERING:
                yield _REGISTERING[name], hook


def _called_methods(frame: Frame, init: FunctionInfo) -> Iterator[FunctionInfo]:
    """The methods of its class that an `__init__` calls on `self`."""
    owner = frame.inspector.tree.class_(init.owner) if init.owner is not None else None
    methods = owner.methods if owner is not None else {}
    for name in called_on_self(frame.inspector, init):
        method = frame.inspector.tree.function(methods[name]) if name in methods else None
        if method is not None:
            yield method


def _frame_of(frame: Frame, method: FunctionInfo) -> Frame:
    """A frame in which what a method names is looked up, though not what it was given."""
    first = first_parameter(method.node)
    env = {first: frame.receiver} if first is not None and frame.receiver is not None else {}
    return Frame(frame.inspector, frame.module, method, frame.route, env, receiver=frame.receiver, owner=method.owner)
