"""Reading attributes of everything that source shows."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from msgspec.structs import replace

from compilelint.inspect import changed_globals, kinds, names, signatures
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import UNKNOWN, Function, Instance, Kind, ProjectClass
from compilelint.inspect.members import (
    body_functions,
    class_constants,
    classes,
    computed_names,
    delegating,
    named_tuples,
    registries,
)
from compilelint.inspect.members.called_before import held_by
from compilelint.report.confidence import Confidence

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

MOST_CHOICES = 12
"""Among more methods than this hardly one is chosen by its name: such a class answers commands."""
COMPILE_BLOCKS = "compile_repeated_blocks"
"""The method of diffusers' models that compiles each module inside whose class has one of the names in
`_repeated_blocks` (diffusers 0.42, `ModelMixin`)."""
OPTIMIZED_MODULE = "torch._dynamo.eval_frame.OptimizedModule"
GIVES_ITSELF = frozenset(
    {"to", "cuda", "cpu", "half", "float", "double", "bfloat16", "eval", "train", "requires_grad_"}
)
"""Methods of every module, of which a wrapper has its own: `torch.compile(net).to(device)` is still the wrapper."""
DISABLED = "torch.compiler.disable()"
"""What stands for a function that `torch.compiler.disable` was applied to, as the head of a Partial."""
_CACHES = frozenset({"functools.lru_cache", "functools.cache"})


def attribute(inspector: Inspector, base: Kind, name: str) -> Kind:
    """The kind of `base.name`; properties are not run, see `reading.read_attribute`."""
    match base:  # what is asked most first: a match tries one case after the other
        case kinds.Unknown():
            return UNKNOWN
        case kinds.Tensor():
            return signatures.attribute(base, name) or kinds.Method(base, name)
        case kinds.Reference(name=dotted):
            return signatures.attribute(base, name) or kinds.Reference(signatures.canonical(f"{dotted}.{name}"))
        case kinds.ProjectModule(name=file):
            module = inspector.tree.module(file)
            found = names.read_of_module(inspector, module, name) if module is not None else None
            return UNKNOWN if found is None else found
        case Instance():
            return instance_attribute(inspector, base, name)
        case ProjectClass():
            return class_constants.constant(inspector, base, name) or class_attribute(inspector, base, name)
        case kinds.External(cls=cls, args=(inner, *_)) if cls == OPTIMIZED_MODULE:
            found = attribute(inspector, inner, name)
            is_own = name in GIVES_ITSELF and isinstance(found, kinds.Method | kinds.Unknown)
            return kinds.Method(base, name) if is_own else found
        case kinds.External(cls=signatures.INDEPENDENT, args=(Instance() as inner, *_)) if name == "mode":
            return attribute(inspector, inner, name)
        case kinds.External(cls="builtins.super", args=(Instance() as receiver, ProjectClass(key=owner))):
            return super_attribute(inspector, receiver, owner, name)
        case kinds.External(keys=keys, args=layers) if name in keys:
            return layers[keys.index(name)]
        case kinds.Union():
            found_all = [attribute(inspector, option, name) for option in those_with(base.options, name)]
            return kinds.join(*found_all) if found_all else UNKNOWN
        case kinds.Dictionary(entries=entries) if any(key == name for key, _ in entries):
            # Outputs of HuggingFace models are dicts whose keys are attributes too.
            return next(value for key, value in entries if key == name)
        case kinds.Sequence() | kinds.Dictionary() | kinds.Const() | kinds.Python():
            return signatures.attribute(base, name) or kinds.Method(base, name)
        case kinds.Partial() if (made := named_tuples.base_of(base)) != base:
            return attribute(inspector, made, name)
        case kinds.Function(wrapper=None, name=own) if name == "__name__":
            return kinds.Const(own.rpartition(".")[2])
        case kinds.Function(receiver=None) if name == "__get__":
            return kinds.Method(base, name)
        case kinds.Function() | kinds.Partial() | kinds.Method():
            if name in ("cache_clear", "cache_info", "cache_parameters"):
                return kinds.Reference(f"functools.lru_cache.{name}")
            return base if name in ("__call__", "__wrapped__", "func") else UNKNOWN
        case kinds.External() if (found := named_tuples.field(base, name)) is not None:
            return found
        case kinds.External() | kinds.Array() | kinds.Text():
            return signatures.attribute(base, name) or kinds.Method(base, name)
        case _:
            return signatures.attribute(base, name) or UNKNOWN


def those_with(options: tuple[Kind, ...], name: str) -> tuple[Kind, ...]:
    """The possibilities that may have an attribute: `.eval()` is no method of the tuple that a loader of models gives
    if it is asked for more than the model."""
    there = tuple(option for option in options if option != kinds.NONE)
    if name in _FIELDS and (pairs := tuple(each for each in there if type(each) is kinds.Sequence)):
        return pairs
    return tuple(each for each in there if not (type(each) is kinds.Sequence and _lacks(each, name))) or there


def _lacks(kind: kinds.Sequence, name: str) -> bool:
    """Whether a list or a tuple has no such attribute."""
    cls = _PLAIN.get(kind.type)
    return cls is not None and not hasattr(cls, name)


_PLAIN: dict[str, type] = {"list": list, "tuple": tuple}
_FIELDS = frozenset({"values", "indices"})
"""What a pair of torch's has, as `x.max(dim)` gives one, though it is told as a plain tuple."""


def instance_attribute(inspector: Inspector, base: Instance, name: str) -> Kind:
    """`base.name`: what its class defines, what its methods assign, what its bases from outside give."""
    asked = ("attribute", base, name)
    return inspector.derived(asked, lambda: find_attribute(inspector, base, name))


def find_attribute(inspector: Inspector, base: Instance, name: str) -> Kind:
    """The same, for who remembers it."""
    if computed_names.is_computed(name):
        set_so = computed_names.among(inspector.assigned(base), name)
        return set_so if set_so != UNKNOWN else _method_among(inspector, base, name)
    if base.settled and isinstance(put := dict(base.settled).get(name), kinds.Function):
        return put  # in place of a method
    replaced = inspector.replaced_method(base, name)
    if replaced is not None:
        return replaced
    method = classes.find_method(inspector, base.cls, name)
    if method is not None:
        return bound_method(inspector, method, base)
    if base.settled and name in (settled := dict(base.settled)):
        return settled[name]
    assigned = inspector.assigned(base).get(name)
    if assigned is not None:
        return held_by(base, assigned)
    if name == "__class__":
        return base.cls
    if name == "__dict__" and not base.module:
        return kinds.External("builtins.object.__dict__")
    declared = class_attribute(inspector, base.cls, name)
    if name == "apply" and isinstance(declared, kinds.Method):
        return kinds.Method(base, name)
    if declared != UNKNOWN:
        return body_functions.bound(inspector, base, name, declared)
    for outside in classes.external_bases(inspector, base.cls):
        found = signatures.attribute(kinds.External(outside), name)
        if found is not None:
            return kinds.Method(base, name) if isinstance(found, kinds.Method) else found
    if base.module:
        found = signatures.attribute(kinds.External("torch.nn.Module"), name)
        if isinstance(found, kinds.Method) or name == COMPILE_BLOCKS:
            return kinds.Method(base, name)
        if found is not None:
            return found
    set_so = computed_names.under(inspector.assigned(base), name)
    return set_so if set_so != UNKNOWN else delegating.delegated(inspector, base, name)


def _method_among(inspector: Inspector, base: Instance, name: str) -> Kind:
    """The methods of which a computed name means one: `getattr(self, f"{mode}_loss")`."""
    named: dict[str, kinds.FunctionKey] = {}
    for info in classes.methods(inspector, base.cls):
        method = info.qualname.rpartition(".")[2]
        if computed_names.may_be(name, method):
            named.setdefault(method, info.key)
    if len(named) > MOST_CHOICES:
        return UNKNOWN
    chosen = [key for key in named.values() if "builtins.property" not in classes.decorator_names(inspector, key)]
    return kinds.join(*(bound_method(inspector, key, base) for key in chosen)) if chosen else UNKNOWN


def bound_method(inspector: Inspector, key: kinds.FunctionKey, base: Instance) -> Kind:
    """A method as it is found on an instance."""
    kind = inspector.definition(key)
    match kind:
        case kinds.Partial(function=kinds.Reference(name=head), args=(Function() as disabled,)) if head == DISABLED:
            # What is put around it is a function too, and binds.
            return kinds.Partial(kind.function, (_bound(inspector, key, disabled, base),))
        case Function():
            return _bound(inspector, key, kind, base)
        case _:
            return kind


def _bound(inspector: Inspector, key: kinds.FunctionKey, function: Function, base: Instance) -> Kind:
    decorators = classes.decorator_names(inspector, key)
    if "builtins.staticmethod" in decorators:
        return function
    if "builtins.classmethod" in decorators:
        return _bound_to_class(decorators, function, base.cls)
    return Function(function.key, function.name, base, function.closure, function.wrapper)


def _bound_to_class(decorators: frozenset[str], function: Function, cls: ProjectClass) -> Kind:
    """A class method; where it is cached it is an object of C, which binds in C: Dynamo sees no function in it."""
    bound = Function(function.key, function.name, cls, function.closure, function.wrapper)
    return kinds.External("functools.lru_cache", (bound,)) if decorators & _CACHES else bound


def class_attribute(inspector: Inspector, cls: ProjectClass, name: str) -> Kind:
    """`cls.name`: a method (unbound, or bound to the class), a class or another name of the class body."""
    method = classes.find_method(inspector, cls, name)
    if method is not None:
        kind, decorators = inspector.definition(method), classes.decorator_names(inspector, method)
        if isinstance(kind, Function) and "builtins.classmethod" in decorators:
            return _bound_to_class(decorators, kind, cls)
        return kind
    inner = classes.find_class(inspector, cls, name)
    if inner is not None:
        return inspector.definition(inner)
    order = classes.lineage(inspector, cls)
    written = written_in_body(inspector, cls, name)
    if written is not None:
        if order.external == ("enum.Enum",) and not name.startswith("_"):
            return _member(inspector, cls, name)
        # What the class body says is a default that instances and users change.
        module = inspector.tree.module(cls.key[0])
        held = registries.filled(inspector, cls, name, _as_default(written))
        return held if module is None else changed_globals.as_changed(inspector, module, name, held)
    is_inherited = classes.AUTOGRAD_FUNCTION in order.external or (name in signatures.MAKERS and order.external)
    return kinds.Method(cls, name) if is_inherited else UNKNOWN


def _member(inspector: Inspector, cls: ProjectClass, name: str) -> Instance:
    """A member of an Enum, by the name that comes first of those with its value: the others are the same one."""
    values = {
        other: value.value
        for other in classes.names_in_body(inspector, cls)
        if isinstance(value := classes.default(inspector, cls, other), ast.Constant)
    }
    same = (other for other, value in values.items() if name in values and value == values[name])
    return replace(inspector.instance(cls), settled=((kinds.MEMBER, kinds.Const(next(same, name))),))


def written_in_body(inspector: Inspector, cls: ProjectClass, name: str) -> Kind | None:
    """What the body of a class, or of the first base that has the name, assigns to it."""
    found = body_functions.binding_of(inspector, cls, name)
    module = inspector.tree.module(found[0]) if found is not None else None
    if found is None or module is None:
        return None
    static = body_functions.static_in(found[1])
    return inspector.module_value(module, found[1] if static is None else replace(found[1], value=static))


def made_by(inspector: Inspector, cls: ProjectClass, name: str) -> Kind:
    """What a class method makes that a model has from a library: `Net.from_pretrained(…)` is a `Net`."""
    made = inspector.instance(cls) if name in signatures.MAKERS else None
    return made if made is not None and made.module else UNKNOWN


def _as_default(kind: Kind) -> Kind:
    return UNKNOWN if kind == kinds.NONE else kinds.widen(kind)


def super_attribute(inspector: Inspector, receiver: Instance, owner: kinds.FunctionKey, name: str) -> Kind:
    """`super().name` in a method of the class `owner`."""
    method = classes.find_method(inspector, receiver.cls, name, after=owner)
    if method is not None:
        return bound_method(inspector, method, receiver)
    if name == "__init__" and classes.takes_fields(inspector, receiver.cls, after=owner):
        return UNKNOWN  # nobody has written what runs there
    return kinds.Method(receiver, f"super.{name}")


def field_at(inspector: Inspector, base: Instance, index: Kind) -> Kind:
    """`output[0]` of a record whose class declares its fields: the first field that is set.

    Which ones are set is not known; where the field at this place is a tensor, the next one mostly is as well.
    """
    if not isinstance(index, kinds.Const) or not isinstance(index.value, int) or index.value < 0:
        return UNKNOWN
    fields = inspector.derived(("declared fields", base.cls.key), lambda: _declared_fields(inspector, base.cls))
    tensor = kinds.tensor_part(fields[index.value]) if index.value < len(fields) else None
    return kinds.Tensor(tensor.dtype, None, Confidence.MEDIUM) if tensor is not None else UNKNOWN


def _declared_fields(inspector: Inspector, cls: ProjectClass) -> tuple[Kind, ...]:
    """What the fields are that a class and its bases declare, as far as the class bodies tell."""
    return tuple(
        inspector.module_value(module, binding)
        for info in classes.infos(inspector, cls)
        if (module := inspector.tree.module(info.key[0])) is not None
        for binding in info.attributes.values()
        if binding.annotation is not None
    )


def is_property(inspector: Inspector, base: Instance, name: str) -> bool:
    """Whether reading `base.name` runs a property."""
    method = classes.find_method(inspector, base.cls, name)
    return method is not None and is_property_itself(inspector, method)


def is_property_itself(inspector: Inspector, method: kinds.FunctionKey) -> bool:
    """Whether a method is a property: what reading it gives is what it returns."""
    return not _PROPERTIES.isdisjoint(classes.decorator_names(inspector, method))


_PROPERTIES = frozenset(
    {
        "builtins.property",
        "functools.cached_property",
        "abc.abstractproperty",
        "torch.distributions.utils.lazy_property",
    }
)


def class_name(inspector: Inspector, kind: Kind) -> str:
    """The name by which rules know the class of a value: `torch.Tensor`, `logging.Logger`, `torch.nn.Module`."""
    match kind:
        case kinds.Unknown():
            return ""
        case kinds.Tensor():
            return "torch.Tensor"
        case kinds.Array():
            return "numpy.ndarray"
        case kinds.External(cls=cls):
            return "torch.nn.Module" if cls == OPTIMIZED_MODULE else cls
        case kinds.Instance(module=True):
            return "torch.nn.Module"
        case kinds.Instance(cls=cls):
            return next(iter(classes.external_bases(inspector, cls)), cls.name)
        case kinds.Sequence(type=type_):
            return f"builtins.{type_}"
        case kinds.Dictionary(type=type_):
            return "builtins.dict" if type_ == "dict" else f"collections.{type_}"
        case kinds.Text():
            return "builtins.str"
        case kinds.Python(type="device" | "dtype" | "layout" | "memory_format" as type_):
            return f"torch.{type_}"
        case kinds.Const() | kinds.Python():
            return f"builtins.{kinds.type_name(kind)}"
        case kinds.Scalar(type=type_):
            return f"builtins.{type_}"
        case kinds.Reference(name=name):
            return name
        case kinds.Function(closure=None) | kinds.Partial():
            return "builtins.function"
        case _:
            return ""


def written_attribute(frame: Frame, target: ast.Attribute, base: Kind) -> str:
    """The name by which rules know the attribute that is written: `torch.Tensor.data`, `torch.nn.Module.step`."""
    name = class_name(frame.inspector, base)
    return f"{name}.{target.attr}" if name else ""
