"""Flags that a method sets before it compiles a part of its object: `self.checks = False`, `self.f = torch.compile(…)`.

What is compiled has them set so: the other way is the one of who does not compile. That is so only if nothing else but
`__init__` sets the flag.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.kinds import Instance
from compilelint.inspect.lasting.once import flags_asked, given_state
from compilelint.inspect.members import classes
from compilelint.source.index import flat_statements
from compilelint.source.model import FunctionInfo
from compilelint.source.nodes import walk
from compilelint.source.watched import stores

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame
    from compilelint.inspect.inspector import Inspector

_COMPILE = kinds.Reference("torch.compile")


def outcome_for_compiling(frame: Frame, test: ast.expr) -> bool | None:
    """What a condition comes to in what is compiled; None where no method sets for that what it asks for."""
    asked = list(flags_asked(test))
    for flag, state in asked:
        owner = frame.inspector.peek(frame, flag.value)
        kept = _set_before_compiling(frame.inspector, owner) if isinstance(owner, Instance) else {}
        if flag.attr in kept and kept[flag.attr] is not state:
            return False
    match asked:
        case [(flag, _)] if not isinstance(test, ast.BoolOp):
            owner = frame.inspector.peek(frame, flag.value)
            is_set = isinstance(owner, Instance) and flag.attr in _set_before_compiling(frame.inspector, owner)
            return True if is_set else None
        case _:
            return None


def _set_before_compiling(inspector: Inspector, owner: Instance) -> Mapping[str, bool]:
    return inspector.derived(("set before compiling", owner.cls.key), lambda: dict(_flags(inspector, owner)))


def _flags(inspector: Inspector, owner: Instance) -> Iterator[tuple[str, bool]]:
    """The flags that one method of a class sets before it compiles something of `self`, and no other but `__init__`."""
    methods = [each for each in classes.methods(inspector, owner.cls) if not each.qualname.endswith(".__init__")]
    for method in (each for each in methods if _is_of_file_that_compiles(inspector, each)):
        for name, state in _set_first(inspector, method):
            if not any(name in _written(other) for other in methods if other.key != method.key):
                yield name, state


def _is_of_file_that_compiles(inspector: Inspector, method: FunctionInfo) -> bool:
    return inspector.derived(("says compile", method.key[0]), lambda: _says_compile(inspector, method.key[0]))


def _says_compile(inspector: Inspector, file: str) -> bool:
    text = inspector.tree.text(file)
    return text is not None and "compile(" in text.text


def _set_first(inspector: Inspector, method: FunctionInfo) -> Iterator[tuple[str, bool]]:
    if isinstance(method.node, ast.Lambda) or not stores(method.node):
        return
    found: dict[str, bool] = {}
    own = first_parameter(method.node)
    for statement in method.node.body:
        if found and _compiles(inspector, method, statement, own):
            yield from found.items()
            return
        match statement:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name), attr=attr)], value=value) if name == own:
                state = given_state(value)
                if state is not None:
                    found[attr] = state


def _compiles(inspector: Inspector, method: FunctionInfo, statement: ast.stmt, own: str | None) -> bool:
    """Whether a statement compiles what belongs to `self`."""
    module = inspector.tree.module(method.key[0])
    if module is None:
        return False
    frame = inspector.module_frame(module)
    return any(
        isinstance(part, ast.Call)
        and part.args
        and _belongs_to(part.args[0], own)
        and inspector.peek(frame, part.func) == _COMPILE
        for part in walk(statement)
    )


def _belongs_to(node: ast.expr, own: str | None) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id == own


def _written(method: FunctionInfo) -> set[str]:
    if isinstance(method.node, ast.Lambda) or not stores(method.node):
        return set()
    return {
        part.attr
        for statement in flat_statements(method.node.body)
        if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign)
        for part in walk(statement)
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)
    }
