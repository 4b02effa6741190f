"""What the methods of a class do to its attributes that compiles them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.members import classes
from compilelint.source.model import ClassInfo, FunctionNode
from compilelint.source.nodes import positional_names, walk
from compilelint.source.watched import says

_ByAttribute: TypeAlias = dict[str, list[tuple[str, ast.Call]]]


def compiles_attributes(inspector: Inspector, cls: kinds.ProjectClass) -> bool:
    """Whether methods of a class, or of a base, say that they compile something."""
    return inspector.derived(
        ("compiles attributes", cls.key), lambda: any(says_compile(inspector, each) for each in _own(inspector, cls))
    )


def _own(inspector: Inspector, cls: kinds.ProjectClass) -> Iterator[ClassInfo]:
    for each in classes.mro(inspector, cls):
        info = inspector.tree.class_(each.key) if isinstance(each, kinds.ProjectClass) else None
        if info is not None:
            yield info


def says_compile(inspector: Inspector, info: ClassInfo) -> bool:
    """The same of one class. Only its methods are looked into: who asks of a class of another file rests on no more."""
    module = inspector.tree.module(info.key[0])
    return module is not None and any(
        says(module.functions[key].node, module.lines, "compile") for key in info.methods.values()
    )


def calls_by_attribute(inspector: Inspector, info: ClassInfo) -> _ByAttribute:
    """The calls whose results methods of a class assign to attributes of `self`, by attribute; each with the name that
    the method has for `self`."""
    return inspector.derived(("calls by attribute", info.key), lambda: _found_by_attribute(inspector, info))


def _found_by_attribute(inspector: Inspector, info: ClassInfo) -> _ByAttribute:
    by_attribute: _ByAttribute = {}
    for function in _methods(inspector, info):
        self_name = next(iter(positional_names(function.args)), "")
        for node in walk(function):
            match node:
                case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=receiver), attr=name)], value=value) if (
                    receiver == self_name
                ):
                    by_attribute.setdefault(name, []).extend((self_name, call) for call in calls_among(value))
    return by_attribute


def compiled_in_place_by(inspector: Inspector, info: ClassInfo) -> frozenset[str]:
    """The attributes of `self` that methods of a class compile: `self.net.compile()`."""
    return inspector.derived(("compiled in place by", info.key), lambda: frozenset(_found_in_place(inspector, info)))


def _found_in_place(inspector: Inspector, info: ClassInfo) -> Iterator[str]:
    for function in _methods(inspector, info):
        for node in walk(function):
            match node:
                case ast.Expr(
                    value=ast.Call(
                        func=ast.Attribute(value=ast.Attribute(value=ast.Name(id=owner), attr=attr), attr="compile")
                    )
                ) if owner in positional_names(function.args)[:1]:
                    yield attr


def _methods(inspector: Inspector, info: ClassInfo) -> Iterator[FunctionNode]:
    module = inspector.tree.module(info.key[0])
    yield from (module.functions[key].node for key in info.methods.values()) if module is not None else ()


def calls_among(value: ast.expr | None) -> Iterator[ast.Call]:
    """The calls one of which a value is: `torch.compile(f) if options.compile else f`."""
    match value:
        case ast.Call():
            yield value
        case ast.IfExp(body=body, orelse=orelse):
            yield from (*calls_among(body), *calls_among(orelse))
