"""What decorators make of the functions that they are given."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.calling import calls, compilations
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.members import classes
from compilelint.inspect.syntax import expressions
from compilelint.source.watched import says

_DISPATCHERS = frozenset({"functools.singledispatch", "functools.singledispatchmethod"})
"""Decorators that make an object, which chooses a function when it is called."""
_LOOKED_THROUGH = "__script_if_tracing_wrapper"
_CONSTANT = "_dynamo_marked_constant"
"""What `assume_constant_result` sets on a function, and transformers, which may not import torch there, by itself."""
_STANCE = "torch.compiler.set_stance"
"""What Dynamo refuses to trace, be it called or around a function that is called."""
_OPAQUE = frozenset(
    {
        "triton.jit",
        "triton.experimental.gluon.jit",
        "cutlass.cute.jit",
        "cutlass.cute.kernel",
        "flydsl.compiler.jit",
        "flydsl.compiler.kernel",
        "helion.kernel",
        "tilelang.jit",
        "tilelang.language.macro",
        "tilelang.language.prim_func",
        "numba.jit",
        "numba.njit",
        "numba.cuda.jit",
        "torch._dynamo.allow_in_graph",
        "torch._dynamo.nonstrict_trace",
        "torch.compiler.allow_in_graph",
        "torch.compiler.assume_constant_result",
    }
)


def decorated(frame: Frame, decorators: Sequence[ast.expr], function: kinds.Function) -> Kind:
    """A function after its decorators: most keep it, some hide it from Dynamo, the project's own wrap it."""
    inspector = frame.inspector
    kind: Kind = function
    for node in reversed(decorators):
        decorator, name = expressions.evaluate(frame, node), _decorator_name(frame, node)
        if name in _OPAQUE:
            return UNKNOWN
        if name in _DISPATCHERS:
            return kinds.External(name, (kind,))
        if name == "torch.library.custom_op":
            return kinds.Partial(kinds.Reference("torch.library.custom_op()"), (kind,))
        if name == _STANCE:
            return kinds.Partial(kinds.Reference(_STANCE), (kind,))
        match decorator:
            case kinds.Instance(cls=cls, fresh=False) if _enters_around(frame, cls):
                return kinds.External("contextlib.ContextDecorator", (kind,))
            case (
                kinds.Reference("torch.compiler.disable")
                | kinds.Partial(function=kinds.Reference("torch.compiler.disable"))
            ):
                return kinds.Partial(kinds.Reference("torch.compiler.disable()"), (kind,))
            case kinds.Function() if _marks(frame, decorator, _LOOKED_THROUGH):
                continue
            case kinds.Function() if node is decorators[-1] and _marks(frame, decorator, _CONSTANT):
                # Python calls it, once, and Dynamo takes what comes out for a constant. The mark counts on the function
                # that is traced, not on what another decorator made of it: of `lru_cache` Dynamo sees what is within.
                return UNKNOWN
            case kinds.ProjectClass() as cls if _is_called(frame, function, cls) and not _compiles(frame, cls):
                with inspector.silently():
                    return calls.call_kind(frame, decorator, calls.Call(node, (kind,)))
            case kinds.Instance(cls=cls) if _compiles(frame, cls):
                continue
            case kinds.Function() | kinds.Partial(function=kinds.Function()) | kinds.Instance():
                with inspector.silently():
                    wrapper = calls.call_kind(frame, decorator, calls.Call(node, (kind,)))
                if isinstance(wrapper, kinds.Function) and wrapper.key != function.key:
                    kind = replace(function, wrapper=wrapper) if isinstance(kind, kinds.Function) else kind
    return kind


def _enters_around(frame: Frame, cls: kinds.ProjectClass) -> bool:
    """Whether an instance as a decorator is entered around each call: `ContextDecorator` does so, by its `__call__`."""
    if "contextlib.ContextDecorator" not in classes.external_bases(frame.inspector, cls):
        return False
    return classes.find_method(frame.inspector, cls, "__call__") is None


def _is_called(frame: Frame, function: kinds.Function, cls: kinds.ProjectClass) -> bool:
    """Whether a class makes of a function of a module an object that is called in its place."""
    info = frame.inspector.tree.function(function.key)
    return info is not None and info.owner is None and classes.find_method(frame.inspector, cls, "__call__") is not None


def _compiles(frame: Frame, cls: kinds.ProjectClass) -> bool:
    """Whether a method of a class says that it compiles something: who looks for what is compiled follows that."""
    inspector = frame.inspector
    methods = ((info, inspector.tree.module(info.key[0])) for info in classes.methods(inspector, cls))
    return any(module is not None and says(info.node, module.lines, "compile") for info, module in methods)


def _marks(frame: Frame, decorator: kinds.Function, mark: str) -> bool:
    """Whether a decorator sets a mark by which Dynamo knows how to call the function, as torch's own decorator does.

    Of `__script_if_tracing_wrapper` Dynamo calls the function in place of what is around it.
    """
    info = frame.inspector.tree.function(decorator.key)
    if info is None or isinstance(info.node, ast.Lambda):
        return False
    return any(_sets(statement, mark) for statement in info.node.body)


def _sets(statement: ast.stmt, mark: str) -> bool:
    match statement:
        case ast.Assign(targets=targets, value=value):
            named = any(isinstance(target, ast.Attribute) and target.attr == mark for target in targets)
            return named and _is_true(value)
        case ast.Expr(value=ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=name), value])):
            return name == mark and _is_true(value)
        case _:
            return False


def _is_true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def compiling_options(kind: Kind) -> Mapping[str, Kind] | None:
    """What a decorator compiles with: `torch.compile`, `torch.compile(…)`, `partial(torch.compile, …)`; None for all
    others."""
    match kind:
        case kinds.Reference(compilations.COMPILE):
            return {}
        case kinds.Partial(function=kinds.Reference(compilations.COMPILE), keywords=keywords):
            return dict(keywords)
        case kinds.Union(options=options):  # `torch.compile if args.compile else lambda f: f`
            return next((found for found in map(compiling_options, options) if found is not None), None)
        case _:
            return None


def as_compiled(frame: Frame, decorators: Sequence[ast.expr], function: kinds.Function) -> kinds.Function:
    """What the decorator that compiles is given: the function with what those below it put around it."""
    inspector = frame.inspector
    compiling = [compiling_options(inspector.evaluate_silently(frame, node)) is not None for node in decorators]
    below = decorators[compiling.index(True) + 1 :] if any(compiling) else ()
    if not below:
        return function
    with inspector.silently():
        kind = decorated(frame, below, function)
    return kind if isinstance(kind, kinds.Function) else function


def record_compiled(frame: Frame, node: ast.FunctionDef | ast.AsyncFunctionDef, function: kinds.Function) -> None:
    """Remember what a function compiles that it defines, with the names that are there for it."""
    for decorator in node.decorator_list:
        options = compiling_options(frame.inspector.peek(frame, decorator))
        if options is not None:
            info = frame.inspector.tree.function(function.key)
            named = replace(function, name=info.qualname) if info is not None else function
            compilations.record(frame, node, named, options, "@torch.compile")


def report_applied(frame: Frame, decorators: Sequence[ast.expr], function: kinds.Function) -> None:
    """Report what decorators from outside do to a function that the region itself defines: there each is a call."""
    if not frame.is_heard:
        return
    for node in reversed(decorators):
        match frame.inspector.peek(frame, node):
            case (kinds.Reference() | kinds.Partial(function=kinds.Reference())) as decorator:
                calls.call_kind(frame, decorator, calls.Call(node, (function,)))


def _decorator_name(frame: Frame, node: ast.expr) -> str:
    """The dotted name of a decorator from outside, whether it is called or not."""
    kind = expressions.evaluate(frame, node.func if isinstance(node, ast.Call) else node)
    return kind.name if isinstance(kind, kinds.Reference) else ""
