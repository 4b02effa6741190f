"""Tables in the body of a class that holds each class below it: `registry = {}`, and `__init_subclass__`, which Python
calls for each of them, says `Metric.registry[cls.__name__] = cls`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.kinds import Kind, ProjectClass
from compilelint.inspect.members import classes
from compilelint.source.index import flat_statements

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_CALLED_FOR_EACH = "__init_subclass__"


def filled(inspector: Inspector, cls: ProjectClass, name: str, table: Kind) -> Kind:
    """What such a table holds; any other one is as it is written."""
    if not isinstance(table, kinds.Dictionary) or table.entries or table.value != kinds.UNKNOWN:
        return table
    owner = _registering(inspector, cls, name)
    if owner is None:
        return table
    below = inspector.derived(("classes below", owner.key), lambda: tuple(_below(inspector, owner)))
    return replace(table, value=kinds.join(*below)) if below else table


def _registering(inspector: Inspector, cls: ProjectClass, name: str) -> ProjectClass | None:
    """The class whose `__init_subclass__` puts classes into the table of this name."""
    key = classes.find_method(inspector, cls, _CALLED_FOR_EACH)
    method = inspector.tree.function(key) if key is not None else None
    if method is None or method.owner is None or isinstance(method.node, ast.Lambda):
        return None
    given = first_parameter(method.node)
    puts = any(_puts(statement, name, given) for statement in flat_statements(method.node.body))
    info = inspector.tree.class_(method.owner) if puts else None
    return ProjectClass(info.key, info.name) if info is not None else None


def _puts(statement: ast.stmt, name: str, given: str | None) -> bool:
    match statement:
        case ast.Assign(
            targets=[ast.Subscript(value=ast.Attribute(value=ast.Name(), attr=table))], value=ast.Name(id=value)
        ):
            return table == name and value == given
        case _:
            return False


def _below(inspector: Inspector, cls: ProjectClass) -> Iterator[ProjectClass]:
    """The classes below one, of its file and of those that import it."""
    tree = inspector.tree
    for file in (cls.key[0], *sorted(tree.importers(cls.key[0]))):
        text = tree.text(file)
        there = tree.module(file) if text is not None and cls.name in text.text else None
        for info in there.classes.values() if there is not None else ():
            found = ProjectClass(info.key, info.name)
            if info.key != cls.key and any(each.key == cls.key for each in classes.lineage(inspector, found).own):
                yield found
