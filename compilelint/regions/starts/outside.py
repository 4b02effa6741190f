"""Functions of a script that run outside of regions, walked only to see what they compile."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import as_arguments
from compilelint.inspect.frame import Route
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import classes
from compilelint.inspect.members.objects import is_object
from compilelint.regions.around.callers import kinds_by_callers
from compilelint.regions.around.made import as_made
from compilelint.source.model import FunctionInfo, ModuleIndex
from compilelint.source.nodes import walk
from compilelint.source.watched import says


def mentions_compile(module: ModuleIndex, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the body of a function may compile something."""
    if not says(node, module.lines, "compile"):
        return False
    is_parameter = any(arg.arg == "compile" for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs))
    return any(_names_compile(part, is_parameter) for statement in node.body for part in walk(statement))


def compiling_calls(module: ModuleIndex, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.Call]:
    """The calls in the body of a function that may compile something."""
    if says(node, module.lines, "compile"):
        for part in walk(node):
            if isinstance(part, ast.Call) and _names_compile(part.func, is_parameter=False):
                yield part


def _names_compile(part: ast.AST, is_parameter: bool) -> bool:
    """Whether it may be torch's `compile`: not that of regular expressions, nor an option that is not called."""
    match part:
        case ast.Attribute(value=ast.Name(id="re" | "regex"), attr="compile"):
            return False
        case ast.Attribute(attr="compile") | ast.Call(func=ast.Name(id="compile")):
            return True
        case ast.Name(id="compile"):
            return not is_parameter
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value="compile"), *_]):
            return True
        case _:
            return False


def walk_outside_of_regions(inspector: Inspector, info: FunctionInfo, cls: kinds.ProjectClass | None) -> None:
    """Walk a training script's function only to see what it compiles; a method, of an object of this class."""
    receiver = _receiver(inspector, info, cls) if cls is not None else None
    function = as_made(inspector, kinds.Function(info.key, info.qualname, receiver))
    known = inspector.declared(function)
    if info.qualname.endswith(".__init__") and isinstance(function.receiver, kinds.Instance):
        known = known | {name: kind for name, kind in function.receiver.given if name in known}
    for given in _by_callers(inspector, info, known):
        arguments = as_arguments(info.node, known | given)
        if function.receiver is not None:
            arguments = arguments._replace(args=(function.receiver, *arguments.args[1:]))
        inspector.run(function, arguments, Route())


def _receiver(inspector: Inspector, info: FunctionInfo, cls: kinds.ProjectClass) -> Kind | None:
    """What a method is given first."""
    decorators = classes.decorator_names(inspector, info.key)
    if "builtins.staticmethod" in decorators:
        return None
    return cls if "builtins.classmethod" in decorators else inspector.instance(cls)


def _by_callers(inspector: Inspector, info: FunctionInfo, known: dict[str, Kind]) -> Iterator[dict[str, Kind]]:
    """The objects that a function is given where it is called; in parts, if they are more than a kind can be of."""
    if isinstance(info.node, ast.Lambda):
        yield {}
        return
    objects: dict[str, list[Kind]] = {}
    for name, kind in known.items():
        if kind in (kinds.UNKNOWN, kinds.NONE):
            given = kinds_by_callers(inspector, info.key[0], info.node, name)
            found = list(dict.fromkeys(option for each in given for option in kinds.options(each)))
            if found and all(map(is_object, found)):
                objects[name] = found
    for start in range(0, max(map(len, objects.values()), default=1), kinds.MAX_OPTIONS):
        part = {name: found[start : start + kinds.MAX_OPTIONS] or found for name, found in objects.items()}
        yield {name: kinds.join(*found) for name, found in part.items()}
