"""What the methods of a class do to its attributes that compiles them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import classes
from compilelint.regions.starts.prose import may_compile
from compilelint.source.model import Key, ModuleIndex
from compilelint.source.nodes import positional_names, walk
from compilelint.source.watched import says

_ByAttribute: TypeAlias = dict[str, list[tuple[str, ast.Call]]]


def compiles_attributes(inspector: Inspector, cls: kinds.ProjectClass) -> bool:
    """Whether methods of a class, or of a base, say of an attribute that they compile it, or what they set it to."""
    return inspector.derived(
        ("compiles attributes", cls.key), lambda: any(_says_so(inspector, each) for each in classes.mro(inspector, cls))
    )


def _says_so(inspector: Inspector, cls: Kind) -> bool:
    module = inspector.tree.module(cls.key[0]) if isinstance(cls, kinds.ProjectClass) else None
    info = module.classes.get(cls.key) if isinstance(cls, kinds.ProjectClass) and module is not None else None
    if module is None or info is None or not compiles_something(inspector, module):
        return False
    return any(says(module.functions[key].node, module.lines, "compile") for key in info.methods.values())


def compiles_something(inspector: Inspector, module: ModuleIndex) -> bool:
    return inspector.derived(("may compile", module.name), lambda: may_compile(module, inspector.tree.text_of(module)))


def calls_by_attribute(inspector: Inspector, module: ModuleIndex) -> dict[Key, _ByAttribute]:
    """For each class of a file the calls whose results its methods assign to attributes of `self`, by attribute; each
    with the name that the method has for `self`."""
    return inspector.derived(("calls by attribute", module.name), lambda: _found_by_attribute(module))


def _found_by_attribute(module: ModuleIndex) -> dict[Key, _ByAttribute]:
    found: dict[Key, _ByAttribute] = {}
    for info in module.classes.values():
        by_attribute = found.setdefault(info.key, {})
        for function in (module.functions[key] for key in info.methods.values()):
            if not function.node.args.args:
                continue
            self_name = function.node.args.args[0].arg
            for node in walk(function.node):
                match node:
                    case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=receiver), attr=name)], value=value) if (
                        receiver == self_name
                    ):
                        by_attribute.setdefault(name, []).extend((self_name, call) for call in calls_among(value))
    return found


def compiled_in_place_by(inspector: Inspector, module: ModuleIndex) -> dict[Key, frozenset[str]]:
    """For each class of a file the attributes of `self` that its methods compile: `self.net.compile()`."""
    return inspector.derived(("compiled in place by", module.name), lambda: _found_in_place(module))


def _found_in_place(module: ModuleIndex) -> dict[Key, frozenset[str]]:
    return {
        info.key: frozenset(
            node.value.func.value.attr
            for function in (module.functions[key] for key in info.methods.values())
            for node in walk(function.node)
            if isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Call)
            and isinstance(node.value.func, ast.Attribute)
            and node.value.func.attr == "compile"
            and isinstance(node.value.func.value, ast.Attribute)
            and isinstance(node.value.func.value.value, ast.Name)
            and node.value.func.value.value.id in positional_names(function.node.args)[:1]
        )
        for info in module.classes.values()
    }


def calls_among(value: ast.expr | None) -> Iterator[ast.Call]:
    """The calls one of which a value is: `torch.compile(f) if options.compile else f`."""
    match value:
        case ast.Call():
            yield value
        case ast.IfExp(body=body, orelse=orelse):
            yield from (*calls_among(body), *calls_among(orelse))
