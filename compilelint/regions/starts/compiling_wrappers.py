"""What the wrapper that a decorator makes compiles when it is called: `compiled = torch.compile(fn)` in its `inner`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import as_arguments
from compilelint.inspect.calling.compilations import Compilation
from compilelint.inspect.frame import Route
from compilelint.inspect.inspector import Inspector
from compilelint.regions.starts.outside import mentions_compile
from compilelint.source.model import FunctionInfo, ModuleIndex


class Wrapped(Struct, frozen=True):
    """A function of a file that is compiled by what stands around it."""

    info: FunctionInfo
    compilation: Compilation


def compiled_by_wrappers(inspector: Inspector, module: ModuleIndex) -> Iterator[Wrapped]:
    """The functions of a file whose decorator puts around them what compiles them, as when it is first called."""
    for info in list(module.functions.values()):
        wrapper = _wrapper(inspector, info) if info.decorators else None
        if wrapper is None:
            continue
        inspector.forget_compilations()
        with inspector.seeking_effects():
            _walk(inspector, wrapper)
        for compilation in inspector.compilations:
            if isinstance(compilation.target, kinds.Function) and compilation.target.key == info.key:
                yield Wrapped(info, compilation)
                break


def _wrapper(inspector: Inspector, info: FunctionInfo) -> kinds.Function | None:
    """What decorators put around a function, if that may compile something."""
    kind = inspector.definition(info.key)
    if not isinstance(kind, kinds.Function) or not isinstance(kind.wrapper, kinds.Function):
        return None
    around, module = inspector.tree.function(kind.wrapper.key), inspector.tree.module(kind.wrapper.key[0])
    if around is None or module is None or isinstance(around.node, ast.Lambda):
        return None
    return kind.wrapper if mentions_compile(module, around.node) else None


def _walk(inspector: Inspector, wrapper: kinds.Function) -> None:
    info = inspector.tree.function(wrapper.key)
    if info is not None:
        inspector.run(wrapper, as_arguments(info.node, inspector.declared(wrapper)), Route())
