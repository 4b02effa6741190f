"""Values that the code around a compiled call changes between calls, and that the compiled function reads."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect import kinds, names
from compilelint.inspect.kinds import Kind
from compilelint.regions.around import scope_kinds, scopes
from compilelint.regions.around.compiled import Target, targets_of
from compilelint.regions.around.driving import Drive, Loop, drives, loops_around
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope, Statement
from compilelint.regions.changes import specialising
from compilelint.regions.changes.compiled_apart import is_read_in_forward
from compilelint.regions.changes.effects import FEW
from compilelint.regions.changes.instance_floats import is_held
from compilelint.regions.changes.setters import set_by
from compilelint.regions.changes.steps import moves_on
from compilelint.regions.changes.variations import Variation
from compilelint.regions.changes.varying import variation
from compilelint.regions.usage import Usage

_KEPT = "attribute-set-in-loop"
_CONSTANT = ("int", "str")
"""What Dynamo takes for a constant outside of arguments; a `float` becomes dynamic."""


def _changed_between_calls(scope: Scope) -> Iterator[Usage]:
    called = drives(scope)
    if not called:
        return
    for statement in scope.statements:
        for written, changes in _written(scope, statement):
            if changes is None or (changes.values is not None and changes.values < FEW):
                continue
            near = [drive for drive in called if _is_called_with(statement, drive)]
            construct = _construct(scope, written, changes, near)
            if construct is not None:
                node = written if isinstance(statement.node, ast.For) else statement.node
                callee = "str" if changes.what == "str" and construct == _KEPT else ""
                yield Usage(construct, node, callee, receiver=_owner(scope, written))


def _written(scope: Scope, statement: Statement) -> Iterator[tuple[ast.expr, Variation | None]]:
    """What a statement sets, and what it changes about that."""
    match statement.node:
        case ast.Assign(targets=[target], value=value):
            yield target, _changes(scope, statement, target, value)
        case ast.AugAssign(target=target, op=ast.Add() | ast.Sub() | ast.Mult(), value=value):
            yield target, moves_on(scope, target, value)
        case ast.For(target=ast.Name() as target) if isinstance(scope.node, ast.Module):
            yield target, variation(scope, ast.Name(target.id, ast.Load()), (statement.node,))
        case ast.Expr(value=ast.Call() as call):
            for target, argument in set_by(scope, call):
                yield target, _changes(scope, statement, target, argument)


def _is_called_with(statement: Statement, drive: Drive) -> bool:
    """Whether the call happens each time that the value is changed: in the same loop, or further down."""
    if isinstance(statement.node, Loop):
        return statement.node in drive.loops
    around = loops_around(statement)
    if around:
        return around[-1] in drive.loops
    return scopes.start_of(drive.call) > scopes.start_of(statement.node)


def _changes(scope: Scope, statement: Statement, target: ast.expr, value: ast.expr) -> Variation | None:
    """What an assignment changes: by a loop around it, or by a number that the function's caller passes."""
    return variation(scope, value, loops_around(statement)) or _counted_by_caller(scope, target, value)


def _counted_by_caller(scope: Scope, target: ast.expr, value: ast.expr) -> Variation | None:
    """`offset + 1`; a parameter that is declared an `int`, or that an attribute gets which is one."""
    match value:
        case ast.Name(id=name):
            declared = scope.bindings.get(name, [])
            annotations = [bound.annotation for bound in declared if bound.annotation is not None]
            is_int = len(declared) == 1 and [ast.unparse(node) for node in annotations] == ["int"]
            if isinstance(target, ast.Attribute) and len(declared) == 1 and not annotations:
                kind = kind_at(scope, target)
                is_int = isinstance(kind, kinds.Const | kinds.Python) and kinds.type_name(kind) == "int"
            return Variation("int") if is_int and scopes.takes(scope, name) else None
        case ast.BinOp(
            left=ast.Name(id=name), op=ast.Add() | ast.Sub() | ast.Mult(), right=ast.Constant(value=int())
        ) if scopes.takes(scope, name):
            return Variation("int")
        case _:
            return None


def _construct(scope: Scope, target: ast.expr, changes: Variation, called: list[Drive]) -> str | None:
    match target:
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)) if changes.what in _CONSTANT:
            if _is_global(scope, target, name) and _read_by_any(scope, called, name):
                return "global-set-between-calls"
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if name in (
            names_of_called(called) | set(_modules_given(called))
        ):
            cls = _module_class(scope, target.value)
            return _set_on(scope, cls, attr, changes) if cls is not None else None
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if changes.what in _CONSTANT:
            if _is_plain_object(_global(scope, name)) and _is_global(scope, target, name):
                read = (target_ for drive in called for target_ in drive.compiled.targets)
                if any(specialising.reads_attribute(each, name, attr) for each in read):
                    return "global-set-between-calls"
        case ast.Attribute(value=ast.Attribute() | ast.Subscript() as owner, attr=attr) if changes.what in (
            "int",
            "float",
            "str",
        ) and _root(owner) in names_of_called(called):
            return set_inside(scope, kind_at(scope, owner), attr, changes)
    return None


def set_inside(scope: Scope, kind: Kind, attr: str, changes: Variation) -> str | None:
    """The construct of setting an attribute of a layer inside what is called."""
    match kind:
        case kinds.External(cls=cls) if cls.startswith("torch.nn.") and changes.what != "str":
            return "torch-module-set-between-calls"
        case kinds.Instance(cls=own, module=True):
            return _set_on(scope, own, attr, changes)
        case _:
            return None


def _set_on(scope: Scope, cls: kinds.ProjectClass, attr: str, changes: Variation) -> str | None:
    """The same of a layer of the project's own: an operator may hold a float, as torch's layers do."""
    if changes.what == "float":
        return "torch-module-set-between-calls" if is_held(scope, cls, attr) else None
    if changes.what not in _CONSTANT:
        return None
    return _KEPT if is_read_in_forward(scope, cls, attr) else None


def _module_class(scope: Scope, node: ast.expr) -> kinds.ProjectClass | None:
    kind = kind_at(scope, node)
    if scope_kinds.is_compiled(kind) and isinstance(kind, kinds.External):
        kind = kind.args[0]
    return kind.cls if isinstance(kind, kinds.Instance) and kind.module else None


def _is_global(scope: Scope, target: ast.expr, name: str) -> bool:
    """Whether writing to the target changes what other functions of the file see under this name."""
    if isinstance(scope.node, ast.Module):
        return True
    declared = any(
        isinstance(statement.node, ast.Global) and name in statement.node.names for statement in scope.statements
    )
    return declared or (
        not isinstance(target, ast.Name) and name not in scope.bindings and name in scope.module.bindings
    )


def _read_by_any(scope: Scope, called: list[Drive], name: str) -> bool:
    """Whether what is called reads a global, or a function that it is given: `step(x, lambda t: t * i)`."""
    return any(
        target.module is scope.module and specialising.reads_global(target, name)
        for drive in called
        for target in (*drive.compiled.targets, *_functions_given(scope, drive.call))
    )


def _functions_given(scope: Scope, call: ast.Call) -> Iterator[Target]:
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        if isinstance(argument, ast.Lambda | ast.Name):
            kind = kind_at(scope, argument)
            if isinstance(kind, kinds.Function) and kind.receiver is None:
                yield from targets_of(scope, kind)


def _modules_given(called: list[Drive]) -> Iterator[str]:
    """The names of what calls hand on to functions that call it: `step(net, x)`, where that says `net(x)`."""
    for drive in called:
        for argument in (*drive.call.args, *(keyword.value for keyword in drive.call.keywords)):
            if isinstance(argument, ast.Name) and any(
                specialising.calls(target, parameter)
                for target in drive.compiled.targets
                if (parameter := drive.parameter(target, argument)) is not None
            ):
                yield argument.id


def _is_plain_object(kind: Kind) -> bool:
    return isinstance(kind, kinds.Instance) and not kind.module


def _global(scope: Scope, name: str) -> Kind:
    return names.global_kind(scope.inspector, scope.module, name)


def _owner(scope: Scope, target: ast.expr) -> Kind | None:
    return kind_at(scope, target.value) if isinstance(target, ast.Attribute) else None


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def names_of_called(called: list[Drive]) -> set[str]:
    """The names under which compiled modules, or what they were compiled from, are known."""
    found = {drive.call.func.id for drive in called if isinstance(drive.call.func, ast.Name)}
    return found | {drive.compiled.original for drive in called}


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_changed_between_calls,)
