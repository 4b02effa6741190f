"""Values that the code around a compiled call changes between calls, and that the compiled function reads."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from msgspec import Struct

from compilelint.inspect import kinds, names
from compilelint.inspect.kinds import Kind
from compilelint.regions.around import scope_kinds, scopes
from compilelint.regions.around.compiled import Target, targets_of
from compilelint.regions.around.driving import Drive, Loop, drives, loops_around
from compilelint.regions.around.indirect import drives_of_callees
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope, Statement
from compilelint.regions.changes import specialising
from compilelint.regions.changes.between_functions import variation_by_calls
from compilelint.regions.changes.compiled_apart import is_read_in_forward
from compilelint.regions.changes.effects import FEW
from compilelint.regions.changes.float_uses import constant_float_use
from compilelint.regions.changes.instance_floats import is_held
from compilelint.regions.changes.kept_objects import kept_as
from compilelint.regions.changes.reached import reached
from compilelint.regions.changes.setters import counted_by, set_by, set_by_name
from compilelint.regions.changes.spelled import spelling, without_wrapper, without_wrappers
from compilelint.regions.changes.steps import moves_on
from compilelint.regions.changes.variations import Variation
from compilelint.regions.changes.varying import variation
from compilelint.regions.usage import Usage
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import positional_names

_KEPT = "attribute-set-in-loop"
_OPTIONS = frozenset(
    (
        *("p", "dropout", "momentum", "eps", "negative_slope", "alpha", "beta", "lambd", "threshold", "value"),
        *("lower", "upper", "min_val", "max_val", "label_smoothing", "margin", "delta", "ignore_index", "blank"),
        *("kernel_size", "stride", "padding", "dilation", "output_padding", "groups", "num_groups", "num_heads"),
        *("max_norm", "norm_type", "padding_idx", "scale_factor", "size", "output_size", "output_ratio", "k"),
        *("upscale_factor", "downscale_factor", "dim", "start_dim", "end_dim", "divisor_override", "num_layers"),
    )
)
"""The numbers that layers of torch's read when they run, by name."""
_CONSTANT = ("int", "str")
"""What Dynamo takes for a constant outside of arguments; a `float` becomes dynamic."""


class _Written(Struct, frozen=True):
    """What a statement sets, and to what."""

    target: ast.expr
    value: ast.expr
    moved: bool = False
    """Whether the value is added to what was there."""


def _changed_between_calls(scope: Scope) -> Iterator[Usage]:
    called = drives(scope)
    for statement in scope.statements if called or (_has_loops(scope) and drives_of_callees(scope)) else ():
        near = [drive for drive in called if _is_called_with(statement, drive)]
        in_loop = bool(loops_around(statement))
        for written in _written(scope, statement) if near or in_loop else ():
            changes, confidence = _changes(scope, statement, written)
            if changes is None or (changes.values is not None and changes.values < FEW):
                continue
            construct = _construct(scope, written.target, changes, near)
            if construct is None and in_loop:
                others = [drive for drive in drives_of_callees(scope) if _is_called_with(statement, drive)]
                construct = _construct(scope, written.target, changes, others)
            if construct is not None:
                node = written.target if isinstance(statement.node, ast.For) else statement.node
                callee = "str" if changes.what == "str" and construct == _KEPT else ""
                receiver = _owner(scope, written.target)
                yield Usage(construct, node, callee, receiver=receiver, confidence=confidence)


def _has_loops(scope: Scope) -> bool:
    return any(isinstance(statement.node, Loop) for statement in scope.statements)


def _written(scope: Scope, statement: Statement) -> Iterator[_Written]:
    match statement.node:
        case ast.Assign(targets=[target], value=value):
            yield _Written(target, value)
        case ast.AugAssign(target=target, op=ast.Add() | ast.Sub() | ast.Mult(), value=value):
            yield _Written(target, value, moved=True)
        case ast.For(target=ast.Name() as target):
            yield _Written(target, ast.Name(target.id, ast.Load()))
        case ast.Expr(value=ast.Call() as call):
            for target, value in (*set_by_name(statement.node), *set_by(scope, call)):
                yield _Written(target, value)
            for target, value in counted_by(scope, call):
                yield _Written(target, value, moved=True)


def _is_called_with(statement: Statement, drive: Drive) -> bool:
    """Whether the call happens each time that the value is changed: in the same loop, or further down."""
    if isinstance(statement.node, Loop):
        return statement.node in drive.loops
    around = loops_around(statement)
    if around:
        return around[-1] in drive.loops
    return scopes.start_of(drive.call) > scopes.start_of(statement.node)


def _changes(scope: Scope, statement: Statement, written: _Written) -> tuple[Variation | None, Confidence]:
    """What is changed: by a loop around it, or by a number that the function's caller passes; and how sure that is."""
    if written.moved:
        return moves_on(scope, written.target, written.value), Confidence.HIGH
    if isinstance(statement.node, ast.For):
        is_global = isinstance(scope.node, ast.Module)
        return (variation(scope, written.value, (statement.node,)) if is_global else None), Confidence.HIGH
    found = variation(scope, written.value, loops_around(statement))
    found = reached(statement, loops_around(statement), written.value, found) if found is not None else None
    found = found or _counted_by_caller(scope, written.target, written.value)
    if found is not None:
        return found, Confidence.HIGH
    return variation_by_calls(scope, written.value), Confidence.MEDIUM


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
            if _is_global(scope, name) and _read_by_any(scope, called, name):
                return "global-set-between-calls"
        case ast.Name() | ast.Subscript() | ast.Attribute() if changes.what == "float":
            if _is_float_needed(scope, target, called):
                return "global-set-between-calls"
    if not isinstance(target, ast.Attribute | ast.Subscript):
        return None
    owner = without_wrapper(target.value)
    for drive in called:
        for name in names_of_called([drive]):
            if isinstance(target, ast.Attribute) and spelling(owner) == name:
                construct = _set_on_called(scope, drive, owner, target.attr, changes)
            else:
                construct = _set_in_called(scope, drive, name, target, changes) if _is_in(owner, name) else None
            if construct is not None:
                return construct
    match target:
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if changes.what in _CONSTANT:
            if any(
                _is_read_by(scope, drive, f".{own}.{attr}") for drive in called for own in kept_as(scope, drive, name)
            ):
                return _KEPT
            if _is_plain(_global(scope, name)) and _is_global(scope, name):
                read = (target_ for drive in called for target_ in drive.compiled.targets)
                if any(specialising.reads_attribute(each, name, attr) for each in read):
                    return "global-set-between-calls"
    return None


def _set_on_called(scope: Scope, drive: Drive, owner: ast.expr, attr: str, changes: Variation) -> str | None:
    """The construct of setting an attribute of the module that is called, or that has a method which is."""
    if isinstance(drive.compiled.kind, kinds.Function) and drive.compiled.kind.receiver is not None:
        receiver = drive.compiled.kind.receiver
        is_module = isinstance(receiver, kinds.Instance) and receiver.module
        return _KEPT if is_module and changes.what in _CONSTANT and _is_read_by(scope, drive, f".{attr}") else None
    cls = _module_class(kind_at(scope, owner)) or _module_class(drive.compiled.kind)
    return _set_on(scope, cls, attr, changes) if cls is not None else None


def _set_in_called(scope: Scope, drive: Drive, name: str, target: ast.expr, changes: Variation) -> str | None:
    """The same of something that the module holds: a layer, an object with options, a dict."""
    owner = target.value if isinstance(target, ast.Attribute | ast.Subscript) else target
    kind = kind_at(scope, without_wrappers(owner))
    if isinstance(target, ast.Attribute) and changes.what in ("int", "float", "str"):
        construct = set_inside(scope, kind, target.attr, changes)
        if construct is not None:
            return construct
    whole = spelling(without_wrappers(target))
    is_own = scope_kinds.is_module(kind) and not isinstance(kind, kinds.External)
    if whole is None or changes.what not in _CONSTANT or is_own:
        return None
    return _KEPT if _is_read_by(scope, drive, whole[len(name) :]) else None


def _is_read_by(scope: Scope, drive: Drive, path: str) -> bool:
    """Whether a method that is called reads what the object it belongs to holds so: `.options.depth`."""
    return any(
        specialising.reads_held(scope, target, f"{first}{path}", {})
        for target in drive.compiled.targets
        if target.receiver is not None
        for first in positional_names(target.node.args)[:1]
    )


def _is_in(owner: ast.expr, name: str) -> bool:
    """Whether something belongs to what has a name: `net.layers[i]` to `net`."""
    while isinstance(owner, ast.Attribute | ast.Subscript):
        owner = without_wrapper(owner.value)
        if spelling(owner) == name:
            return True
    return False


def set_inside(scope: Scope, kind: Kind, attr: str, changes: Variation) -> str | None:
    """The construct of setting an attribute of a layer inside what is called."""
    match kind:
        case kinds.External(cls=cls) if cls.startswith("torch.nn.") and changes.what != "str":
            # What else somebody keeps on a layer of torch's, `layer.calls += 1`, its `forward` does not read.
            return "torch-module-set-between-calls" if attr in _OPTIONS else None
        case kinds.Instance(cls=own, module=True):
            return _set_on(scope, own, attr, changes)
        case kinds.Union(options=layers):
            # One of the layers of a container: `net[1].momentum = m`.
            found = [set_inside(scope, layer, attr, changes) for layer in layers]
            return found[0] if len(set(found)) == 1 else None
        case _:
            return None


def _set_on(scope: Scope, cls: kinds.ProjectClass, attr: str, changes: Variation) -> str | None:
    """The same of a layer of the project's own: an operator may hold a float, as torch's layers do."""
    if changes.what == "float":
        return "torch-module-set-between-calls" if is_held(scope, cls, attr) else None
    if changes.what not in _CONSTANT:
        return None
    return _KEPT if is_read_in_forward(scope, cls, attr) else None


def _module_class(kind: Kind) -> kinds.ProjectClass | None:
    if scope_kinds.is_compiled(kind) and isinstance(kind, kinds.External):
        kind = kind.args[0]
    return kind.cls if isinstance(kind, kinds.Instance) and kind.module else None


def _is_global(scope: Scope, name: str) -> bool:
    """Whether writing to a name, or to what it holds, changes what other functions of the file see under it."""
    if isinstance(scope.node, ast.Module):
        return True
    declared = any(
        isinstance(statement.node, ast.Global) and name in statement.node.names for statement in scope.statements
    )
    return declared or (name not in scope.bindings and name in scope.module.bindings)


def _read_by_any(scope: Scope, called: list[Drive], name: str) -> bool:
    """Whether what is called reads a global, or a function that it is given: `step(x, lambda t: t * i)`."""
    return any(
        target.module is scope.module and specialising.reads_global(target, name)
        for drive in called
        for target in (*drive.compiled.targets, *_functions_given(scope, drive.call))
    )


def _is_float_needed(scope: Scope, target: ast.expr, called: list[Drive]) -> bool:
    """Whether what is called needs a `float` as a constant that a global is, or holds: `F.dropout(x, RATE)`."""
    spelled = spelling(target) or ""
    name = spelled.partition(".")[0].partition("[")[0]
    if not name or not _is_global(scope, name) or scope_kinds.is_module(_global(scope, name)):
        return False
    return any(
        each.module is scope.module
        and specialising.reads_global(each, name)
        and constant_float_use(scope, each, spelled, {}) is not None
        for drive in called
        for each in drive.compiled.targets
    )


def _functions_given(scope: Scope, call: ast.Call) -> Iterator[Target]:
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        if isinstance(argument, ast.Lambda | ast.Name):
            kind = kind_at(scope, argument)
            if isinstance(kind, kinds.Function) and kind.receiver is None:
                yield from targets_of(scope, kind)


def _modules_given(drive: Drive) -> Iterator[str]:
    """The names of what a call hands on to functions that call it: `step(net, x)`, where that says `net(x)`."""
    for argument in (*drive.call.args, *(keyword.value for keyword in drive.call.keywords)):
        name = spelling(argument)
        if name is not None and any(
            specialising.calls(target, parameter)
            for target in drive.compiled.targets
            if (parameter := drive.parameter(target, argument)) is not None
        ):
            yield name


def _is_plain(kind: Kind) -> bool:
    """Whether it is an object that is no module, or a class: what these hold is guarded on as a global is."""
    return isinstance(kind, kinds.ProjectClass) or (isinstance(kind, kinds.Instance) and not kind.module)


def _global(scope: Scope, name: str) -> Kind:
    return names.global_kind(scope.inspector, scope.module, name)


def _owner(scope: Scope, target: ast.expr) -> Kind | None:
    return kind_at(scope, target.value) if isinstance(target, ast.Attribute) else None


def names_of_called(called: list[Drive]) -> set[str]:
    """How compiled modules, or what they were compiled from, are spelled, and what the calls hand on."""
    found: set[str] = set()
    for drive in called:
        for name in (spelling(without_wrapper(drive.call.func)), drive.compiled.original):
            is_method = isinstance(drive.compiled.kind, kinds.Function) and "." in (name or "")
            found.add((name or "").rpartition(".")[0] if is_method else name or "")
        found.update(_modules_given(drive))
    return found - {""}


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_changed_between_calls,)
