"""What the wrapper that a decorator makes compiles when it is called: `compiled = torch.compile(fn)` in its `inner`.

The wrapper may be an object: `@LazyCompiled` makes one, which keeps the function and has a `__call__`, or, for methods,
a `__get__`. So may the decorator: `@compiler` calls that one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from msgspec import Struct

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import as_arguments
from compilelint.inspect.calling.calls import Call, call_kind
from compilelint.inspect.calling.compilations import Compilation
from compilelint.inspect.frame import Route
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import classes
from compilelint.regions.starts.outside import mentions_compile
from compilelint.source.model import FunctionInfo, Key, ModuleIndex
from compilelint.source.nodes import positional_names


class Wrapped(Struct, frozen=True):
    """A function of a file that is compiled by what stands around it."""

    info: FunctionInfo
    compilation: Compilation


class _Run(Struct, frozen=True):
    """A function that runs where another one is decorated, or is called as decorated."""

    function: kinds.Function
    given: dict[str, Kind]


def compiled_by_wrappers(inspector: Inspector, module: ModuleIndex) -> Iterator[Wrapped]:
    """The functions of a file whose decorator puts around them what compiles them, as when it is first called."""
    for info in list(module.functions.values()):
        runs = list(_runs(inspector, module, info)) if info.decorators else ()
        if not runs:
            continue
        inspector.forget_compilations()
        with inspector.seeking_effects():
            for run in runs:
                _walk(inspector, run)
        for compilation in inspector.compilations:
            if _function_of(compilation.target) == info.key:
                yield Wrapped(info, compilation)
                break


def _function_of(target: Kind) -> Key | None:
    """What is compiled, bound to an object or not: `torch.compile(fn.__get__(self))`."""
    match target:
        case kinds.Partial(function=function):
            return _function_of(function)
        case kinds.Function(key=key):
            return key
        case _:
            return None


def _runs(inspector: Inspector, module: ModuleIndex, info: FunctionInfo) -> Iterator[_Run]:
    """What runs of a decorated function's decorators, as far as it may compile something."""
    kind = inspector.definition(info.key)
    if isinstance(kind, kinds.Function) and isinstance(kind.wrapper, kinds.Function):
        yield from _if_compiling(inspector, _Run(kind.wrapper, {}))
    plain = kinds.Function(info.key, info.qualname)
    for node in info.decorators:
        match inspector.evaluate_globally(module, node):
            case kinds.ProjectClass() as cls:
                with inspector.silently():
                    made = call_kind(inspector.module_frame(module), cls, Call(node, (plain,)))
                if isinstance(made, kinds.Instance):
                    for name in ("__init__", "__call__", "__get__"):
                        yield from _of_object(inspector, made, name, dict(made.given))
            case kinds.Instance() as decorator:
                yield from _of_object(inspector, decorator, "__call__", {}, plain)
            case kinds.Function() as decorator if info.owner is not None:  # of others the module's own body tells
                yield from _if_compiling(inspector, _Run(decorator, _first(inspector, decorator, plain)))
            case _:
                pass


def _first(inspector: Inspector, function: kinds.Function, given: Kind) -> dict[str, Kind]:
    info = inspector.tree.function(function.key)
    return dict.fromkeys(positional_names(info.node.args)[:1], given) if info is not None else {}


def _of_object(
    inspector: Inspector, instance: kinds.Instance, name: str, given: Mapping[str, Kind], *first: Kind
) -> Iterator[_Run]:
    """A method of an object, with what is given by name or comes first after the object itself."""
    key = classes.find_method(inspector, instance.cls, name)
    info = inspector.tree.function(key) if key is not None else None
    if key is None or info is None:
        return
    placed = zip(positional_names(info.node.args)[1:], first, strict=False)
    yield from _if_compiling(
        inspector, _Run(kinds.Function(key, info.qualname, receiver=instance), {**given, **dict(placed)})
    )


def _if_compiling(inspector: Inspector, run: _Run) -> Iterator[_Run]:
    key = run.function.key
    around, module = inspector.tree.function(key), inspector.tree.module(key[0])
    if around is None or module is None or isinstance(around.node, ast.Lambda):
        return
    if mentions_compile(module, around.node):
        yield run


def _walk(inspector: Inspector, run: _Run) -> None:
    info = inspector.tree.function(run.function.key)
    if info is None:
        return
    known = inspector.declared(run.function)
    arguments = as_arguments(info.node, known | {name: kind for name, kind in run.given.items() if name in known})
    if run.function.receiver is not None:
        arguments = arguments._replace(args=(run.function.receiver, *arguments.args[1:]))
    inspector.run(run.function, arguments, Route())
