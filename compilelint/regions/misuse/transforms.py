"""Transforms of `torch.func` around something compiled: what they call runs uncompiled."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect import kinds
from compilelint.regions.around.compiled import COMPILE, compiled_callable
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.usage import Usage
from compilelint.source.nodes import walk

_TRANSFORMS = frozenset(
    {"torch.vmap"}
    | {f"torch.func.{name}" for name in ("vmap", "grad", "grad_and_value", "jacrev", "jacfwd", "hessian", "vjp", "jvp")}
)
"""Transforms under which Dynamo compiles nothing (torch 2.13: no frame for each); `functional_call` is none of them."""


def _under_transform(scope: Scope) -> Iterator[Usage]:
    """`torch.vmap(compiled)`, `torch.func.grad(lambda t: compiled(t).sum())`."""
    for _, call in scope.calls:
        callee = kind_at(scope, call.func) if call.args else None
        if not isinstance(callee, kinds.Reference) or callee.name not in _TRANSFORMS:
            continue
        if _is_compiled(scope, call.args[0]) and not _runs_compiled(scope, call):
            yield Usage("under-transform", call, callee.name)


def _is_compiled(scope: Scope, function: ast.expr) -> bool:
    """Whether a function is compiled, or is a lambda that calls something compiled."""
    if isinstance(function, ast.Lambda):
        return any(_is_given_up(scope, part.func) for part in walk(function.body) if isinstance(part, ast.Call))
    return _is_given_up(scope, function)


def _is_given_up(scope: Scope, callee: ast.expr) -> bool:
    """Whether Dynamo compiles it, but for the backend that it lets through there."""
    compiled = compiled_callable(scope, callee)
    backend = compiled.options.get("backend") if compiled is not None else None
    return compiled is not None and not (isinstance(backend, ast.Constant) and backend.value == "eager")


def _runs_compiled(scope: Scope, transform: ast.Call) -> bool:
    """Whether the file is seen to run a transform in compiled code only, where Dynamo traces it, and what it calls:
    `torch.compile(torch.vmap(f))`, in a function that `@torch.compile` stands above, or one that only such a one calls.
    """
    pending: list[ast.expr | str] = [transform]
    known: set[str] = set()
    is_compiled = False
    while pending:
        subject = pending.pop()
        uses = [parents for parents, node in _walk(scope.module.tree, ()) if _is(node, subject)]
        if not uses:
            return False
        for parents in uses:
            if any(_compiles(scope, parent) for parent in parents):
                is_compiled = True
                continue
            keeper = _keeper(parents)
            if keeper is None:
                return False
            if keeper not in known:
                known.add(keeper)
                pending.append(keeper)
    return is_compiled


def _walk(node: ast.AST, parents: tuple[ast.AST, ...]) -> Iterator[tuple[tuple[ast.AST, ...], ast.AST]]:
    """All nodes below one, each with those it stands in, outermost first."""
    inner = (*parents, node)
    for child in ast.iter_child_nodes(node):
        yield inner, child
        yield from _walk(child, inner)


def _is(node: ast.AST, subject: ast.expr | str) -> bool:
    """Whether a node is this one, or reads this name: `f`, or `.f` of an object."""
    match node:
        case ast.Name(id=name, ctx=ast.Load()):
            return name == subject
        case ast.Attribute(attr=attr, ctx=ast.Load()):
            return f".{attr}" == subject
        case _:
            return node is subject


def _compiles(scope: Scope, node: ast.AST) -> bool:
    """Whether what stands in a node is compiled: an argument of `torch.compile`, or the body below `@torch.compile`."""
    match node:
        case ast.Call(func=called):
            return _is_compile(scope, called)
        case ast.FunctionDef(decorator_list=decorators):
            named = (each.func if isinstance(each, ast.Call) else each for each in decorators)
            return any(_is_compile(scope, each) for each in named)
        case _:
            return False


def _is_compile(scope: Scope, called: ast.expr) -> bool:
    return scope.inspector.evaluate_globally(scope.module, called) == kinds.Reference(COMPILE)


def _keeper(parents: tuple[ast.AST, ...]) -> str | None:
    """The name under which something goes on: that it is assigned to, or of the function that it is used in."""
    match parents[-1]:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case ast.Assign(targets=[ast.Attribute(attr=name)]) | ast.AnnAssign(target=ast.Attribute(attr=name)):
            return f".{name}"
    for at in range(len(parents) - 1, 0, -1):
        match parents[at]:
            case ast.FunctionDef(name=name):
                return f".{name}" if isinstance(parents[at - 1], ast.ClassDef) else name
    return None


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_under_transform,)
