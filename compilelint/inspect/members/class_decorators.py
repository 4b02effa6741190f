"""Class decorators of the project that put other methods in the place of a class's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compilelint.inspect.calling import calls
from compilelint.inspect.kinds import Function, Instance, Kind, ProjectClass
from compilelint.inspect.members import classes
from compilelint.inspect.syntax import expressions

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector


def replaced_method(inspector: Inspector, receiver: Instance, name: str) -> Function | None:
    """The function that a decorator of the class, or of a base, has put in the place of the method that `name` means.

    `cls.forward = forward` in a decorator: what the class itself says there is then only what `forward` may call.
    """
    if not classes.lineage(inspector, receiver.cls).is_decorated:
        return None
    found = inspector.derived(("replaced", receiver.cls.key), lambda: _replaced(inspector, receiver.cls)).get(name)
    return Function(found.key, found.name, receiver, found.closure, found.wrapper) if found is not None else None


def _replaced(inspector: Inspector, cls: ProjectClass) -> dict[str, Function]:
    """By name, what decorators have put in the place of methods: what a class defines itself hides those of a base."""
    found: dict[str, Function] = {}
    for each in reversed(classes.lineage(inspector, cls).own):
        found = {name: function for name, function in found.items() if name not in each.methods}
        written = _written(inspector, ProjectClass(each.key, each.name)) if each.is_decorated else {}
        found |= {name: kind for name, kind in written.items() if isinstance(kind, Function)}
    return found


def _written(inspector: Inspector, cls: ProjectClass) -> dict[str, Kind]:
    """What the decorators of a class write to it."""
    written: dict[str, Kind] = {}
    return inspector.known(("class writes", cls.key), written, lambda: _writes(inspector, cls, written))


def _writes(inspector: Inspector, cls: ProjectClass, written: dict[str, Kind]) -> dict[str, Kind]:
    info, module = inspector.tree.class_(cls.key), inspector.tree.module(cls.key[0])
    assert info is not None
    assert module is not None
    before = inspector.class_writes.get(cls.key)
    inspector.class_writes[cls.key] = written
    with inspector.seeking_effects():
        frame = inspector.module_frame(module)
        for node in reversed(info.node.decorator_list):
            decorator = expressions.evaluate(frame, node)
            if isinstance(decorator, Function):
                calls.call_kind(frame, decorator, calls.Call(node, (cls,)))
    if before is None:
        del inspector.class_writes[cls.key]
    else:
        inspector.class_writes[cls.key] = before
    return written


def note_write(inspector: Inspector, cls: ProjectClass, name: str, kind: Kind) -> None:
    """Remember that `cls.name = …` was walked, if it is a decorator of that class that is being walked."""
    if inspector.seeks_effects and cls.key in inspector.class_writes:
        inspector.class_writes[cls.key].setdefault(name, kind)
