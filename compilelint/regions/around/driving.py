"""Calls of something compiled, as the code around the region makes them: what is called, how, and in which loops."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import attributes, classes
from compilelint.inspect.members.attributes import OPTIMIZED_MODULE
from compilelint.regions.around import scope_kinds, scopes
from compilelint.regions.around.callers import kind_by_callers
from compilelint.regions.around.in_place import in_place_target
from compilelint.regions.around.made import made_alike
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope, asked_once
from compilelint.source.model import FunctionNode, Key, ModuleIndex
from compilelint.source.nodes import parameter_of, positional_names, walk

Loop: TypeAlias = ast.For | ast.AsyncFor | ast.While
COMPILE = "torch.compile"


class Target(Struct, frozen=True):
    """A function that runs when the compiled object is called."""

    node: FunctionNode
    module: ModuleIndex
    receiver: Kind | None = None
    """The module or object that it is a method of."""

    def parameters(self) -> list[str]:
        """The names that a caller's positional arguments go to."""
        names = positional_names(self.node.args)
        return names[1:] if self.receiver is not None else names


class Compiled(Struct, frozen=True):
    """What a callable was compiled from, and how."""

    targets: tuple[Target, ...]
    kind: Kind = kinds.UNKNOWN
    options: Mapping[str, ast.expr] = field(default_factory=dict)
    original: str = ""
    """The name of what was compiled, where it has one."""

    def has(self, option: str, value: bool) -> bool:
        node = self.options.get(option)
        return isinstance(node, ast.Constant) and node.value is value


class Drive(Struct, frozen=True):
    """One call of a compiled callable."""

    call: ast.Call
    statement: scopes.Statement
    compiled: Compiled

    @property
    def loops(self) -> tuple[Loop, ...]:
        """The loops around the call, outermost first."""
        return loops_around(self.statement)

    @property
    def owner(self) -> ast.expr | None:
        """What stands before the dot, where that is what methods are called on."""
        is_method = any(target.receiver is not None for target in self.compiled.targets)
        return self.call.func.value if is_method and isinstance(self.call.func, ast.Attribute) else None

    def parameter(self, target: Target, argument: ast.expr) -> str | None:
        """The parameter of a target that an argument of this call goes to; None for what `*args` swallows."""
        if argument is self.owner:
            return next(iter(positional_names(target.node.args)), None) if target.receiver is not None else None
        return parameter_of(self.call, target.parameters(), argument)

    def swallowed_by(self, target: Target, argument: ast.expr) -> str | None:
        """The `*args` or `**kwargs` of a target that an argument of this call goes to."""
        spec, names = target.node.args, target.parameters()
        for keyword in self.call.keywords:
            if keyword.value is argument:
                named = keyword.arg is None or keyword.arg in (*names, *(arg.arg for arg in spec.kwonlyargs))
                return None if named or spec.kwarg is None else spec.kwarg.arg
        return spec.vararg.arg if spec.vararg is not None and self.parameter(target, argument) is None else None


def loops_around(statement: scopes.Statement) -> tuple[Loop, ...]:
    return tuple(node for node in statement.ancestors if isinstance(node, Loop))


@asked_once
def drives(scope: Scope) -> list[Drive]:
    """All calls of compiled callables that the scope itself makes, in order."""
    in_place = _compiled_in_place(scope)
    found = [
        Drive(node, statement, compiled)
        for statement, node in scope.calls
        if isinstance(node.func, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
        and (compiled := _compiled(scope, node.func, in_place)) is not None
    ]
    return sorted(found, key=lambda drive: scopes.start_of(drive.call))


def compiled_callable(scope: Scope, node: ast.expr) -> Compiled | None:
    """What an expression that may be called was compiled from; None where it is not seen to be compiled."""
    if not isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
        return None
    return _compiled(scope, node, _compiled_in_place(scope))


def _compiled(scope: Scope, node: ast.expr, in_place: Mapping[str, scopes.Position]) -> Compiled | None:
    """What a callee was compiled from; None where it is not seen to be compiled."""
    if scope.given_compiled and (handed := _handed(scope, node)) is not None:
        return handed
    match node:
        case ast.Call():
            target = scope_kinds.compile_target(scope, node)
            return _from_call(scope, node, target) if target is not None else _decorated(scope, kind_at(scope, node))
        case ast.Name(id=name):
            return _compiled_name(scope, node, name, in_place)
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if scope.owner is not None and name == scope.self_name:
            return _compiled_attribute(scope, scope.owner, attr)
    return _decorated(scope, kind_at(scope, node))


def _handed(scope: Scope, node: ast.expr) -> Compiled | None:
    """What was compiled before it was handed to this function, under the name of a parameter that is still it, or in an
    attribute that keeps it."""
    match node:
        case ast.Name(id=name):
            found = scopes.binding_at(scope, name, scopes.start_of(node))
            is_still = found is not None and found[0] is scope and found[1].since == (0, 0)
        case ast.Attribute(attr=attr):
            is_still = attr not in scope.held
        case _:
            return None
    handed: Compiled | None = scope.given_compiled.get(ast.unparse(node)) if is_still else None
    return handed


def _compiled_name(scope: Scope, node: ast.Name, name: str, in_place: Mapping[str, scopes.Position]) -> Compiled | None:
    here = scopes.start_of(node)
    if name in in_place and in_place[name] < here:
        kind = kind_by_callers(scope, node)
        return Compiled(tuple(targets_of(scope, kind)), kind, original=name)
    replaced = _replaced_forward(scope, name, here)
    if replaced is not None:
        return replaced
    found = scopes.binding_at(scope, name, here)
    if found is None:
        return _decorated(scope, kind_at(scope, node))
    where, bound = found
    if bound.kind is not None:
        return _decorated(where, bound.kind)
    made = [compiled for each in scopes.alternatives(where, name, bound) for compiled in _made(where, each)]
    if made:
        targets = (target for compiled in made for target in compiled.targets)
        return replace(made[-1], targets=tuple(targets), kind=kinds.join(*(compiled.kind for compiled in made)))
    if bound.iterated is None and any(scope_kinds.gives_compiled(where, call) for call in _calls_among(bound.value)):
        kind = kind_at(scope, node)
        return Compiled(tuple(targets_of(scope, kind)), kind)
    return _decorated(scope, kind_at(scope, node))


def _made(scope: Scope, bound: scopes.Bound) -> Iterator[Compiled]:
    """What a name is bound to that `torch.compile(…)` gives."""
    for call in _calls_among(bound.value) if bound.iterated is None else ():
        target = scope_kinds.compile_target(scope, call)
        if target is not None:
            yield _from_call(scope, call, target)


def _replaced_forward(scope: Scope, name: str, here: scopes.Position) -> Compiled | None:
    """What runs when a model is called that got `model.forward = torch.compile(model.forward)` before."""
    before = [bound for owner, bound in scope.held.get("forward", ()) if owner == name and bound.since <= here]
    value = max(before, key=lambda bound: bound.since).value if before else None
    target = scope_kinds.compile_target(scope, value) if value is not None else None
    return _from_call(scope, value, target) if isinstance(value, ast.Call) and target is not None else None


def _calls_among(value: ast.expr | None) -> Iterator[ast.Call]:
    """The calls one of which a value is: `torch.compile(f) if options.compile else f`."""
    match value:
        case ast.Call():
            yield value
        case ast.IfExp(body=body, orelse=orelse):
            yield from (*_calls_among(body), *_calls_among(orelse))


def _from_call(scope: Scope, call: ast.Call, target: ast.expr) -> Compiled:
    options = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    if isinstance(target, ast.Lambda):
        return Compiled((Target(target, scope.module),), kinds.UNKNOWN, options)
    kind = kind_at(scope, target, scopes.start_of(call))
    if kind == kinds.UNKNOWN:  # `def train(model): model = torch.compile(model)`: those who call it tell.
        kind = kind_by_callers(scope, target)
    original = target.id if isinstance(target, ast.Name) else ""
    return Compiled(tuple(targets_of(scope, kind)), kind, options, original)


def _compiled_kind(scope: Scope, kind: Kind) -> Compiled | None:
    """A value that is the wrapper of a compiled module, or may be."""
    found = scope_kinds.compiled_among(kind)
    return Compiled(tuple(targets_of(scope, found[0].args[0])), found[0].args[0]) if found is not None else None


def _decorated(scope: Scope, kind: Kind) -> Compiled | None:
    """`@torch.compile` above a function, or above what runs when an object is called."""
    if isinstance(kind, kinds.Instance):
        kind = _called(scope, kind) or kind
    info = scope.inspector.tree.function(kind.key) if isinstance(kind, kinds.Function) else None
    module = scope.inspector.tree.module(info.key[0]) if info is not None else None
    if info is None or module is None:
        return _compiled_kind(scope, kind)
    for node in info.decorators:
        called, keywords = (node.func, node.keywords) if isinstance(node, ast.Call) else (node, [])
        if scope.inspector.evaluate_globally(module, called) == kinds.Reference(COMPILE):
            options = {keyword.arg: keyword.value for keyword in keywords if keyword.arg is not None}
            return Compiled(tuple(targets_of(scope, kind)), kind, options)
    return None


def _called(scope: Scope, instance: kinds.Instance) -> Kind | None:
    """The method that runs when an object is called."""
    method = classes.find_method(scope.inspector, instance.cls, "forward" if instance.module else "__call__")
    return attributes.bound_method(scope.inspector, method, instance) if method is not None else None


def _compiled_attribute(scope: Scope, owner: kinds.Instance, attr: str) -> Compiled | None:
    """`self.step`, which a method of the class has set to `torch.compile(…)`, or which is decorated."""
    inspector = scope.inspector
    method = classes.find_method(inspector, owner.cls, attr)
    if method is not None:
        return _decorated(scope, attributes.bound_method(inspector, method, owner))
    by_attribute = _calls_by_attribute(scope.outermost).get(owner.cls.key, {})
    for self_name, call in by_attribute.get(attr, ()):
        if inspector.evaluate_globally(scope.module, call.func) == kinds.Reference(COMPILE) and call.args:
            return _compiled_member(scope, owner, attr, self_name, call)
        if isinstance(call.func, ast.Name) and scope_kinds.gives_compiled(scope.outermost, call):
            kind = inspector.attribute(owner, attr)
            return Compiled(tuple(targets_of(scope, kind)), kind)
    return None


@asked_once
def _calls_by_attribute(outermost: Scope) -> dict[Key, dict[str, list[tuple[str, ast.Call]]]]:
    """For each class of the file the calls whose results its methods assign to attributes of `self`, by attribute; each
    with the name that the method has for `self`."""
    found: dict[Key, dict[str, list[tuple[str, ast.Call]]]] = {}
    functions = outermost.module.functions
    for info in outermost.module.classes.values():
        by_attribute = found.setdefault(info.key, {})
        for function in (functions[key] for key in info.methods.values()):
            if not function.node.args.args:
                continue
            self_name = function.node.args.args[0].arg
            for node in walk(function.node):
                match node:
                    case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=receiver), attr=name)], value=value) if (
                        receiver == self_name
                    ):
                        by_attribute.setdefault(name, []).extend((self_name, call) for call in _calls_among(value))
    return found


def _compiled_member(scope: Scope, owner: kinds.Instance, attr: str, self_name: str, call: ast.Call) -> Compiled:
    """What `torch.compile(self.model)` compiles, or `torch.compile(loss)`: that is what the attribute holds."""
    options = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    match call.args[0]:
        case ast.Attribute(value=ast.Name(id=name), attr=before) if name == self_name:
            kind = scope.inspector.attribute(owner, before)
        case _:
            kind = scope.inspector.attribute(owner, attr)
    if kind == kinds.UNKNOWN or kind == kinds.External(OPTIMIZED_MODULE, (kinds.UNKNOWN,)):
        # `def __init__(self, model): self.model = torch.compile(model)`: those who make one tell.
        kind = scope.inspector.attribute(made_alike(scope.inspector, owner), attr)
    return Compiled(tuple(targets_of(scope, kind)), kind, options)


def _compiled_in_place(scope: Scope) -> dict[str, scopes.Position]:
    """Names of modules that `module.compile()` compiles, with the place from which on they are."""
    found: dict[str, scopes.Position] = {}
    for statement in scope.statements:
        if isinstance(statement.node, ast.Expr):
            target = in_place_target(scope, statement.node.value)
            if isinstance(target, ast.Name):
                found.setdefault(target.id, scopes.end_of(statement.node))
    return found


def targets_of(scope: Scope, kind: Kind) -> Iterator[Target]:
    """The project's functions that run when a value of this kind is called."""
    inspector = scope.inspector
    match kind:
        case kinds.Function():
            info, module = inspector.tree.function(kind.key), inspector.tree.module(kind.key[0])
            if info is not None and module is not None:
                yield Target(info.node, module, kind.receiver)
        case kinds.Instance():
            for name in ("__call__", "forward"):
                method = classes.find_method(inspector, kind.cls, name)
                if method is not None and (name == "forward" or not kind.module):
                    yield from targets_of(scope, attributes.bound_method(inspector, method, kind))
                    return
        case kinds.Union(options=options):
            for option in options:
                yield from targets_of(scope, option)
        case kinds.External(cls=cls, args=(inner, *_)) if cls == OPTIMIZED_MODULE:
            yield from targets_of(scope, inner)
