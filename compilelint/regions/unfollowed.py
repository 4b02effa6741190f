"""Packages into which compiled code calls, and of whose code nothing is known unless it is followed."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator

from compilelint.inspect.inspector import Inspector
from compilelint.inspect.members.attributes import COMPILE_BLOCKS
from compilelint.source.model import FunctionInfo, Import, Key, ModuleIndex
from compilelint.source.nodes import walk

_KNOWN = frozenset({"torch", "numpy", "einops", "lightning", "pytorch_lightning", "scipy", *sys.stdlib_module_names})
"""What is known of these, or what they are, makes it idle to look into them."""
_COMPILE = (".compile(", f"{COMPILE_BLOCKS}(")


def packages_called(inspector: Inspector, functions: Iterable[Key]) -> frozenset[str]:
    """The packages that these functions call, or whose names the `__init__` of their classes has."""
    return frozenset(package for key in functions for package in _called_in(inspector, key))


def packages_compiled(inspector: Inspector, module: ModuleIndex) -> frozenset[str]:
    """The packages whose models a file compiles as they are: `torch.compile(Vocos(…))`, or what it made so before.

    Of `compile` as a method only what is given no argument by position counts: `re.compile("…")` is none.
    """
    names = _names_of(inspector, module)
    if not names or not any(each in inspector.tree.text_of(module) for each in _COMPILE):
        return frozenset()
    parts = list(walk(module.tree))
    compiled = [each for part in parts if isinstance(part, ast.Call) for each in _compiled_by(part)]
    meant = {part.id for subject in compiled for part in walk(subject) if isinstance(part, ast.Name)}
    made = [
        part.value
        for part in parts
        if isinstance(part, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id in meant for target in part.targets)
    ]
    return frozenset(package for each in (*compiled, *made) for package in _of_calls(each, names))


def _compiled_by(call: ast.Call) -> Iterator[ast.expr]:
    """`torch.compile(model)`, `model.compile()`, `model.compile_repeated_blocks()`: the model."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr="compile"), args=[model, *_]):
            yield model
        case ast.Call(
            func=ast.Attribute(
                value=model,
                attr="compile",
            ),
            args=[],
        ) if not _is_torch(model):
            yield model
        case ast.Call(func=ast.Attribute(value=model, attr=attr)) if attr == COMPILE_BLOCKS:
            yield model


def _is_torch(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "torch"


def _called_in(inspector: Inspector, key: Key) -> frozenset[str]:
    info, module = inspector.tree.function(key), inspector.tree.module(key[0])
    if info is None or module is None or not (names := _names_of(inspector, module)):
        return frozenset()
    return inspector.derived(("packages called", key), lambda: frozenset(_packages(inspector, module, info, names)))


def _names_of(inspector: Inspector, module: ModuleIndex) -> dict[str, str]:
    """The names that a file imports from packages that are not of the project, with these."""
    return inspector.derived(("packages imported", module.name), lambda: dict(_imported(inspector, module)))


def _imported(inspector: Inspector, module: ModuleIndex) -> Iterator[tuple[str, str]]:
    for name, bindings in module.bindings.items():
        for binding in bindings:
            if not isinstance(binding, Import) or (package := binding.target.partition(".")[0]) in _KNOWN:
                continue
            if inspector.tree.import_module(package, module.name) is None:
                yield name, package


def _packages(inspector: Inspector, module: ModuleIndex, info: FunctionInfo, names: dict[str, str]) -> Iterator[str]:
    yield from _of_calls(info.node, names)
    cls = inspector.tree.class_(info.owner) if info.owner is not None else None
    init = module.functions.get(cls.methods["__init__"]) if cls is not None and "__init__" in cls.methods else None
    for statement in init.node.body if init is not None and not isinstance(init.node, ast.Lambda) else ():
        # A layer may come into being by another name: `Conv = GCNConv`, `layers.append(Conv(8))`.
        yield from (names[part.id] for part in walk(statement) if isinstance(part, ast.Name) and part.id in names)


def _of_calls(node: ast.AST, names: dict[str, str]) -> Iterator[str]:
    for part in walk(node):
        if isinstance(part, ast.Call) and (package := names.get(_root_of(part.func))) is not None:
            yield package


def _root_of(func: ast.expr) -> str:
    while isinstance(func, ast.Attribute):
        func = func.value
    return func.id if isinstance(func, ast.Name) else ""
