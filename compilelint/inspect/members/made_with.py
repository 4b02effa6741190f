"""What an object is made with: those arguments of its class that tell what its attributes are.

`Policy(Net(), EulerScheduler())`: what `self.scheduler.step(…)` does is in no declaration. Numbers, texts and options
are not kept: they tell little, and two objects that differ in nothing else are walked as one.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.arguments.declared_classes import seen_as_declared
from compilelint.inspect.kinds import UNKNOWN, Instance, Kind, ProjectClass
from compilelint.inspect.members import attributes, classes, records
from compilelint.report.confidence import Confidence
from compilelint.source.model import ModuleIndex
from compilelint.source.nodes import positional_names

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call
    from compilelint.inspect.inspector import Inspector

Given = tuple[tuple[str, Kind], ...]
MAX_NESTED = 2
"""How deep what is kept may hold what others are made with: `Residual(PreNorm(Attention()))`."""


def of_call(inspector: Inspector, cls: ProjectClass, call: Call) -> Given:
    """What a call of a class gives its `__init__`, by parameter: what tells something that declarations do not."""
    key = classes.find_method(inspector, cls, "__init__")
    init = inspector.tree.function(key) if key is not None else None
    if key is None or init is None:
        return _of_record(inspector, cls, call)
    given = by_parameter(init.node.args, dict(enumerate(call.args)), call.keywords)
    if not given:
        return ()
    made = inspector.instance(cls)
    declared = inspector.declared(kinds.Function(key, init.qualname, made))
    if not made.module:
        given = seen_as_declared(inspector, init, given)
    return tuple(
        (name, _kept(kind, MAX_NESTED))
        for name, kind in sorted(given.items())
        if says_more(kind, declared.get(name, UNKNOWN)) and not _is_told(declared.get(name, UNKNOWN), kind)
    )


def options_of(
    inspector: Inspector, cls: ProjectClass, call: Call, user: ModuleIndex
) -> tuple[tuple[str, kinds.Const], ...]:
    """The constants that the user's program makes an object of a followed package with, by parameter or field.

    They say which paths of the package are usual in this program, no more: what sets them anew is not looked for.
    """
    if not inspector.tree.is_followed(cls.key[0]) or inspector.tree.is_followed(user.name):
        return ()
    return constants_of(inspector, cls, call)


def constants_of(inspector: Inspector, cls: ProjectClass, call: Call) -> tuple[tuple[str, kinds.Const], ...]:
    """The constants that a call of a class gives, by parameter or field."""
    key = classes.find_method(inspector, cls, "__init__")
    init = inspector.tree.function(key) if key is not None else None
    if init is not None:
        given = by_parameter(init.node.args, dict(enumerate(call.args)), call.keywords)
    else:
        fields = records.fields(inspector, cls) if call.args or call.keywords else ()
        given = dict(zip(fields, call.args, strict=False)) | dict(call.keywords)
    return tuple((name, kind) for name, kind in sorted(given.items()) if isinstance(kind, kinds.Const))


def says_more(kind: Kind, declared: Kind) -> bool:
    """Whether what is given to a parameter tells more than what is known of the parameter.

    Where a class or a function is what the parameter is by default (`norm=RMSNorm`), everything does, even what is
    not known: it is not the default.
    """
    return tells(kind) or isinstance(declared, _DEFAULTS)


def by_parameter(spec: ast.arguments, placed: Mapping[int, Kind], named: Mapping[str, Kind]) -> dict[str, Kind]:
    """What a method is given, by parameter: by place (`self` is none of them), and by name.

    What `*args` swallows is called `*0`, `*1` and so on, and what `**kwargs` swallows as it is called there.
    """
    positional = positional_names(spec)[1:]
    known = {*positional, *(arg.arg for arg in spec.kwonlyargs)}
    found = {
        positional[place] if place < len(positional) else f"*{place - len(positional)}": kind
        for place, kind in placed.items()
        if place < len(positional) or spec.vararg is not None
    }
    return found | {name: kind for name, kind in named.items() if name in known or spec.kwarg is not None}


def _of_record(inspector: Inspector, cls: ProjectClass, call: Call) -> Given:
    """The same of a class that has fields, by field. What a tensor is, its declaration tells."""
    fields = records.fields(inspector, cls) if call.args or call.keywords else ()
    given = dict(zip(fields, call.args, strict=False))
    given |= {name: kind for name, kind in call.keywords.items() if name in fields}
    telling = [(name, _kept(kind, MAX_NESTED)) for name, kind in sorted(given.items()) if tells(kind)]
    fields_of = ((name, kind, attributes.class_attribute(inspector, cls, name)) for name, kind in telling)
    kept = ((name, _beyond_declared(inspector, kind, declared)) for name, kind, declared in fields_of)
    return tuple((name, kind) for name, kind in kept if kind is not None)


def _beyond_declared(inspector: Inspector, kind: Kind, declared: Kind) -> Kind | None:
    """What a field is given, if that tells more than its declaration: of a tensor, that the region has computed it."""
    tensor = kinds.tensor_part(declared)
    if tensor is None:
        return None if _is_told(declared, kind) else kind
    is_computed = isinstance(kind, kinds.Tensor) and not kind.parameter and not inspector.silent
    return replace(tensor, parameter=False) if is_computed else None


def tells(kind: Kind) -> bool:
    """Whether an attribute of this kind is more than a number, a text or an option."""
    match kind:
        case kinds.Union(options=options):
            return all(option == kinds.NONE or tells(option) for option in options)
        case kinds.Sequence(items=tuple(items)):
            return any(map(tells, items))
        case kinds.Sequence(item=item):
            return tells(item)
        case kinds.Dictionary(by_slot=True):
            return True
        case kinds.Dictionary(value=value, entries=entries):
            return tells(value) or any(tells(entry) for _, entry in entries)
        case kinds.Method():
            return tells(kind.receiver)
        case kinds.Tensor(confidence=confidence):
            return confidence > Confidence.LOW
        case _:
            return isinstance(kind, _TELL)


_DEFAULTS = (kinds.Function, kinds.ProjectClass, kinds.Reference)
"""What parameters are by their defaults alone, see `parameters.declared_parameters`."""

_TELL = (
    kinds.Array,
    kinds.External,
    kinds.Function,
    kinds.Instance,
    kinds.Partial,
    kinds.ProjectClass,
    kinds.Reference,
)


_NAMES = (kinds.ProjectClass, kinds.Reference)
"""What holds nothing itself, and is kept at any depth: without it an object would seem to be made with the defaults."""


def _is_told(declared: Kind, kind: Kind) -> bool:
    """Whether a declaration names the class of an object, as that of a configuration does, and there is no more to
    tell of it."""
    named = {option.cls.key for option in kinds.options(declared) if isinstance(option, Instance)}
    return bool(named) and all(
        not isinstance(option, Instance) or (option.cls.key in named and not option.given and not option.options)
        for option in kinds.options(kind)
    )


def _kept(kind: Kind, levels: int) -> Kind:
    """A kind as a part of another: without what is nested too deep in it."""
    match kind:
        case Instance(given=given) if given:
            if levels:
                return replace(kind, given=tuple((name, _kept(each, levels - 1)) for name, each in given))
            return replace(kind, given=tuple((name, each) for name, each in given if isinstance(each, _NAMES)))
        case kinds.Union(options=options):
            return kinds.join(*(_kept(option, levels) for option in options))
        case kinds.Sequence(items=tuple(items)):
            return replace(kind, items=tuple(_kept(item, levels) for item in items))
        case kinds.Sequence(item=item):
            return replace(kind, item=_kept(item, levels))
        case kinds.Dictionary(by_slot=True):
            # How its keys are read is the same for all configurations, what they are is not.
            return kinds.Dictionary(UNKNOWN, by_slot=True)
        case kinds.Dictionary(value=value, entries=entries):
            kept = tuple((key, _kept(each, levels)) for key, each in entries)
            return replace(kind, value=_kept(value, levels), entries=kept)
        case kinds.External(args=args) | kinds.Partial(args=args) if args:
            return replace(kind, args=tuple(_kept(each, levels) for each in args))
        case kinds.Method():
            return replace(kind, receiver=_kept(kind.receiver, levels))
        case kinds.Function() if kind.receiver is not None:
            return replace(kind, receiver=_kept(kind.receiver, levels))
        case _:
            return kind
