"""Classes each of whose objects is compiled as it is made: by a decorator of the class, a base, a metaclass.

The script that makes and calls one compiles it though it does not say so: `@support_torch_compile class Model`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Kind, ProjectClass
from compilelint.inspect.members import classes
from compilelint.regions.starts.outside import compiling_calls
from compilelint.source.model import ClassInfo, FunctionInfo, Key, ModuleIndex
from compilelint.source.nodes import walk

_CALLED = {"forward", "__call__", "_call_impl"}
"""The methods of a module that run when it is called."""
_MAKERS = {"__init__", "__new__", "__post_init__", "__call__"}


def is_compiled_as_made(inspector: Inspector, module: ModuleIndex, info: ClassInfo) -> bool:
    """Whether what makes a class of a file, or objects of it, may compile these."""
    own = list(classes.infos(inspector, ProjectClass(info.key, info.name)))
    is_torchs = not any("compile" in each.methods for each in own)
    if any(_compiles_own_object(home, node, is_torchs) for home, node in _makers(inspector, own)):
        return True
    around = [*info.node.decorator_list, *(each.value for each in info.node.keywords if each.arg == "metaclass")]
    return any(_may_compile(inspector, inspector.evaluate_globally(module, node)) for node in around)


def _makers(inspector: Inspector, own: Sequence[ClassInfo]) -> Iterator[tuple[ModuleIndex, ast.FunctionDef]]:
    """What runs as an object is made, or each time that it is called, of these classes."""
    for each in own:
        home = inspector.tree.module(each.key[0])
        for name in _MAKERS & each.methods.keys():
            method = inspector.tree.function(each.methods[name])
            if home is not None and method is not None and isinstance(method.node, ast.FunctionDef):
                yield home, method.node


def _compiles_own_object(home: ModuleIndex, node: ast.FunctionDef, is_torchs: bool) -> bool:
    """Whether it compiles the object that it is a method of, or what runs when that is called."""
    own = first_parameter(node)
    return own is not None and any(_takes_whole(call, own, is_torchs) for call in compiling_calls(home, node))


def _takes_whole(call: ast.Call, own: str, is_torchs: bool) -> bool:
    """`self.compile()`, where that is torch's, `torch.compile(self)`, `torch.compile(self.forward)`."""
    match call.func:
        case ast.Attribute(value=ast.Name(id=owner)) if owner == own:
            return is_torchs
    match call.args[:1] or [keyword.value for keyword in call.keywords if keyword.arg == "model"]:
        case [ast.Name(id=name)]:
            return name == own
        case [ast.Attribute(value=ast.Name(id=owner), attr=name)]:
            return owner == own and name in _CALLED
        case _:
            return False


def _may_compile(inspector: Inspector, made_by: Kind) -> bool:
    """Whether a decorator or a metaclass may compile, itself or by what it names of its file."""
    match made_by:
        case kinds.Partial(function=function):
            return _may_compile(inspector, function)
        case kinds.Function(key=key) | kinds.ProjectClass(key=key):
            home = inspector.tree.module(key[0])
            return home is not None and "compile" in inspector.tree.text_of(home) and _names_compile(home, key)
        case kinds.Reference(name=name):
            return "compile" in name
        case _:
            return False


def _names_compile(home: ModuleIndex, key: Key) -> bool:
    """Whether a function or class of a file compiles something, or another one of the file does that it names."""
    infos: list[FunctionInfo | ClassInfo] = [*home.functions.values(), *home.classes.values()]
    outermost = {info.qualname: info.node for info in infos}
    pending: list[ast.AST] = [info.node for info in infos if info.key == key]
    seen: set[int] = set()
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        parts = list(walk(node))
        functions = (part for part in parts if isinstance(part, ast.FunctionDef))
        if any(True for function in functions for _ in compiling_calls(home, function)):
            return True
        pending += (outermost[part.id] for part in parts if isinstance(part, ast.Name) and part.id in outermost)
    return False
