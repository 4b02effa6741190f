"""What an object is made with: those arguments of its class that tell what its attributes are.

`Policy(Net(), EulerScheduler())`: what `self.scheduler.step(…)` does is in no declaration. Numbers, texts and options
are not kept: they tell little, and two objects that differ in nothing else are walked as one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from compilelint.inspect import classes, kinds
from compilelint.inspect.kinds import Instance, Kind, ProjectClass
from compilelint.source.model import FunctionInfo

if TYPE_CHECKING:
    from compilelint.inspect.calls import Call
    from compilelint.inspect.inspector import Inspector

Given = tuple[tuple[str, Kind], ...]
MAX_NESTED = 2
"""How deep what is kept may hold what others are made with: `Residual(PreNorm(Attention()))`."""


def of_call(inspector: Inspector, cls: ProjectClass, call: Call) -> Given:
    """What a call of a class gives its `__init__`, by parameter."""
    init = _init(inspector, cls)
    return of_arguments(init, call.args, call.keywords) if init is not None else ()


def of_arguments(init: FunctionInfo, args: tuple[Kind, ...], keywords: Mapping[str, Kind]) -> Given:
    """Of what an `__init__` is given, besides `self`, what tells something, by parameter."""
    spec = init.node.args
    positional = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
    named = {*positional, *(arg.arg for arg in spec.kwonlyargs)}
    given = dict(zip(positional[1:], args, strict=False))
    given |= {name: kind for name, kind in keywords.items() if name in named}
    return tuple((name, _kept(kind, MAX_NESTED)) for name, kind in sorted(given.items()) if tells(kind))


def tells(kind: Kind) -> bool:
    """Whether an attribute of this kind is more than a number, a text or an option."""
    match kind:
        case kinds.Union(options=options):
            return any(map(tells, options))
        case kinds.Sequence(items=tuple(items)):
            return any(map(tells, items))
        case kinds.Sequence(item=item):
            return tells(item)
        case kinds.Dictionary(value=value, entries=entries):
            return tells(value) or any(tells(entry) for _, entry in entries)
        case _:
            return isinstance(kind, _TELL)


_TELL = (
    kinds.Array,
    kinds.External,
    kinds.Function,
    kinds.Instance,
    kinds.Method,
    kinds.Partial,
    kinds.ProjectClass,
    kinds.Reference,
    kinds.Tensor,
)


def _kept(kind: Kind, levels: int) -> Kind:
    """A kind as a part of another: without what is nested too deep in it."""
    match kind:
        case Instance(given=given) if given:
            inner = tuple((name, _kept(each, levels - 1)) for name, each in given) if levels else ()
            return replace(kind, given=inner)
        case kinds.Union(options=options):
            return kinds.join(*(_kept(option, levels) for option in options))
        case kinds.Sequence(items=tuple(items)):
            return replace(kind, items=tuple(_kept(item, levels) for item in items))
        case kinds.Sequence(item=item):
            return replace(kind, item=_kept(item, levels))
        case kinds.Dictionary(value=value, entries=entries):
            inner = tuple((name, _kept(each, levels)) for name, each in entries)
            return replace(kind, value=_kept(value, levels), entries=inner)
        case kinds.External(args=args) | kinds.Partial(args=args) if args:
            return replace(kind, args=tuple(_kept(each, levels) for each in args))
        case kinds.Method():
            return replace(kind, receiver=_kept(kind.receiver, levels))
        case kinds.Function() if kind.receiver is not None:
            return replace(kind, receiver=_kept(kind.receiver, levels))
        case _:
            return kind


def _init(inspector: Inspector, cls: ProjectClass) -> FunctionInfo | None:
    key = classes.find_method(inspector, cls, "__init__")
    return inspector.tree.function(key) if key is not None else None
