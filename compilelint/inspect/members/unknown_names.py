"""Attributes of which not even a part of the name is known: `getattr(self, name)`, where a loop or an option gives it.

What is meant then is one of the layers that are registered under names that are made up, as in
`self.add_module(name, layer)`; without such, a layer or a method that a text in the class names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.inspect import kinds, signatures
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import UNKNOWN, Instance, Kind
from compilelint.inspect.members import attributes, classes
from compilelint.inspect.members.computed_names import ANY, is_computed
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_NAMED_OTHERWISE = frozenset({"forward", "train", "eval", "extra_repr"})
"""Methods of every module: texts that are spelled like one mean something else, mostly."""


def attribute(inspector: Inspector, base: Instance) -> Kind:
    """What `getattr(base, name)` gives of a module, as far as one can know without the name."""
    return inspector.derived(("attribute of any name", base), lambda: _attribute(inspector, base))


def attribute_by_table(frame: Frame, base: Instance, written: ast.Subscript) -> Kind:
    """What `getattr(base, NAMES[key])` gives of a module: what the table names.

    Where that is not known, it is what `attribute` says, but of a table that stands elsewhere the texts in the class
    tell nothing.
    """
    table = frame.inspector.peek(frame, written.value)
    if not isinstance(table, kinds.Dictionary):
        return attribute(frame.inspector, base)
    held = [option for kind in (table.value, *(kind for _, kind in table.entries)) for option in kinds.options(kind)]
    named = [kind.value for kind in held if isinstance(kind, kinds.Const) and isinstance(kind.value, str)]
    if not named and not isinstance(written.value, ast.Name):
        return attribute(frame.inspector, base)
    chosen = dict.fromkeys(kind for name in dict.fromkeys(named) for kind in _called_by(frame.inspector, base, name))
    return kinds.join(*chosen) if 0 < len(chosen) <= attributes.MOST_CHOICES else UNKNOWN


def set_on_self(frame: Frame, name: str, value: Kind) -> None:
    """Note what is set on `self` under a name of which only a part may be known; of a layer's nothing need be ("")."""
    if not name and is_module(value):
        name = ANY
    path = f"self.{name}"
    if is_computed(name):
        value = kinds.join(value, frame.env.get(path, value))
    if name:
        frame.env[path] = value


def is_module(kind: Kind) -> bool:
    """Whether it is a `torch.nn.Module`, of the project or of torch."""
    match kind:
        case Instance():
            return kind.module
        case kinds.External(cls=cls):
            return signatures.is_module_class(cls) or cls.startswith("torch.jit.")
        case _:
            return False


def _attribute(inspector: Inspector, base: Instance) -> Kind:
    assigned = inspector.assigned(base)
    found = [option for name, kind in assigned.items() if is_computed(name) for option in _layers(kind)]
    if not found:
        for name in dict.fromkeys(_texts(inspector, base)):
            if not name.startswith("_") and name not in _NAMED_OTHERWISE:
                found += _called_by(inspector, base, name)
    chosen = tuple(dict.fromkeys(found))
    return kinds.join(*chosen) if 0 < len(chosen) <= attributes.MOST_CHOICES else UNKNOWN


def _layers(kind: Kind) -> Iterator[Kind]:
    return (option for option in kinds.options(kind) if is_module(option))


def _called_by(inspector: Inspector, base: Instance, name: str) -> Iterator[Kind]:
    """What is called where somebody calls the attribute of this name: a method, or a layer."""
    kind = attributes.find_attribute(inspector, base, name)
    if isinstance(kind, kinds.Function) and not attributes.is_property(inspector, base, name):
        yield kind
    else:
        yield from _layers(kind)


def _texts(inspector: Inspector, base: Instance) -> Iterator[str]:
    """The texts in the bodies of a class and its bases that may be names."""
    for info in classes.infos(inspector, base.cls):
        values = [each.value for each in info.attributes.values() if each.value is not None]
        functions = (inspector.tree.function(key) for key in info.methods.values())
        for node in (*values, *(function.node for function in functions if function is not None)):
            for part in walk(node):
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.isidentifier():
                    yield part.value
