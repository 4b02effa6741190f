"""Attributes in which a class keeps what it compiles, where it is not known what it was given to compile.

`self.model = model` and `if config.compile: self.model = torch.compile(self.model)`, as trainers do.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import classes
from compilelint.inspect.members.attributes import GIVES_ITSELF, OPTIMIZED_MODULE
from compilelint.regions.around import scope_kinds, scopes
from compilelint.regions.around.made import made_alike
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.report.confidence import Confidence
from compilelint.source.index import flat_statements
from compilelint.source.model import FunctionInfo, ModuleIndex
from compilelint.source.nodes import walk
from compilelint.source.watched import says


def compiled_at(scope: Scope, node: ast.expr) -> tuple[kinds.External, Confidence] | None:
    """The compiled module that an expression is, or may be."""
    kind = kind_at(scope, node)
    found = scope_kinds.compiled_among(kind)
    if found is not None:
        return found
    match node:
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if (
            scope.owner is not None
            and name == scope.self_name
            and attr not in scope.held  # else the kind is what it is here
            and (kind == kinds.UNKNOWN or scope_kinds.is_module(kind))
            and attr in _compiled_by(scope.inspector, scope.owner.cls)
            and scope.qualname.rpartition(".")[2] not in _compiled_methods(scope.inspector, scope.owner.cls)
        ):
            known = _as_made(scope, attr) if kind == kinds.UNKNOWN else kind
            return kinds.External(OPTIMIZED_MODULE, (known,)), Confidence.MEDIUM
        case ast.Name(id=name) if kind == kinds.UNKNOWN or scope_kinds.is_module(kind):
            return _compiled_under(scope, name, node)
        case _:
            return None


def _compiled_under(scope: Scope, name: str, node: ast.expr) -> tuple[kinds.External, Confidence] | None:
    """The same of a name that such an attribute got: `model = self.ema if use_ema else self.model`."""
    found = scopes.binding_at(scope, name, scopes.start_of(node))
    if found is None or found[0] is not scope or found[1].value is None:
        return None
    attributes = (choice for choice in choices(found[1].value) if isinstance(choice, ast.Attribute))
    return next((compiled for each in attributes if (compiled := compiled_at(scope, each)) is not None), None)


def _as_made(scope: Scope, attr: str) -> Kind:
    """The module that an attribute holds where the project makes objects of the class with one: `Trainer(Policy())`."""
    if scope.owner is None:
        return kinds.UNKNOWN
    held = kinds.options(scope.inspector.attribute(made_alike(scope.inspector, scope.owner), attr))
    modules = [option for option in map(_original, held) if scope_kinds.is_module(option)]
    return kinds.join(*modules) if modules else kinds.UNKNOWN


def _original(kind: Kind) -> Kind:
    """What is compiled, of something that may be a wrapper."""
    return kind.args[0] if isinstance(kind, kinds.External) and scope_kinds.is_compiled(kind) else kind


def _compiled_by(inspector: Inspector, cls: kinds.ProjectClass) -> frozenset[str]:
    """The attributes to which the methods of a class assign what they compile."""
    return frozenset(name for name, _ in _compiled_and_kept(inspector, cls))


def compiled_from(inspector: Inspector, cls: kinds.ProjectClass, attr: str) -> list[ast.expr]:
    """What the methods of a class compile and keep under this name, as they write it."""
    return [target for name, target in _compiled_and_kept(inspector, cls) if name == attr]


def _compiled_and_kept(inspector: Inspector, cls: kinds.ProjectClass) -> tuple[tuple[str, ast.expr], ...]:
    return inspector.derived(
        ("compiled attributes", cls.key),
        lambda: tuple(pair for info in classes.methods(inspector, cls) for pair in _assigned_compiled(inspector, info)),
    )


def _compiled_methods(inspector: Inspector, cls: kinds.ProjectClass) -> frozenset[str]:
    """The methods that a class compiles, `torch.compile(self.step)`: what these call is compiled with them."""
    return inspector.derived(
        ("compiled methods", cls.key),
        lambda: frozenset(
            name for info in classes.methods(inspector, cls) for name in _given_to_compile(inspector, info)
        ),
    )


def _given_to_compile(inspector: Inspector, info: FunctionInfo) -> Iterator[str]:
    module = inspector.tree.module(info.key[0])
    if module is None or isinstance(info.node, ast.Lambda) or not says(info.node, module.lines, "compile"):
        return
    for part in walk(info.node):
        match part:
            case ast.Call(args=[ast.Attribute(attr=attr), *_]) if _is_compiled(inspector, module, part):
                yield attr


def _assigned_compiled(inspector: Inspector, info: FunctionInfo) -> Iterator[tuple[str, ast.expr]]:
    """The attributes that a method gives what it compiles, each with what that is."""
    module = inspector.tree.module(info.key[0])
    if module is None or isinstance(info.node, ast.Lambda) or not info.node.args.args:
        return
    if not says(info.node, module.lines, "compile"):
        return
    self_name = info.node.args.args[0].arg
    for statement in flat_statements(info.node.body):
        match statement:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=holder), attr=attr)], value=value) if (
                holder == self_name
            ):
                for choice in choices(value):
                    if isinstance(choice, ast.Call) and _is_compiled(inspector, module, choice):
                        yield attr, choice.args[0]


def choices(value: ast.expr) -> tuple[ast.expr, ...]:
    """What a value may be, without what gives it back: `torch.compile(model).to(device)`."""
    match value:
        case ast.IfExp(body=body, orelse=orelse):
            return (body, orelse)
        case ast.Call(func=ast.Attribute(value=inner, attr=attr)) if attr in GIVES_ITSELF:
            return choices(inner)
        case _:
            return (value,)


def _is_compiled(inspector: Inspector, module: ModuleIndex, value: ast.expr) -> bool:
    match value:
        case ast.Call(func=func, args=[ast.Name() | ast.Attribute(), *_]):
            return inspector.evaluate_globally(module, func) == kinds.Reference("torch.compile")
        case _:
            return False
