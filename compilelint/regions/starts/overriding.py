"""Classes that inherit their `forward` and fill in what it calls: a template method, and its steps, or a layer that the
inherited `__init__` leaves to the class."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import UNKNOWN, ProjectClass
from compilelint.inspect.members import classes
from compilelint.inspect.members.computed_names import attribute_name, may_be
from compilelint.source.model import ClassInfo, Key
from compilelint.source.nodes import walk


def overrides_what_is_called(inspector: Inspector, info: ClassInfo, method: Key) -> bool:
    """Whether a method that a class inherits calls, itself or through others that it inherits, one of its own."""
    own = info.methods.keys() - {"__init__"}
    cls = ProjectClass(info.key, info.name)
    pending, seen = [method], {method}
    while own and pending:
        called = _called(inspector, pending.pop())
        attributes = (name for name in called if classes.find_method(inspector, cls, name) is None)
        chosen = {each for name in attributes for each in chosen_methods(inspector, cls, name)}
        if chosen & own or any(may_be(name, each) for name in called for each in own):
            return True
        inherited = (classes.find_method(inspector, cls, name) for name in sorted(called | chosen))
        new = [key for key in inherited if key is not None and key not in seen]
        seen.update(new)
        pending += new
    return False


def says_what_is_made(inspector: Inspector, info: ClassInfo) -> bool:
    """Whether a class says what layer the `__init__` that it inherits makes: it names the class of that
    (`_cell = nn.LSTM`), or has the method that is asked for it (`self.rnn = self.make_rnn(n)`)."""
    named = {name for name, given in info.attributes.items() if isinstance(given.value, ast.Name | ast.Attribute)}
    own = info.methods.keys() - {"__init__"}
    init = classes.find_method(inspector, ProjectClass(info.key, info.name), "__init__") if named or own else None
    if init is None or init == info.methods.get("__init__"):
        return False
    return not named.isdisjoint(_called(inspector, init)) or not own.isdisjoint(_asked_for(inspector, init))


def _asked_for(inspector: Inspector, init: Key) -> Iterator[str]:
    """The names of the methods that give `__init__` what it keeps: `make_rnn` in `self.rnn = self.make_rnn(n)`."""
    function = inspector.tree.function(init)
    receiver = first_parameter(function.node) if function is not None else None
    if function is None or receiver is None:
        return
    for node in walk(function.node):
        match node:
            case ast.Assign(targets=[target], value=ast.Call(func=func)) if [*_of(receiver, target)]:
                yield from _of(receiver, func)


def _called(inspector: Inspector, method: Key) -> frozenset[str]:
    """The names of the methods that a method calls on its own object, hands on, or takes by a name that it makes up, as
    far as spelling tells."""
    function = inspector.tree.function(method)
    receiver = first_parameter(function.node) if function is not None else None
    if function is None or receiver is None:
        return frozenset()
    calls = [node for node in walk(function.node) if isinstance(node, ast.Call)]
    return frozenset(
        name for call in calls for name in (*_of(receiver, call.func, *call.args), *_made_up(receiver, call)) if name
    )


def _made_up(receiver: str, call: ast.Call) -> Iterator[str]:
    """The name, with stars, of `getattr(self, f"{way}_step")`."""
    match call:
        case ast.Call(func=ast.Name(id="getattr"), args=[ast.Name(id=owner), name, *_]) if owner == receiver:
            yield attribute_name(UNKNOWN, name)


def chosen_methods(inspector: Inspector, cls: ProjectClass, attribute: str) -> frozenset[str]:
    """The methods of which `__init__` makes one an attribute: `self.step = self.fast if fast else self.slow`."""
    found: set[str] = set()
    for base in classes.mro(inspector, cls):
        info = inspector.tree.class_(base.key) if isinstance(base, ProjectClass) else None
        init = inspector.tree.function(info.methods["__init__"]) if info and "__init__" in info.methods else None
        receiver = first_parameter(init.node) if init is not None else None
        if init is None or receiver is None:
            continue
        for node in walk(init.node):
            if isinstance(node, ast.Assign) and any(attribute in _of(receiver, target) for target in node.targets):
                options = (node.value.body, node.value.orelse) if isinstance(node.value, ast.IfExp) else (node.value,)
                found.update(name for option in options for name in _of(receiver, option))
    return frozenset(found)


def _of(receiver: str, *nodes: ast.expr) -> Iterator[str]:
    """The names that are read of an object by its parameter's name: `step` in `self.step`."""
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == receiver:
            yield node.attr
