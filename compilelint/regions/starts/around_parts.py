"""Models of which others compile parts: `for block in net.blocks: block.compile()`.

Who does so has drawn the line there: the rest of them runs as it stands.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from compilelint.inspect import kinds
from compilelint.inspect.calling import regional
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Instance, Kind, ProjectClass
from compilelint.inspect.members.attributes import COMPILE_BLOCKS, OPTIMIZED_MODULE
from compilelint.regions.around.callers import kind_by_callers
from compilelint.regions.around.scope_kinds import compile_target, kind_at
from compilelint.regions.around.scopes import Scope, binding_at, scopes, start_of
from compilelint.regions.starts.compiled_parts import compiles_in
from compilelint.source.model import Key, ModuleIndex
from compilelint.source.nodes import walk

_MOST = 12
"""What more files than this import is a library's: they tell little of what a program does with it."""
_COMPILES = re.compile(r"(?<!\bre)\.compile\(")
_ASKS = re.compile(r"compile\w*\(")
"""Begins with the word, which `re` finds at once: what stands before it is looked at by `_is_asked`."""
_REGIONAL = (f"{COMPILE_BLOCKS}(", "compile_regions(")


def around_parts(inspector: Inspector, module: ModuleIndex) -> frozenset[Key]:
    """The modules of a file that hold what the file, or one that imports it, compiles as a part; and what else such a
    module holds. Not those that are compiled themselves, nor what these hold."""
    return inspector.derived(("around parts", module.name), lambda: frozenset(_around(inspector, module)))


def _around(inspector: Inspector, module: ModuleIndex) -> Iterator[Key]:
    importing = sorted(inspector.tree.importers(module.name) - {module.name})
    files = (module.name, *(importing if len(importing) <= _MOST else ()))
    found = [each for file in files for each in _compiled_in(inspector, file)]
    asked = {each.cls.key for file in files for each in _asked_in(inspector, file)}
    parts = asked | {part.cls.key for part, is_part in found if is_part}
    if not parts:
        return
    compiled = {each.cls.key for each, _ in found}
    yield from asked - compiled
    inside = {key for each, _ in found for key in _held(inspector, each)}
    own = [inspector.instance(ProjectClass(info.key, info.name)) for info in list(module.classes.values())]
    apart = [each for each in own if each.module and each.cls.key not in compiled | inside]
    around = [each for each in apart if not parts.isdisjoint(_held(inspector, each))]
    beside = {key for each in around for key in _held(inspector, each)}
    yield from (each.cls.key for each in apart if each in around or each.cls.key in beside)


def _held(inspector: Inspector, model: Instance) -> frozenset[Key]:
    """The classes of what a module holds, however deep."""
    return inspector.derived(
        ("modules held", model.cls.key),
        lambda: frozenset(each.cls.key for each in regional.modules_in(inspector, inspector.instance(model.cls))),
    )


def _compiled_in(inspector: Inspector, file: str) -> tuple[tuple[Instance, bool], ...]:
    """The modules that a file compiles, each with whether it is compiled as a part of another one."""
    return inspector.derived(("compiled in", file), lambda: tuple(_compilations(inspector, file)))


def _compilations(inspector: Inspector, file: str) -> Iterator[tuple[Instance, bool]]:
    text = inspector.tree.text(file)
    if text is None or not _may_compile(text.text):
        return
    for scope, call in _calls(inspector, file):
        target = compile_target(scope, call) or _receiver(call, "compile")
        if target is not None:
            is_part = _is_part(scope, target)
            yield from ((each, is_part) for each in _modules(_kind(scope, target)))
        for model in _modules(_kind_of_blocked(scope, call)):
            yield from ((each, True) for each in regional.blocks(inspector, model))
        for model in _modules(_kind_of_divided(scope, call)):
            yield from ((each, each != model) for each in regional.regions(inspector, model))


def _calls(inspector: Inspector, file: str) -> Iterator[tuple[Scope, ast.Call]]:
    """The calls in those scopes of a file that say anything of compiling."""
    module = inspector.tree.module(file)
    for scope in scopes(inspector, module, saying="compile") if module is not None else ():
        yield from ((scope, call) for _, call in scope.calls)


def _asked_in(inspector: Inspector, file: str) -> tuple[Instance, ...]:
    """The modules of which a file calls a method that compiles parts of them: `block.compile_forward(dynamic=False)`.

    One that is called `compile` says so of each that is asked for it, whoever asks (`compiled_parts.py`).
    """
    return inspector.derived(("asked in", file), lambda: tuple(_asked(inspector, file)))


def _asked(inspector: Inspector, file: str) -> Iterator[Instance]:
    text = inspector.tree.text(file)
    if text is None or not any(_is_asked(text.text, found) for found in _ASKS.finditer(text.text)):
        return
    for scope, call in _calls(inspector, file):
        match call.func:
            case ast.Attribute(value=target, attr=attr) if attr != "compile" and "compile" in attr:
                yield from (each for each in _modules(_kind(scope, target)) if compiles_in(inspector, each.cls, attr))


def _is_asked(text: str, found: re.Match[str]) -> bool:
    """Whether such a word is the name of a method of something else than `self`, and of another one than `compile`."""
    start = found.start()
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    if text[start - 1 : start] != "." or text[start : found.end()] == "compile(":
        return False
    return text[max(start - 5, 0) : start] != "self."


def _may_compile(text: str) -> bool:
    """Plain searches first: they are what nearly all files of a project cost."""
    return (".compile(" in text and _COMPILES.search(text) is not None) or any(each in text for each in _REGIONAL)


def _kind(scope: Scope, target: ast.expr) -> Kind:
    """What is compiled: as `isinstance` says right before (`if isinstance(part, Block): part.compile()`), or else."""
    if not isinstance(target, ast.Name):
        return kind_by_callers(scope, target)
    for node in walk(scope.node):
        match node:
            case ast.If(test=ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), cls]), body=body) if (
                name == target.id and start_of(body[0]) <= start_of(target) <= start_of(body[-1])
            ):
                made = kind_at(scope, cls)
                return scope.inspector.instance(made) if isinstance(made, ProjectClass) else kinds.UNKNOWN
    return kind_by_callers(scope, target)


def _kind_of_blocked(scope: Scope, call: ast.Call) -> Kind:
    model = _receiver(call, COMPILE_BLOCKS)
    return kind_by_callers(scope, model) if model is not None else kinds.UNKNOWN


def _kind_of_divided(scope: Scope, call: ast.Call) -> Kind:
    called = kind_at(scope, call.func) if call.args else kinds.UNKNOWN
    is_it = isinstance(called, kinds.Reference) and called.name in regional.COMPILE_REGIONS
    return kind_by_callers(scope, call.args[0]) if is_it else kinds.UNKNOWN


def _receiver(call: ast.Call, method: str) -> ast.expr | None:
    match call.func:
        case ast.Attribute(value=target, attr=attr) if attr == method:
            return target
        case _:
            return None


def _is_part(scope: Scope, target: ast.expr) -> bool:
    """Whether what is compiled belongs to an object: `net.head`, `net.blocks[0]`, each of `net.blocks`.

    What an object has under its own `self` is the affair of its class (`compiled_parts.py`).
    """
    match target:
        case ast.Subscript(value=value):
            return _is_part(scope, value)
        case ast.Attribute(value=ast.Name(id=name)):
            return scope.owner is None or name != "self"
        case ast.Attribute():
            return True
        case ast.Name(id=name):
            found = binding_at(scope, name, start_of(target))
            if found is None or found[1].iterated is None or found[1].value is None:
                return False
            # `for net in nets` goes through whole models that only stand side by side.
            return any(isinstance(part, ast.Attribute) for part in walk(found[1].value))
        case _:
            return False


def _modules(kind: Kind) -> Iterator[Instance]:
    for option in kinds.options(kind):
        match option:
            case Instance(module=True):
                yield option
            case kinds.External(cls=cls, args=parts) if cls in (OPTIMIZED_MODULE, *regional.CONTAINERS):
                for part in parts:
                    yield from _modules(part)
