"""What code compiles: `torch.compile` as the walk meets it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from compilelint.inspect import kinds, signatures
from compilelint.inspect.events import Mode, Span
from compilelint.inspect.frame import Frame, source_of, span_of
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.members import attributes
from compilelint.inspect.members.objects import is_object
from compilelint.inspect.members.settled import as_settled

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call

COMPILE = "torch.compile"

OPTIMIZE = "torch._dynamo.optimize"
_OPTIONS_OF_OPTIMIZE = {"backend": "backend", "nopython": "fullgraph", "dynamic": "dynamic", "disable": "disable"}
"""Those that torch.compile has as well, and what they are called there."""


class Compilation(Struct, frozen=True):
    """A place where something is compiled, as the walk met it."""

    file: str
    function: str
    span: Span
    source: str
    target: Kind
    """A module that is compiled in place is itself; `torch.compile` makes a wrapper of it."""
    mode: Mode
    given: tuple[Kind, ...] = ()
    """What a forward hook is called with: it is not compiled where it is registered, but runs in what is."""
    closed_over: tuple[tuple[str, Kind], ...] = ()
    """The objects that a compiled function closes over: it is made anew in each call of the function around it."""


def of_one_text(compilations: Iterable[Compilation]) -> Iterator[Compilation]:
    """Those of one function that several calls of another make are one, which closes over what any of them gives it."""
    alike: dict[Compilation, list[Compilation]] = {}
    for each in compilations:
        alike.setdefault(replace(each, closed_over=()), []).append(each)
    for one, made in alike.items():
        if isinstance(one.target, kinds.Function) and one.target.closure is not None and len(made) > 1:
            closure = {**one.target.closure, **dict(_joined(one.target.closure, made))}
            yield replace(one, target=replace(one.target, closure=closure))
        else:
            yield one


def _joined(closure: Mapping[str, Kind], made: Sequence[Compilation]) -> Iterator[tuple[str, Kind]]:
    """Of each name the objects that it stands for; for what is none in the first, that goes on being so."""
    objects: dict[str, list[Kind]] = {}
    for name, kind in (pair for each in made for pair in each.closed_over):
        objects.setdefault(name, []).append(kind)
    for name, found in objects.items():
        known = closure.get(name, UNKNOWN)
        joined = kinds.join(*found)
        if known == UNKNOWN or (is_object(known) and joined != UNKNOWN):
            yield name, joined


def compile_call(frame: Frame, call: Call) -> Kind:
    """`torch.compile(target, …)`, or the decorator that it gives without a target."""
    if not call.args and "model" not in call.keywords:
        return kinds.Partial(kinds.Reference(COMPILE), keywords=tuple(call.keywords.items()))
    target = call.args[0] if call.args else call.keywords["model"]
    if isinstance(target, kinds.Instance):
        target = as_module(frame, target)
    target = as_settled(frame, _named(call.node), target)
    keywords = dict(call.keywords)
    record(frame, call.node, compiled(target), keywords)
    if keywords.get("disable") == kinds.Const(True):
        return target
    frame.emit("compile", call.node, callee=COMPILE, construct="call", receiver=target, keywords=keywords)
    return compiled(target)


def optimize_call(frame: Frame, call: Call) -> Kind:
    """`torch._dynamo.optimize("inductor", nopython=True)`: the decorator that `torch.compile` gives without a model."""
    frame.emit("call", call.node, callee=OPTIMIZE, args=call.args, keywords=call.keywords)
    given = {**dict(zip(("backend",), call.args, strict=False)), **call.keywords}
    options = ((new, given[old]) for old, new in _OPTIONS_OF_OPTIMIZE.items() if old in given)
    return kinds.Partial(kinds.Reference(COMPILE), keywords=tuple(options))


def _named(node: ast.AST) -> ast.expr | None:
    """What the first argument of a call says; what `model=` says, nobody writes."""
    return node.args[0] if isinstance(node, ast.Call) and node.args else None


def as_module(frame: Frame, instance: kinds.Instance) -> kinds.Instance:
    """As the module that it is, where only a check told its class: `if isinstance(part, Block): part.compile()`."""
    made = instance if instance.module else frame.inspector.instance(instance.cls)
    return made if made.module else instance


def compile_in_place(
    frame: Frame, node: ast.AST, receiver: kinds.Instance, keywords: Mapping[str, Kind]
) -> kinds.Instance:
    """`module.compile(…)`: the module, with what is known of it there."""
    owner = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    receiver = as_settled(frame, owner, receiver)
    record(frame, node, receiver, keywords)
    return receiver


def compiled(target: Kind) -> Kind:
    """What torch.compile makes of a value: functions stay what they are, modules get a wrapper."""
    is_module = isinstance(target, kinds.Instance) and target.module
    if is_module or _is_layer(target):
        return kinds.External(attributes.OPTIMIZED_MODULE, (target,))
    return target


def _is_layer(kind: Kind) -> bool:
    """Whether it is a module of torch's or a library's own class; of a declared `nn.Module` nobody knows what it is."""
    return isinstance(kind, kinds.External) and kind.cls != "torch.nn.Module" and signatures.is_module_class(kind.cls)


def record(frame: Frame, node: ast.AST, target: Kind, keywords: Mapping[str, Kind], source: str = "") -> None:
    """Remember that something is compiled here, for whoever looks for roots; `source` where the node's is not short."""
    if keywords.get("disable") == kinds.Const(True):
        return
    compilation = Compilation(
        frame.module.name,
        frame.qualname,
        span_of(frame.module, node),
        source or source_of(frame.module, node),
        target,
        Mode(fullgraph=keywords.get("fullgraph") == kinds.Const(True)),
        closed_over=_closed_over(target),
    )
    frame.inspector.knowledge.compiled[compilation] = None


def _closed_over(target: Kind) -> tuple[tuple[str, Kind], ...]:
    closure = target.closure if isinstance(target, kinds.Function) else None
    return tuple((name, kind) for name, kind in (closure or {}).items() if is_object(kind))


def record_hook(frame: Frame, node: ast.AST, hook: kinds.Function, given: tuple[Kind, ...]) -> None:
    """Remember that a forward hook is registered here: compiled with its module, if that is."""
    span, source = span_of(frame.module, node), source_of(frame.module, node)
    compilation = Compilation(frame.module.name, frame.qualname, span, source, hook, Mode(), given)
    frame.inspector.knowledge.compiled[compilation] = None
