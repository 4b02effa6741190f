"""What methods assign to `self`: the attributes of instances, as they are long after."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.arguments.declared_classes import seen_as_declared
from compilelint.inspect.arguments.parameters import as_arguments, either, first_parameter
from compilelint.inspect.frame import Frame, Route
from compilelint.inspect.kinds import UNKNOWN, Instance, Kind, ProjectClass
from compilelint.inspect.members import (
    classes,
    computed_names,
    forward_hooks,
    handed_up,
    kept_locals,
    records,
    registered,
    set_from_outside,
)
from compilelint.inspect.members.chosen_parts import Choices
from compilelint.inspect.members.objects import is_object
from compilelint.inspect.members.setting import setters
from compilelint.inspect.syntax import expressions, statements, unpacking
from compilelint.source.index import flat_statements
from compilelint.source.model import FunctionInfo, Key
from compilelint.source.nodes import is_none
from compilelint.source.watched import stores

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector


class Assigned(NamedTuple):
    """What the methods of a class assign to `self`."""

    attributes: dict[str, Kind]
    choices: tuple[Choices, ...]
    """What each `__init__` has chosen by a flag, that of the furthest base first."""


def assigned(inspector: Inspector, instance: Instance) -> Assigned:
    """What the methods of an instance's class and its bases assign to `self`, `__init__` before all others."""
    choices: list[Choices] = []
    fields = records.fields(inspector, instance.cls) if instance.given else ()
    found: dict[str, Kind] = {name: kind for name, kind in instance.given if name in fields}
    for base in reversed(classes.mro(inspector, instance.cls)):
        if isinstance(base, ProjectClass):
            by_init, chosen = _assigned_by_init(inspector, instance, base, found)
            choices += chosen
            found.update(by_init)
    for base in reversed(classes.mro(inspector, instance.cls)):
        if isinstance(base, ProjectClass):
            for name, kind in _assigned_by_others(inspector, base).items():
                if found.get(name, kinds.NONE) in (UNKNOWN, kinds.NONE):
                    by_default = kinds.NONE if is_none(classes.default(inspector, instance.cls, name)) else kind
                    found[name] = kinds.join(kind, found.get(name, by_default))
    for name in [name for name, kind in found.items() if kind == kinds.NONE]:
        found[name] = kinds.join(set_from_outside.given(inspector, instance.cls, name), kinds.NONE)
    held = {name: as_attribute(kind) for name, kind in found.items()}
    return Assigned(held | _computed_fields(instance, fields), tuple(choices))


def _computed_fields(record: Instance, fields: tuple[str, ...]) -> dict[str, Kind]:
    """The tensors that the region has computed before it made a record of them: they were not there before."""
    return {
        name: kind
        for name, kind in record.given
        if name in fields and isinstance(kind, kinds.Tensor) and not kind.parameter
    }


def as_attribute(kind: Kind) -> Kind:
    """What an attribute is long after it was assigned: options change, tensors outlive calls."""
    match kind:
        case kinds.Const(value=None):
            return UNKNOWN
        case kinds.Tensor():
            return replace(kind, parameter=True, foreseen=False)
        case kinds.Array(number=True):
            return replace(kind, kept=True)
        case kinds.Python(training=True):
            return kinds.BOOL
        case kinds.Sequence() if kind.type == "list":
            return kinds.Sequence("list", _as_item(kinds.element(kind)) if kind.items != () else UNKNOWN)
        case kinds.Sequence(type="tuple", items=(_, *_) as items):
            return kinds.widen(replace(kind, items=tuple(map(_as_item, items))))
        case kinds.Union(options=options):
            return kinds.join(*(option if option == kinds.NONE else as_attribute(option) for option in options))
        case _:
            return kinds.widen(kind)


def _as_item(kind: Kind) -> Kind:
    """What an attribute holds: its tensors have been there as long as itself."""
    match kind:
        case kinds.Tensor():
            return replace(kind, parameter=True, foreseen=False)
        case kinds.Union(options=options):
            return kinds.join(*map(_as_item, options))
        case _:
            return kind


def _assigned_by_init(
    inspector: Inspector, instance: Instance, base: ProjectClass, inherited: Mapping[str, Kind]
) -> tuple[dict[str, Kind], tuple[Choices, ...]]:
    info = inspector.tree.class_(base.key)
    if info is None or "__init__" not in info.methods:
        return {}, ()
    key = info.methods["__init__"]
    function, module = inspector.tree.function(key), inspector.tree.module(key[0])
    if function is None or module is None:
        return {}, ()
    declared = inspector.declared(kinds.Function(key, function.qualname, instance))
    env = {name: UNKNOWN if kind == kinds.NONE else either(kind) for name, kind in declared.items()}
    given = handed_up.given(inspector, instance, base)
    seen = seen_as_declared(inspector, function, given)
    env |= {name: kind for name, kind in seen.items() if name in env}
    if instance.of_program and base.key == instance.cls.key:
        env |= {name: kind for name, kind in instance.options if name in env}
    if (rest := function.node.args.vararg) is not None and (placed := _placed(given)):
        env[rest.arg] = kinds.sequence("tuple", placed)
    if (others := function.node.args.kwarg) is not None:
        entries = tuple((name, kind) for name, kind in given.items() if name not in env and not name.startswith("*"))
        env[others.arg] = kinds.Dictionary(UNKNOWN, entries, record=True) if entries else UNKNOWN
    prefix = (first_parameter(function.node) or "self") + "."
    env |= {prefix + name: kinds.widen(kind) for name, kind in inherited.items()}
    assert not isinstance(function.node, ast.Lambda)
    # Loops may have no turns, and what is set there only is not known after them: so these are there before.
    env |= {
        prefix + name: kinds.NONE for name in map(computed_names.set_by, flat_statements(function.node.body)) if name
    }
    frame = Frame(inspector, module, function, Route(), env, receiver=instance, owner=base.key, runs_before=True)
    statements.execute(frame, function.node.body)
    found = {
        name.removeprefix(prefix): kind
        for name, kind in frame.env.items()
        if name.startswith(prefix) and "." not in name.removeprefix(prefix) and "[" not in name
    }
    if any(map(computed_names.keeps_all_parameters, function.node.body)):
        found = {name: frame.env.get(name, kind) for name, kind in env.items() if "." not in name} | found
    # What is kept as it was given, `self.config = config`, is more than this `__init__` was declared to be given.
    more = {seen[name]: kind for name, kind in given.items() if kind != seen[name]}
    found = {name: more.get(kind, kind) for name, kind in found.items()} if more else found
    # What only some paths assign, such as a layer that an option asks for.
    for name, value in _self_assignments(function):
        if name not in found and (kind := expressions.evaluate(frame, value)) != UNKNOWN:
            found[name] = kinds.join(kind, kinds.NONE)
    for name, value in registered.by_local_functions(function):
        found.setdefault(name, registered.as_registered(expressions.evaluate(frame, value)))
    choices = (Choices(function.key, prefix, frame.chosen),) if frame.chosen else ()
    return found | forward_hooks.registered(frame), choices


def _placed(given: Mapping[str, Kind]) -> tuple[Kind, ...]:
    """What `*steps` gets, as far as it tells something (`made_with.by_parameter`)."""
    places = {int(name[1:]): kind for name, kind in given.items() if name.startswith("*")}
    return tuple(places.get(place, UNKNOWN) for place in range(max(places, default=-1) + 1))


def _assigned_by_others(inspector: Inspector, base: ProjectClass) -> dict[str, Kind]:
    """Attributes that methods other than `__init__` assign, as far as the assignment alone tells."""
    return inspector.known(("assigned by others", base.key), {}, lambda: _assigned_elsewhere(inspector, base))


def _assigned_elsewhere(inspector: Inspector, base: ProjectClass) -> dict[str, Kind]:
    info, module = inspector.tree.class_(base.key), inspector.tree.module(base.key[0])
    found: dict[str, Kind] = {}
    if info is None or module is None:
        return found
    init = inspector.tree.function(info.methods["__init__"]) if "__init__" in info.methods else None
    methods = (inspector.tree.function(key) for name, key in info.methods.items() if name != "__init__")
    for function in (*methods, *setters(module, base.key)):
        if function is None or isinstance(function.node, ast.Lambda):
            continue
        outer = inspector.module_frame(module)
        assignments, registrations = list(_self_assignments(function)), list(registered.registrations(function))
        declarations = list(_declarations(function))
        kept = kept_locals.assigned(function, init)
        # What a method imports itself is what its assignments name.
        if assignments or kept or registrations or declarations:
            statements.execute(outer, _imports(function.node.body))
        given = [(target, _told_by(inspector, base, function, outer, value)) for target, value in assignments]
        given += [(each.attribute, _kept(outer, each)) for each in kept]
        declared = ((target, inspector.annotated(outer, annotation)) for target, annotation in declarations)
        given += [(target, kind) for target, kind in declared if is_object(kind)]
        for name, value in registrations:
            given.append((name, registered.as_registered(expressions.evaluate(outer, value))))
        for target, kind in given:
            if kind != UNKNOWN:
                found[target] = kinds.join(kind, found.get(target, kind))
    return found


def _kept(outer: Frame, kept: kept_locals.Kept) -> Kind:
    kind = expressions.evaluate(outer, kept.value)
    return kind if kept.place is None else unpacking.unpack(outer, kind, kept.targets)[kept.place]


def _told_by(inspector: Inspector, base: ProjectClass, setter: FunctionInfo, outer: Frame, value: ast.expr) -> Kind:
    """What an assigned value is: as far as it alone tells, or of a call of an own method the objects that it makes."""
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if name == first_parameter(setter.node):
            return _made_by(inspector, classes.find_method(inspector, base, method))
        case _:
            return expressions.evaluate(outer, value)


def _made_by(inspector: Inspector, method: Key | None) -> Kind:
    """The optimizer, the model … that a method returns, whatever it is given: of `self` it knows nothing here."""
    function = inspector.tree.function(method) if method is not None else None
    if function is None or isinstance(function.node, ast.Lambda):
        return UNKNOWN
    parameters = dict.fromkeys(inspector.declared(kinds.Function(function.key, function.qualname)), UNKNOWN)
    made = inspector.run(
        kinds.Function(function.key, function.qualname), as_arguments(function.node, parameters), Route()
    )
    found = [option for option in kinds.options(made) if option != kinds.NONE]
    return kinds.join(*found) if found and all(map(is_object, found)) else UNKNOWN


def is_reset(inspector: Inspector, cls: ProjectClass, name: str) -> bool:
    """Whether a method of the class sets `self.name` to None, as what fills in the first call is before that."""
    return any(
        target == name and isinstance(value, ast.Constant) and value.value is None
        for function in classes.methods(inspector, cls)
        for target, value in _self_assignments(function)
    )


def is_begun_elsewhere(inspector: Inspector, owner: Kind, name: str) -> bool:
    """Whether `self.name` is None until a method that is no `__init__` begins it: mostly in each call anew."""
    if not isinstance(owner, Instance) or kinds.NONE not in kinds.options(inspector.assigned(owner).get(name, UNKNOWN)):
        return False
    bases = (base for base in classes.mro(inspector, owner.cls) if isinstance(base, ProjectClass))
    return any(name in _assigned_by_others(inspector, base) for base in bases)


def _self_assignments(function: FunctionInfo) -> Iterator[tuple[str, ast.expr]]:
    first = first_parameter(function.node)
    if isinstance(function.node, ast.Lambda) or not stores(function.node):
        return
    for node in flat_statements(function.node.body):
        if isinstance(node, ast.Assign) and _tells_alone(node.value):
            for target in node.targets:
                if (name := _own_attribute(target, first)) is not None:
                    yield name, node.value


def _declarations(function: FunctionInfo) -> Iterator[tuple[str, ast.expr]]:
    """The annotations of what is assigned with one: `self.net: nn.Module = instantiate(config)`."""
    first = first_parameter(function.node)
    if isinstance(function.node, ast.Lambda) or not stores(function.node):
        return
    for node in flat_statements(function.node.body):
        if not isinstance(node, ast.AnnAssign) or node.value is None or is_none(node.value):
            continue
        if (name := _own_attribute(node.target, first)) is not None:
            yield name, node.annotation


def _own_attribute(target: ast.expr, own: str | None) -> str | None:
    match target:
        case ast.Attribute(value=ast.Name(id=receiver), attr=name) if receiver == own:
            return name
        case _:
            return None


def _imports(body: list[ast.stmt]) -> list[ast.stmt]:
    return [node for node in flat_statements(body) if isinstance(node, ast.Import | ast.ImportFrom)]


def _tells_alone(value: ast.expr) -> bool:
    match value:
        case ast.Constant() | ast.Call() | ast.List(elts=[]) | ast.Dict(keys=[]):
            return True
        case _:
            return False
