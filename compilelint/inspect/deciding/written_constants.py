"""Attributes by which `__init__` keeps what torch has, and nobody sets anew: `self.flash = hasattr(F, "…")`.

What is written out, `self.gradient_checkpointing = False`, is there to be set by who uses the model.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.deciding.written_once import is_set_elsewhere
from compilelint.inspect.kinds import ProjectClass
from compilelint.inspect.members import classes
from compilelint.inspect.members.never_set import sets_any
from compilelint.inspect.members.settled import files_of
from compilelint.source.index import flat_statements
from compilelint.source.model import FunctionInfo
from compilelint.source.nodes import pairs_of, walk
from compilelint.source.watched import says, stores

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

Value = bool | int | float | str | bytes | None


def constants_of(inspector: Inspector, cls: ProjectClass) -> Mapping[str, Value]:
    """The attributes that objects of a class have for good, as far as its project tells."""
    return inspector.derived(("written constants", cls.key), lambda: _find(inspector, cls))


def _find(inspector: Inspector, cls: ProjectClass) -> Mapping[str, Value]:
    module = inspector.tree.module(cls.key[0])
    if module is None or any(sets_any(inspector, file) for file in files_of(inspector, cls, module)):
        return {}
    if not any(_asks(inspector, method) for method in classes.methods(inspector, cls)):
        return {}
    given: dict[str, list[tuple[Value, ...]]] = defaultdict(list)
    for method in classes.methods(inspector, cls):
        for name, value in _gives(inspector, method):
            given[name].append(value)
    known = {name: value for name, [values, *others] in given.items() if not others for value in values}
    return {name: value for name, value in known.items() if not is_set_elsewhere(inspector, cls, module, name)}


def _asks(inspector: Inspector, method: FunctionInfo) -> bool:
    """Whether it is an `__init__` that asks whether something has an attribute: most do not."""
    module = inspector.tree.module(method.key[0]) if method.qualname.endswith(".__init__") else None
    return module is not None and says(method.node, module.lines, "hasattr(")


def _gives(inspector: Inspector, method: FunctionInfo) -> tuple[tuple[str, tuple[Value, ...]], ...]:
    """Each attribute of `self` that a method gives a value, with the constant that an `__init__` always gives it."""
    if isinstance(method.node, ast.Lambda) or not stores(method.node):
        return ()
    return inspector.derived(("gives attributes", method.key), lambda: tuple(_find_given(inspector, method)))


def _find_given(inspector: Inspector, method: FunctionInfo) -> Iterator[tuple[str, tuple[Value, ...]]]:
    node = method.node
    if isinstance(node, ast.Lambda):
        return
    own = first_parameter(node)
    always = set(map(id, node.body)) if method.qualname.endswith(".__init__") else set()
    for statement in flat_statements(node.body):
        added = [(statement.target, None)] if isinstance(statement, ast.AugAssign) else []
        for target, value in (*pairs_of(statement), *added):
            for part in walk(target):
                if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == own:
                    is_written = part is target and id(statement) in always
                    yield part.attr, tuple(_constant(inspector, method, value)) if is_written else ()


def _constant(inspector: Inspector, init: FunctionInfo, value: ast.expr | None) -> Iterator[Value]:
    match value:
        case ast.Call(func=ast.Name(id="hasattr"), args=[_, _], keywords=[]):
            module = inspector.tree.module(init.key[0])
            answer = None if module is None else inspector.peek(inspector.module_frame(module), value)
            if isinstance(answer, kinds.Const):
                yield answer.value
