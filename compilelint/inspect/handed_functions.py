"""Functions that a program hands to another file, or to a function that keeps them: `lib.callback = save`,
`register(save)`. What calls the global, or what a table of it holds, calls them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.changed_globals import setters
from compilelint.inspect.importing_files import few_importers
from compilelint.inspect.kinds import Kind
from compilelint.source.index import flat_statements
from compilelint.source.model import FunctionInfo, ModuleIndex
from compilelint.source.nodes import positional_names, walk
from compilelint.source.watched import says

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_DEFINES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_Body = tuple[ModuleIndex, list[ast.stmt]]


def put_in_place(inspector: Inspector, module: ModuleIndex, name: str) -> list[Kind]:
    """The functions and objects that a global may be instead of what its file makes it."""
    found: list[Kind] = []
    for info in setters(inspector, module).get(name, ()):
        for value in _assigned(info.node.body, name) if not isinstance(info.node, ast.Lambda) else ():
            found += _at_home(inspector, module, info, value)
    for there, body in bodies_that_say(inspector, module, name):
        found += (
            inspector.evaluate_globally(there, value)
            for value in _set_from_outside(inspector, module, there, body, name)
            if _is_global(there, value)
        )
    return [kind for kind in dict.fromkeys(found) if isinstance(kind, kinds.Function | kinds.Instance)]


def handed_to(inspector: Inspector, module: ModuleIndex, registrar: FunctionInfo, parameter: str) -> Iterator[Kind]:
    """What calls of a function of a file give one of its parameters, in the file and in the few that import it: only
    what is a global there."""
    names = positional_names(registrar.node.args)
    place = names.index(parameter) if parameter in names else len(names)
    for there, body in bodies_that_say(inspector, module, registrar.qualname):
        for call in (part for statement in body for part in walk(statement) if isinstance(part, ast.Call)):
            match call.func:
                case ast.Name(id=called) | ast.Attribute(attr=called, value=ast.Name()) if called == registrar.qualname:
                    by_name = (each.value for each in call.keywords if each.arg == parameter)
                    given = call.args[place] if place < len(call.args) else next(by_name, None)
                    if given is not None and _is_global(there, given):
                        yield inspector.evaluate_globally(there, given)


def bodies_that_say(inspector: Inspector, module: ModuleIndex, name: str) -> Iterator[_Body]:
    """The functions that name a global, of its file and of those that import it, if they are few; and what these files
    do themselves."""
    for file in (module.name, *(few_importers(inspector.tree, module.name) or ())):
        text = inspector.tree.text(file)
        there = inspector.tree.module(file) if text is not None and name in text.text else None
        if there is not None:
            yield there, [each for each in there.tree.body if not isinstance(each, _DEFINES)]
            for info in list(there.functions.values()):
                if not isinstance(info.node, ast.Lambda) and says(info.node, there.lines, name):
                    yield there, info.node.body


def _assigned(body: list[ast.stmt], name: str) -> Iterator[ast.expr]:
    """What statements give a name, but for what they fall back to where a library is missing."""
    statements = list(flat_statements(body))
    handlers = (handler for each in statements if isinstance(each, ast.Try) for handler in each.handlers)
    last_resort = {id(each) for handler in handlers for each in flat_statements(handler.body)}
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                if id(statement) not in last_resort:
                    yield value


def _at_home(inspector: Inspector, module: ModuleIndex, info: FunctionInfo, value: ast.expr) -> Iterator[Kind]:
    """What a function of the file gives its global: one of its parameters, or another global."""
    if isinstance(value, ast.Name) and value.id in positional_names(info.node.args):
        yield from handed_to(inspector, module, info, value.id)
    elif _is_global(module, value):
        yield inspector.evaluate_globally(module, value)


def _set_from_outside(
    inspector: Inspector, module: ModuleIndex, there: ModuleIndex, body: list[ast.stmt], name: str
) -> Iterator[ast.expr]:
    """`lib.callback = save`, `setattr(lib, "callback", save)`."""
    for statement in flat_statements(body):
        match statement:
            case (
                ast.Assign(targets=[ast.Attribute(value=owner, attr=attr)], value=value)
                | ast.Expr(
                    value=ast.Call(func=ast.Name(id="setattr"), args=[owner, ast.Constant(value=str(attr)), value])
                )
            ) if attr == name and isinstance(owner, ast.Name | ast.Attribute):
                if inspector.evaluate_globally(there, owner) == kinds.ProjectModule(module.name):
                    yield value


def _is_global(module: ModuleIndex, value: ast.expr) -> bool:
    """Whether this is a name that the file binds, and no function of it makes."""
    return isinstance(value, ast.Name) and value.id in module.bindings
