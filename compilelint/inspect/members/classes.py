"""Classes of the project: bases, methods, and whether they are modules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from compilelint.inspect import kinds, signatures
from compilelint.inspect.kinds import Kind, ProjectClass
from compilelint.inspect.members import layer_holders, named_tuples
from compilelint.inspect.members.written_inits import is_record
from compilelint.source.model import ClassInfo, FunctionInfo, Key
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_MODULE_LIKE = (
    "Module",
    "Model",
    "Layer",
    "Block",
    "Net",
    "Mixin",
    "Embedding",
    "Head",
    "Encoder",
    "Decoder",
    "Attention",
    "Policy",
    "Preprocessor",
    "ModuleBase",
    "ModuleWrapper",
)
_WITHOUT_MODULES = frozenset(
    {"abc", "chainer", "collections", "contextlib", "enum", "equinox", "flax", "haiku", "jax", "jittor", "keras"}
    | {"megengine", "mindspore", "mlx", "mxnet", "oneflow", "paddle", "pydantic", "sklearn", "tensorflow", "tf_keras"}
    | {"threading", "typing"}
)
"""Packages whose classes are no nn.Module, whatever they are called: other frameworks, estimators, Python's own."""
AUTOGRAD_FUNCTION = "torch.autograd.Function"
_PROTOCOLS = frozenset({"typing.Protocol", "typing_extensions.Protocol"})
_TYPED_DICTS = frozenset({"typing.TypedDict", "typing_extensions.TypedDict"})


def mro(inspector: Inspector, cls: ProjectClass) -> tuple[Kind, ...]:
    """The class and its bases, nearest first: project classes and references to those outside."""
    meanwhile: tuple[Kind, ...] = (cls,)
    return inspector.known(("mro", cls), meanwhile, lambda: _mro(inspector, cls))


def _mro(inspector: Inspector, cls: ProjectClass) -> tuple[Kind, ...]:
    order: list[Kind] = []
    for base in bases(inspector, cls):
        order.extend(mro(inspector, base) if isinstance(base, ProjectClass) else (base,))
    unique = list(dict.fromkeys(reversed(order)))
    return (cls, *reversed([base for base in unique if base != cls]))


def bases(inspector: Inspector, cls: ProjectClass) -> list[Kind]:
    """What the bases of a class are, as far as its module tells."""
    info = inspector.tree.class_(cls.key)
    module = inspector.tree.module(cls.key[0])
    if info is None or module is None:
        return []
    found: list[Kind] = []
    for node in info.node.bases:
        base = node.value if isinstance(node, ast.Subscript) else node
        for option in kinds.options(inspector.evaluate_globally(module, base)):
            if isinstance(option, kinds.Instance) or option == kinds.Reference("builtins.object"):
                continue  # `class A(object)` says no more than `class A`
            found.append(named_tuples.base_of(option))
    return found


class Members(Struct, frozen=True):
    """What is asked of one class most often. Nothing of its syntax tree is among it: that need not be kept for it."""

    key: Key
    name: str
    methods: dict[str, Key]
    attributes: frozenset[str]
    """Names assigned or annotated in the class body."""
    classes: dict[str, Key]
    """Classes defined in the class body."""
    is_decorated: bool


class Lineage(Struct, frozen=True):
    """What is asked of the order of bases most often."""

    own: tuple[Members, ...]
    """The class and those of its bases that stand in the project, nearest first."""
    external: tuple[str, ...]
    """Names of the bases outside of it, nearest first."""
    is_decorated: bool
    """Whether one of them has decorators at all: most have none."""


def lineage(inspector: Inspector, cls: ProjectClass) -> Lineage:
    """The class and its bases, as `mro` has them, with what the index says of each."""
    return inspector.derived(("lineage", cls.key), lambda: _lineage(inspector, cls))


def _lineage(inspector: Inspector, cls: ProjectClass) -> Lineage:
    order = mro(inspector, cls)
    found = (inspector.tree.class_(base.key) for base in order if isinstance(base, ProjectClass))
    own = tuple(
        Members(
            info.key, info.name, info.methods, frozenset(info.attributes), info.classes, bool(info.node.decorator_list)
        )
        for info in found
        if info is not None
    )
    external = tuple(base.name for base in order if isinstance(base, kinds.Reference))
    return Lineage(own, external, any(each.is_decorated for each in own))


def infos(inspector: Inspector, cls: ProjectClass) -> Iterator[ClassInfo]:
    """The class and those of its bases that stand in the project, nearest first, as the index has them."""
    for each in lineage(inspector, cls).own:
        info = inspector.tree.class_(each.key)
        if info is not None:
            yield info


def is_module_class(inspector: Inspector, cls: ProjectClass) -> bool:
    """Whether instances are nn.Modules.

    A class counts, too, if a base, its own or one of a base of the project's, is not known but named like one, or it
    holds layers, and it has a `forward`: an import that cannot be followed must not hide a model, nor what is made of
    it. What is a trainer as well runs one.
    """
    order = mro(inspector, cls)
    if any(isinstance(base, kinds.Reference) and signatures.is_module_class(base.name) for base in order):
        return True
    if kinds.Reference(AUTOGRAD_FUNCTION) in order:
        return False
    if not any(_may_be_module(base) for base in order):
        return False
    if find_method(inspector, cls, "forward") is None:
        return False
    own = tuple(infos(inspector, cls))
    named = [_name(node) for info in own for node in info.node.bases]
    if any(name.endswith("Trainer") for name in named):
        return False
    if any(name.endswith(_MODULE_LIKE) for name in named):
        return True
    libraries = any(map(layer_holders.may_be_of_a_library, order))
    return libraries and any(layer_holders.holds_layers(inspector, info) for info in own)


def _may_be_module(base: Kind) -> bool:
    """Whether a base that is not known may be a module."""
    match base:
        case kinds.Reference(name):
            return name.partition(".")[0] not in _WITHOUT_MODULES
        case _:
            return isinstance(base, kinds.Unknown)


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=value) | ast.Call(func=value):
            return _name(value)
        case _:
            return ""


def find_method(inspector: Inspector, cls: ProjectClass, name: str, after: Key | None = None) -> Key | None:
    """The method that `name` means on an instance; with `after`, as `super()` sees it from that class.

    An `__init__` that a decorator writes (`@dataclass`) hides those of the bases.
    """
    started = after is None
    for each in lineage(inspector, cls).own:
        if not started:
            started = each.key == after
        elif (found := each.methods.get(name)) is not None:
            return found
        elif name == "__init__" and each.is_decorated and is_record(inspector, each.key):
            return None
    return None


def takes_fields(inspector: Inspector, cls: ProjectClass, after: Key | None = None) -> bool:
    """Whether the `__init__` of a class is one that a decorator writes: no base, inside or outside, sees its items.

    With `after`, the one that `super()` sees from that class.
    """
    started = after is None
    for each in lineage(inspector, cls).own:
        if not started:
            started = each.key == after
        elif "__init__" in each.methods:
            return False
        elif each.is_decorated and is_record(inspector, each.key):
            return True
    return False


def find_class(inspector: Inspector, cls: ProjectClass, name: str) -> Key | None:
    """The class that `cls.name` means, if it stands in the body of the class or of one of its bases."""
    for each in lineage(inspector, cls).own:
        if (found := each.classes.get(name)) is not None:
            return found
    return None


def methods(inspector: Inspector, cls: ProjectClass) -> Iterator[FunctionInfo]:
    """The methods of a class and of its bases that stand in the project, those of the class first."""
    for each in lineage(inspector, cls).own:
        for key in each.methods.values():
            function = inspector.tree.function(key)
            if function is not None:
                yield function


def answers_for_every_attribute(inspector: Inspector, cls: ProjectClass) -> bool:
    """Whether the class has a `__getattribute__` that never asks the default one, not even for `__class__`."""
    return inspector.derived(("answers for all", cls.key), lambda: _answers_for_every_attribute(inspector, cls))


def _answers_for_every_attribute(inspector: Inspector, cls: ProjectClass) -> bool:
    found = find_method(inspector, cls, "__getattribute__")
    function = inspector.tree.function(found) if found is not None else None
    return function is not None and not any(
        isinstance(node, ast.Attribute) and node.attr == "__getattribute__" for node in walk(function.node)
    )


def has_keys_as_attributes(inspector: Inspector, cls: ProjectClass) -> bool:
    """Whether instances are dicts whose keys are attributes, too, and nothing else: `class EasyDict(dict)`."""
    return inspector.derived(("keys as attributes", cls.key), lambda: _has_keys_as_attributes(inspector, cls))


def _has_keys_as_attributes(inspector: Inspector, cls: ProjectClass) -> bool:
    if external_bases(inspector, cls)[:1] != ("builtins.dict",):
        return False
    own = {function.node.name for function in methods(inspector, cls) if not isinstance(function.node, ast.Lambda)}
    info = inspector.tree.class_(cls.key)
    assigned = {
        target.id
        for statement in (info.node.body if info is not None else ())
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    return "__getattr__" in own | assigned and own <= {"__getattr__", "__setattr__", "__delattr__"}


def as_made(inspector: Inspector, cls: ProjectClass, made: Kind) -> Kind:
    """The dict that such a class makes, with how its keys are read as attributes."""
    if not _reads_by_slot(inspector, cls):
        return made
    return replace(made if isinstance(made, kinds.Dictionary) else kinds.Dictionary(kinds.UNKNOWN), by_slot=True)


def is_read_by_slot(inspector: Inspector, owner: kinds.Instance, name: str) -> bool:
    """Whether `owner.name` is what a method that dict itself has gives: `__getattr__ = dict.__getitem__`."""
    return (
        _reads_by_slot(inspector, owner.cls)
        and not hasattr(dict, name)
        and find_method(inspector, owner.cls, name) is None
        and not any(name in each.attributes for each in lineage(inspector, owner.cls).own)
        and name not in inspector.assigned(owner)
    )


def _reads_by_slot(inspector: Inspector, cls: ProjectClass) -> bool:
    return inspector.derived(("reads by slot", cls.key), lambda: _has_slot_of_dict(inspector, cls))


def _has_slot_of_dict(inspector: Inspector, cls: ProjectClass) -> bool:
    """Whether the class, or the first of its bases that says anything of it, says `__getattr__ = dict.get`."""
    for info in infos(inspector, cls):
        if "__getattr__" in info.methods:
            return False
        for statement in info.node.body:
            match statement:
                case ast.Assign(targets=[ast.Name(id="__getattr__")], value=value):
                    return isinstance(value, ast.Attribute) and ast.unparse(value.value) in ("dict", "OrderedDict")
    return False


def decides_on_instances(inspector: Inspector, cls: ProjectClass) -> bool:
    """Whether `isinstance(value, cls)` runs code: of a Protocol, or of a metaclass's `__instancecheck__`."""
    if _is_protocol(inspector, cls):
        return True
    for info in infos(inspector, cls):
        module = inspector.tree.module(info.key[0])
        for keyword in info.node.keywords if module is not None else ():
            if keyword.arg == "metaclass" and module is not None:
                meta = inspector.evaluate_globally(module, keyword.value)
                return isinstance(meta, ProjectClass) and find_method(inspector, meta, "__instancecheck__") is not None
    return False


def is_data_protocol(inspector: Inspector, cls: ProjectClass) -> bool:
    """Whether a class is a Protocol with members that are no methods."""
    return _is_protocol(inspector, cls) and any(each.attributes for each in lineage(inspector, cls).own)


def _is_protocol(inspector: Inspector, cls: ProjectClass) -> bool:
    """Whether a class is a Protocol itself: what only derives from one is a class like any other, and asked as such."""
    if _PROTOCOLS.isdisjoint(external_bases(inspector, cls)):
        return False
    return any(isinstance(base, kinds.Reference) and base.name in _PROTOCOLS for base in bases(inspector, cls))


def has_optional_keys(inspector: Inspector, cls: ProjectClass) -> bool:
    """Whether a TypedDict has keys that may be missing: `total=False`, or `NotRequired`."""
    if _TYPED_DICTS.isdisjoint(external_bases(inspector, cls)):
        return False
    for info in infos(inspector, cls):
        partial = any(
            keyword.arg == "total" and isinstance(keyword.value, ast.Constant) and keyword.value.value is False
            for keyword in info.node.keywords
        )
        annotations = [binding.annotation for binding in info.attributes.values() if binding.annotation is not None]
        if (partial and annotations) or any(_name(annotation) == "NotRequired" for annotation in annotations):
            return True
    return False


def external_bases(inspector: Inspector, cls: ProjectClass) -> tuple[str, ...]:
    """Names of the bases outside the project, nearest first."""
    return lineage(inspector, cls).external


def decorator_names(inspector: Inspector, key: Key) -> frozenset[str]:
    """Resolved names of the decorators of a function: `property`, `staticmethod` …"""
    info, module = inspector.tree.function(key), inspector.tree.module(key[0])
    if info is None or module is None or not info.decorators:
        return frozenset()

    def found() -> Iterator[str]:
        for node in info.decorators:
            target = node.func if isinstance(node, ast.Call) else node
            for option in kinds.options(inspector.evaluate_globally(module, target)):
                if isinstance(option, kinds.Reference):
                    yield option.name

    return inspector.known(("decorators", key), frozenset(), lambda: frozenset(found()))


def names_in_body(inspector: Inspector, cls: ProjectClass) -> tuple[str, ...]:
    """The names that the body of a class gives a value or a type, in order."""
    info = inspector.tree.class_(cls.key)
    return tuple(info.attributes) if info is not None else ()


def default(inspector: Inspector, cls: ProjectClass, name: str) -> ast.expr | None:
    """What the body of a class, or of the nearest base that does, gives to a name; None if none of them does."""
    for each in lineage(inspector, cls).own:
        info = inspector.tree.class_(each.key) if name in each.attributes else None
        if info is not None:
            given = info.attributes[name]
            return None if given.path else given.value
    return None
