"""The object that torch.compile returns, used as if it were the module itself: indexed, iterated, asked whether it is
true, compiled again."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import classes
from compilelint.regions.around import scope_kinds
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope, alternatives, binding_at, start_of
from compilelint.regions.starts.compiled_attributes import choices, compiled_at, compiled_from
from compilelint.regions.usage import Usage
from compilelint.report.confidence import Confidence

_CONTAINERS = ("torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict")
_SIZED = frozenset({*_CONTAINERS, "torch.nn.ParameterDict", "torch.nn.ParameterList"})
_OF_MODELS = re.compile(r"(?:^|_)(?:model|module|net|network|unet|backbone|transformer|encoder|decoder)$")
"""Names of modules: functions that run one are called otherwise (`model_fn`, `encode`)."""


def _used_as_container(scope: Scope) -> Iterator[Usage]:
    """`compiled[0]`, `for layer in compiled`, `len(compiled)`, of a compiled nn.Sequential."""
    for statement in scope.statements:
        if isinstance(statement.node, ast.For) and _is_compiled_container(scope, statement.node.iter):
            yield Usage("container-use", statement.node.iter, receiver=kind_at(scope, statement.node.iter))
        for node in statement.expressions:
            match node:
                case ast.Subscript(value=value) if _is_compiled_container(scope, value):
                    yield Usage("container-use", node, receiver=kind_at(scope, value))
                case ast.Call(func=ast.Name(id="list" | "tuple" | "enumerate" | "reversed"), args=[value]) if (
                    _is_compiled_container(scope, value)
                ):
                    yield Usage("container-use", node, receiver=kind_at(scope, value))
                case ast.Call(func=ast.Name(id="len"), args=[value]) if _is_compiled_container(scope, value):
                    yield Usage("container-length", node, receiver=kind_at(scope, value))
                case ast.Starred(value=value) if _is_compiled_container(scope, value):
                    yield Usage("container-use", node, receiver=kind_at(scope, value))


def _is_compiled_container(scope: Scope, node: ast.expr) -> bool:
    """Whether this is the wrapper around one of torch's own containers; only names and attributes are looked at."""
    if not isinstance(node, ast.Name | ast.Attribute):
        return False
    match kind_at(scope, node):
        case kinds.External(args=(kinds.External(cls=inner), *_)) as kind:
            return scope_kinds.is_compiled(kind) and inner in _CONTAINERS
        case _:
            return False


def _counts_children(scope: Scope) -> Iterator[Usage]:
    """`list(compiled.children())[:-1]`, `enumerate(compiled.children())`: the only child of the wrapper is the
    original."""
    for statement in scope.statements:
        for node in statement.expressions:
            match node:
                case ast.Subscript(value=ast.Call(func=ast.Name(id="list" | "tuple"), args=[children])):
                    pass
                case ast.Subscript(value=ast.List(elts=[ast.Starred(value=children)])):
                    pass
                case ast.Call(func=ast.Name(id="enumerate"), args=[children, *_]):
                    pass
                case ast.Call(func=ast.Name(id="len"), args=[ast.Call(func=ast.Name(id="list"), args=[children])]):
                    pass
                case _:
                    continue
            match children:
                case ast.Call(func=ast.Attribute(value=module, attr="children" | "named_children"), args=[]):
                    compiled = compiled_at(scope, module)
                    if compiled is not None:
                        yield Usage("children-of-compiled", node, receiver=compiled[0], confidence=compiled[1])


def _compiled_twice(scope: Scope) -> Iterator[Usage]:
    """`torch.compile(compiled)`: what comes back is a function, no module any more."""
    for statement in scope.statements:
        for node in statement.expressions:
            target = scope_kinds.compile_target(scope, node)
            if target is not None and _is_compiled_module(scope, target):
                yield Usage("compiled-twice", node, "torch.compile", kind_at(scope, target))


def _is_compiled_module(scope: Scope, node: ast.expr) -> bool:
    match kind_at(scope, node):
        case kinds.External(args=(inner, *_)) as kind:
            return scope_kinds.is_compiled(kind) and scope_kinds.is_module(inner)
        case _:
            return False


def _asked_for_truth(scope: Scope) -> Iterator[Usage]:
    """`if model:`, `model or build()`, of a compiled module that has no length, for which Python asks it."""
    for statement in scope.statements:
        for tested in _tested(statement.node, statement.expressions):
            if isinstance(tested, ast.Name | ast.Attribute):
                compiled = [each for each in kinds.options(kind_at(scope, tested)) if _has_no_length(scope, each)]
                if compiled:
                    yield Usage("module-truth", tested, receiver=compiled[0])
                elif any(_is_taken_for_module(scope, *each) for each in _compiled_for(scope, tested)):
                    yield Usage("module-truth", tested, confidence=Confidence.MEDIUM)


def _tested(statement: ast.stmt, expressions: Iterable[ast.expr]) -> Iterator[ast.expr]:
    """What a statement asks whether it is true."""
    match statement:
        case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test):
            yield from _parts_tested(test)
    for node in expressions:
        match node:
            case ast.IfExp(test=test):
                yield from _parts_tested(test)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield operand
            case ast.BoolOp(values=values):
                yield from values[:-1]
            case ast.Call(func=ast.Name(id="bool"), args=[value]):
                yield value


def _parts_tested(test: ast.expr) -> Iterator[ast.expr]:
    """A test, or the last part of `a and b`, of which the others are asked wherever they stand."""
    while isinstance(test, ast.BoolOp):
        test = test.values[-1]
    yield test


def _compiled_for(scope: Scope, node: ast.Name | ast.Attribute) -> Iterator[tuple[str, Kind]]:
    """What is compiled to be kept under this name, or in this attribute of the object: how it is called, and what it
    is."""
    match node:
        case ast.Name(id=name) if (found := binding_at(scope, name, start_of(node))) is not None:
            bound_to = [bound.value for bound in alternatives(found[0], name, found[1]) if bound.unpacked is None]
            for choice in (choice for value in bound_to if value is not None for choice in choices(value)):
                target = scope_kinds.compile_target(scope, choice)
                if isinstance(target, ast.Name | ast.Attribute):
                    yield _last_name(target), kind_at(scope, target)
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if (
            scope.owner is not None and name == scope.self_name and not scope.qualname.endswith(".__init__")
        ):
            for target in compiled_from(scope.inspector, scope.owner.cls, attr):
                match target:
                    case ast.Attribute(value=ast.Name(id=of), attr=held) if of == name:
                        yield held, scope.inspector.attribute(scope.owner, held)
                    case ast.Name() | ast.Attribute():
                        yield _last_name(target), kinds.UNKNOWN


def _last_name(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


def _is_taken_for_module(scope: Scope, name: str, kind: Kind) -> bool:
    """Whether what is compiled is a module without a length, or, where nobody knows, is called a model."""
    if kind == kinds.UNKNOWN:
        return _OF_MODELS.search(name) is not None
    return any(_has_no_length(scope, scope_kinds.compiled_kind(option)) for option in kinds.options(kind))


def _has_no_length(scope: Scope, kind: Kind) -> bool:
    """Whether this is the wrapper around a module that has no `__len__`."""
    match kind:
        case kinds.External(args=(kinds.Instance(module=True, cls=cls), *_)) if scope_kinds.is_compiled(kind):
            return classes.find_method(scope.inspector, cls, "__len__") is None and not _SIZED.intersection(
                classes.external_bases(scope.inspector, cls)
            )
        case kinds.External(args=(kinds.External(cls=inner), *_)) if scope_kinds.is_compiled(kind):
            return inner.startswith("torch.nn.") and inner not in _SIZED
        case _:
            return False


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (
    _used_as_container,
    _asked_for_truth,
    _counts_children,
    _compiled_twice,
)
