"""What may be called that `torch.compile` has been at, and what runs then."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.calling.function_decorators import compiling_options
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import attributes, classes
from compilelint.inspect.members.attributes import OPTIMIZED_MODULE
from compilelint.regions.around import scope_kinds, scopes
from compilelint.regions.around.called_items import items_called, kind_in_comprehension
from compilelint.regions.around.callers import kind_by_callers
from compilelint.regions.around.compiled_by_methods import (
    calls_among,
    calls_by_attribute,
    compiled_in_place_by,
    says_compile,
)
from compilelint.regions.around.in_place import in_place_target
from compilelint.regions.around.made import made_alike
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope, asked_once
from compilelint.regions.around.wrapped_calls import bound_first, compiles_first, wrapped
from compilelint.source.model import FunctionInfo, FunctionNode, ModuleIndex
from compilelint.source.nodes import positional_names

COMPILE = "torch.compile"


class Target(Struct, frozen=True):
    """A function that runs when the compiled object is called."""

    node: FunctionNode
    module: ModuleIndex
    receiver: Kind | None = None
    """The module or object that it is a method of."""
    bound: int = 0
    """How many of its first arguments it has been given already."""

    def parameters(self) -> list[str]:
        """The names that a caller's positional arguments go to."""
        names = positional_names(self.node.args)
        return names[self.bound + (self.receiver is not None) :]


class Compiled(Struct, frozen=True):
    """What a callable was compiled from, and how."""

    targets: tuple[Target, ...]
    kind: Kind = kinds.UNKNOWN
    options: Mapping[str, ast.expr] = field(default_factory=dict)
    original: str = ""
    """How what was compiled is spelled, where it has a name."""

    def has(self, option: str, value: bool) -> bool:
        node = self.options.get(option)
        return isinstance(node, ast.Constant) and node.value is value


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
            return _of_call(scope, node) or _decorated(scope, kind_at(scope, node))
        case ast.Name(id=name):
            return _compiled_name(scope, node, name, in_place) or _any_item(scope, node)
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if scope.owner is not None and name == scope.self_name:
            return _compiled_attribute(scope, scope.owner, attr)
        case ast.Attribute():
            return _put_on(scope, node) or _attribute_of(scope, node) or _decorated(scope, kind_at(scope, node))
        case ast.Subscript():
            return _any_item(scope, node) or _decorated(scope, kind_at(scope, node))
    return _decorated(scope, kind_at(scope, node))


def _of_call(scope: Scope, call: ast.Call) -> Compiled | None:
    """What a call gives that is compiled: `torch.compile(f)`, or a wrapper around it."""
    target = scope_kinds.compile_target(scope, call)
    if target is not None:
        return _from_call(scope, call, target)
    bound = bound_first(scope, call)
    if bound is not None:
        inner = compiled_callable(scope, bound[0])
        return inner and replace(inner, targets=tuple(replace(each, bound=bound[1]) for each in inner.targets))
    around = wrapped(scope, call)
    return compiled_callable(scope, around) if around is not None else None


def _any_item(scope: Scope, node: ast.Name | ast.Subscript) -> Compiled | None:
    """What the items of a container were compiled from, one of which is called."""
    found = []
    for item, generator in items_called(scope, node):
        target = scope_kinds.compile_target(scope, item)
        if isinstance(item, ast.Call) and target is not None:
            kind = kind_in_comprehension(scope, target, generator)
            found.append(_from_call(scope, item, target, kind))
        elif generator is None and isinstance(item, ast.Name) and (each := compiled_callable(scope, item)) is not None:
            found.append(each)
    return _one_of(found)


def _one_of(made: Sequence[Compiled]) -> Compiled | None:
    """One of several: what any of them was compiled from."""
    if not made:
        return None
    targets = (target for compiled in made for target in compiled.targets)
    return replace(made[-1], targets=tuple(targets), kind=kinds.join(*(compiled.kind for compiled in made)))


def _put_on(scope: Scope, node: ast.Attribute) -> Compiled | None:
    """What a script set an attribute to before: `model.encode = torch.compile(model.encode)`."""
    held = scope.held.get(node.attr)
    if held is None:
        return None
    owner, here = ast.unparse(node.value), scopes.start_of(node)
    bound = scopes.last_seen(scope, (bound for of, bound in held if of == owner), here)
    return _one_of(list(_made(scope, bound))) if bound is not None else None


def _attribute_of(scope: Scope, node: ast.Attribute) -> Compiled | None:
    """The same of an object whose class sets it."""
    owner = kind_at(scope, node.value)
    return _compiled_attribute(scope, owner, node.attr) if isinstance(owner, kinds.Instance) else None


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
        return _one_of(made)
    if bound.iterated is None and any(scope_kinds.gives_compiled(where, call) for call in calls_among(bound.value)):
        kind = kind_at(scope, node)
        return Compiled(tuple(targets_of(scope, kind)), kind)
    return _decorated(scope, kind_at(scope, node))


def _made(scope: Scope, bound: scopes.Bound) -> Iterator[Compiled]:
    """What a name is bound to that `torch.compile(…)` gives."""
    for call in calls_among(bound.value) if bound.iterated is None else ():
        compiled = _of_call(scope, call)
        if compiled is not None:
            yield compiled


def _replaced_forward(scope: Scope, name: str, here: scopes.Position) -> Compiled | None:
    """What runs when a model is called that got `model.forward = torch.compile(model.forward)` before."""
    before = [bound for owner, bound in scope.held.get("forward", ()) if owner == name and bound.since <= here]
    value = max(before, key=lambda bound: bound.since).value if before else None
    target = scope_kinds.compile_target(scope, value) if value is not None else None
    return _from_call(scope, value, target) if isinstance(value, ast.Call) and target is not None else None


def _from_call(scope: Scope, call: ast.Call, target: ast.expr, known: Kind = kinds.UNKNOWN) -> Compiled:
    options = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    if isinstance(target, ast.Lambda):
        return Compiled((Target(target, scope.module),), kinds.UNKNOWN, options)
    kind = known if known != kinds.UNKNOWN else kind_at(scope, target, scopes.start_of(call))
    if kind == kinds.UNKNOWN:  # `def train(model): model = torch.compile(model)`: those who call it tell.
        kind = kind_by_callers(scope, target)
    original = ast.unparse(target) if isinstance(target, ast.Name | ast.Attribute) else ""
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
    options = _options_of_decorators(scope.inspector, module, info) if info.decorators else None
    return Compiled(tuple(targets_of(scope, kind)), kind, options) if options is not None else None


def _options_of_decorators(inspector: Inspector, module: ModuleIndex, info: FunctionInfo) -> dict[str, ast.expr] | None:
    """What the decorator of a function gives `torch.compile`; None where none of them compiles."""
    return inspector.derived(
        ("compiling decorator", info.key),
        lambda: next(filter(lambda found: found is not None, _options_of_each(inspector, module, info)), None),
    )


def _options_of_each(
    inspector: Inspector, module: ModuleIndex, info: FunctionInfo
) -> Iterator[dict[str, ast.expr] | None]:
    for node in info.decorators:
        called, keywords = (node.func, node.keywords) if isinstance(node, ast.Call) else (node, [])
        decorator = inspector.evaluate_globally(module, called)
        if decorator == kinds.Reference(COMPILE):
            yield {keyword.arg: keyword.value for keyword in keywords if keyword.arg is not None}
        if isinstance(decorator, kinds.Function | kinds.Partial):
            decorator = inspector.evaluate_globally(module, node)
            given = compiling_options(decorator)
            if given is not None or compiles_first(inspector, decorator):
                told = {name: value for name, value in (given or {}).items() if isinstance(value, kinds.Const)}
                yield {name: ast.Constant(value.value) for name, value in told.items()}


def _called(scope: Scope, instance: kinds.Instance) -> Kind | None:
    """The method that runs when an object is called."""
    method = classes.find_method(scope.inspector, instance.cls, "forward" if instance.module else "__call__")
    return attributes.bound_method(scope.inspector, method, instance) if method is not None else None


def _compiled_attribute(scope: Scope, owner: kinds.Instance, attr: str) -> Compiled | None:
    """`self.step`, which a method of the class has set to `torch.compile(…)`, or which is decorated."""
    inspector = scope.inspector
    method = classes.find_method(inspector, owner.cls, attr)
    if method is not None and (decorated := _decorated(scope, attributes.bound_method(inspector, method, owner))):
        return decorated
    for cls in classes.mro(inspector, owner.cls):
        info = inspector.tree.class_(cls.key) if isinstance(cls, kinds.ProjectClass) else None
        module = inspector.tree.module(info.key[0]) if info is not None else None
        if info is None or module is None or not (module is scope.module or says_compile(inspector, info)):
            continue
        for self_name, call in calls_by_attribute(inspector, info).get(attr, ()):
            if inspector.evaluate_globally(module, call.func) == kinds.Reference(COMPILE) and call.args:
                return _compiled_member(scope, owner, attr, self_name, call)
            is_here = module is scope.module and isinstance(call.func, ast.Name)
            if is_here and scope_kinds.gives_compiled(scope.outermost, call):
                kind = inspector.attribute(owner, attr)
                return Compiled(tuple(targets_of(scope, kind)), kind)
        if attr in compiled_in_place_by(inspector, info):
            kind = inspector.attribute(owner, attr)
            kind = inspector.attribute(made_alike(inspector, owner), attr) if kind == kinds.UNKNOWN else kind
            return Compiled(tuple(targets_of(scope, kind)), kind) if scope_kinds.is_module(kind) else None
    return None


def _compiled_member(scope: Scope, owner: kinds.Instance, attr: str, self_name: str, call: ast.Call) -> Compiled:
    """What `torch.compile(self.model)` compiles, or `torch.compile(loss)`: that is what the attribute holds."""
    options = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    original = ""
    match call.args[0]:
        case ast.Attribute(value=ast.Name(id=name), attr=before) if name == self_name:
            kind = scope.inspector.attribute(owner, before)
            original = f"{scope.self_name}.{before}" if owner == scope.owner else ""
        case _:
            kind = scope.inspector.attribute(owner, attr)
    if kind == kinds.UNKNOWN or kind == kinds.External(OPTIMIZED_MODULE, (kinds.UNKNOWN,)):
        # `def __init__(self, model): self.model = torch.compile(model)`: those who make one tell.
        kind = scope.inspector.attribute(made_alike(scope.inspector, owner), attr)
    return Compiled(tuple(targets_of(scope, kind)), kind, options, original)


@asked_once
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
