"""Calls: what is called, with what, and what comes back."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from compilelint.inspect import kinds, names, signatures
from compilelint.inspect.arguments import handed_on, missing
from compilelint.inspect.arguments.parameters import Arguments
from compilelint.inspect.calling import (
    choosing,
    constructing,
    decorated_methods,
    outputs,
    own_calls,
    protocols,
    regional,
    special,
)
from compilelint.inspect.calling.asked_gradients import sureness_of_flag
from compilelint.inspect.calling.compiled_methods import walk_called
from compilelint.inspect.calling.new_objects import note_made
from compilelint.inspect.calling.optional_imports import is_optional
from compilelint.inspect.deciding import presence, truth
from compilelint.inspect.frame import Frame, nowhere
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.lasting import growth, held, run_as_made
from compilelint.inspect.members import (
    attributes,
    classes,
    forward_hooks,
    handed_to_models,
    outside_objects,
)
from compilelint.inspect.members.attributes import OPTIMIZED_MODULE, class_name
from compilelint.inspect.members.objects import is_object
from compilelint.inspect.sureness import sureness
from compilelint.inspect.syntax import bodies, expressions, unpacking
from compilelint.report.confidence import Confidence


class Call(Struct, frozen=True):
    """One call in the source, once its arguments were evaluated."""

    node: ast.AST
    args: tuple[Kind, ...] = ()
    keywords: Mapping[str, Kind] = field(default_factory=dict)
    open_ended: bool = False
    rest: Kind = UNKNOWN
    """What each argument is that `*args` passes, where their number is not known."""
    closed: bool = False
    """Whether all that is given by name is known."""

    def after(self, count: int) -> Call:
        """The call without its first arguments, as the callable among them gets it."""
        return Call(self.node, self.args[count:], self.keywords, self.open_ended)


def call_node(frame: Frame, node: ast.Call) -> Kind:
    """Evaluate a call expression."""
    callee = expressions.evaluate(frame, node.func)
    call = _evaluate_arguments(frame, node)
    breaks = frame.inspector.breaks
    result = call_kind(frame, callee, call)
    if result == UNKNOWN and missing.is_left_to(frame, node, callee):
        result = _given_in_its_place(frame, callee, call)
    if type(result) is kinds.Instance:
        note_made(frame, result, breaks)
    growth.grow(frame, node, callee, call)
    if frame.inspector.seeks_effects:
        forward_hooks.note(frame, node, call.args)
        handed_to_models.note(frame, node, callee, call.args)
    if result in (UNKNOWN, kinds.BOOL) and presence.asks_for_torch(node, call.args):
        return kinds.Const(True)
    return result


def _given_in_its_place(frame: Frame, callee: Kind, call: Call) -> Kind:
    """What a function gives where its first argument is missing, if that is an object."""
    with frame.inspector.silently():
        made = call_kind(frame, callee, replace(call, args=(kinds.NONE, *call.args[1:])))
    return made if is_object(made) else UNKNOWN


def _evaluate_arguments(frame: Frame, node: ast.Call) -> Call:
    args: list[Kind] = []
    keywords: dict[str, Kind] = {}
    open_ended, closed = False, True
    rest: Kind = UNKNOWN
    for arg in node.args:
        if isinstance(arg, ast.Starred):
            kind = unpacking.plain(frame, expressions.evaluate(frame, arg.value))
            if isinstance(kind, kinds.Sequence) and kind.items is not None:
                args.extend(kind.items)
            elif isinstance(kind, kinds.Tensor) and kind.confidence == Confidence.HIGH and not open_ended:
                args.append(unpacking.iterate(frame, kind))
                open_ended = True
            else:
                open_ended, rest = True, kinds.element(kind) if isinstance(kind, kinds.Sequence) else UNKNOWN
        elif not open_ended:
            args.append(expressions.evaluate(frame, arg))
        else:
            expressions.evaluate(frame, arg)
    for keyword in node.keywords:
        kind = expressions.evaluate(frame, keyword.value)
        if keyword.arg is not None:
            keywords[keyword.arg] = kind
            continue
        closed = closed and isinstance(kind, kinds.Dictionary) and kind.closed
        if isinstance(kind, kinds.Dictionary) and kind.entries:
            keywords.update({str(key): value for key, value in kind.entries if isinstance(key, str)})
        elif not (isinstance(kind, kinds.Dictionary) and kind.value == UNKNOWN and not kind.entries):
            open_ended = True
    return Call(node, tuple(args), keywords, open_ended, rest, closed)


def call_kind(frame: Frame, callee: Kind, call: Call) -> Kind:
    """What calling a value of this kind gives."""
    match callee:
        case kinds.Union(options=options):
            found: list[Kind] = []
            for option in choosing.that_take(frame, options, call):
                with frame.at_most(choosing.sureness_among(frame, option, options)):
                    found.append(call_kind(frame, option, call))
            return kinds.join(*found) if found else UNKNOWN
        case kinds.Reference(name=name):
            return _call_external(frame, name, None, call)
        case kinds.Method(receiver=kinds.Function() as function, name="__get__") if call.args:
            return kinds.Partial(function, call.args[:1])
        case kinds.Method(receiver=receiver, name=name):
            return _call_external_method(frame, receiver, name, call)
        case kinds.Function() if is_optional(frame, call.node):
            with frame.at_most(Confidence.LOW):
                return _call_function(frame, callee, call)
        case kinds.Function():
            return _call_function(frame, callee, call)
        case kinds.Partial(function=function, args=args):
            keywords = {**dict(callee.keywords), **call.keywords}
            bound = replace(call, args=(*args, *call.args), keywords=keywords, closed=False)
            return call_kind(frame, function, bound)
        case kinds.ProjectClass():
            return constructing.construct(frame, callee, call)
        case kinds.Instance():
            return call_instance(frame, callee, call)
        case kinds.External():
            return _call_external_instance(frame, callee, call)
        case _:
            return _call_unknown(frame, call)


def _call_unknown(frame: Frame, call: Call) -> Kind:
    """Nobody knows what is called; methods that only tensors, modules or optimizers have tell what it is called on."""
    func = getattr(call.node, "func", None)
    if isinstance(func, ast.Attribute) and signatures.is_distinctive_tensor_method(func.attr):
        if choosing.is_of_tensors(func, call):
            return _call_external_method(frame, kinds.Tensor(confidence=Confidence.MEDIUM), func.attr, call)
        emit_call(frame, call, f"torch.Tensor.{func.attr}", UNKNOWN, Confidence.LOW)
        return signatures.result_by_keywords(func.attr, call.args, call.keywords)
    if isinstance(func, ast.Attribute) and (owner := choosing.only_owner(frame, func)):
        with frame.at_most(Confidence.MEDIUM):
            return _call_external_method(frame, kinds.External(owner), func.attr, call)
    if isinstance(func, ast.Attribute) and "checkpoint" in func.attr and call.args and isinstance(call.args[0], _LAYER):
        # `self._gradient_checkpointing_func(layer.__call__, x)`: an attribute that a setter fills.
        return call_kind(frame, call.args[0], call.after(1))
    return submodule_result(frame, func, call)


def submodule_result(frame: Frame, func: ast.expr | None, call: Call) -> Kind:
    """A submodule that a factory made, called with a tensor: it gives one, as far as such code goes."""
    receiver = frame.receiver_instance
    if receiver is None or not receiver.module or not isinstance(func, ast.Attribute) or not call.args:
        return UNKNOWN
    if not isinstance(func.value, ast.Name) or names.lookup(frame, func.value.id) != receiver:
        return UNKNOWN
    tensor = kinds.tensor_part(call.args[0])
    if tensor is None:
        return UNKNOWN
    return kinds.Tensor(confidence=min(tensor.confidence, Confidence.MEDIUM))


def emit_call(
    frame: Frame,
    call: Call,
    callee: str,
    receiver: Kind | None,
    confidence: Confidence = Confidence.HIGH,
) -> None:
    if not frame.is_heard or not frame.inspector.wants("call", callee):
        return
    frame.emit(
        "call",
        call.node,
        callee=callee,
        receiver=receiver,
        args=call.args,
        keywords=call.keywords,
        starred=call.open_ended,
        confidence=confidence,
        subject=call.node.args[0] if isinstance(call.node, ast.Call) and call.node.args else None,
    )


def _call_external(frame: Frame, name: str, receiver: Kind | None, call: Call) -> Kind:
    outcome = special.call(frame, name, receiver, call)
    if outcome is not None:
        return outcome
    if receiver is None and name.startswith("torch.Tensor.") and call.args:
        receiver, call = call.args[0], call.after(1)
    args = call.args
    confidence = sureness(receiver) if receiver is not None else Confidence.HIGH
    emit_call(frame, call, name, receiver, min(confidence, sureness_of_flag(frame, name, call)))
    outputs.report(frame, name, call)
    if name in protocols.BY_BUILTIN:
        for arg in args[1:] if name == "builtins.map" else args:
            protocols.call(frame, call.node, arg, protocols.BY_BUILTIN[name])
    # What `rows.sort(key=…)` gives its key is what it is called on.
    entered = _enter_callables(
        frame, name, replace(call, args=(receiver,)) if name == "builtins.list.sort" and receiver else call
    )
    if entered is not None:
        return entered
    state = signatures.compile_state(name)
    if state is not None:
        # What is walked to see what it compiles runs outside of regions.
        return kinds.Const(state and not frame.inspector.seeks_effects)
    given = (*args, call.rest if name == "torch.nn.Sequential" else UNKNOWN) if call.open_ended else args
    version = signatures.of_releases(frame.inspector.knowledge.torch, name, given, call.keywords)
    if version is not None:
        return version
    result = signatures.result(name, receiver, given, call.keywords)
    is_made = result == UNKNOWN and receiver is None
    return (outside_objects.made(frame, name, call) or UNKNOWN) if is_made else result


_LAYER = kinds.Function | kinds.Instance | kinds.Partial | kinds.Union
_DECIDERS = {
    "builtins.filter": "filter",
    "itertools.filterfalse": "filter",
    "itertools.takewhile": "filter",
    "itertools.dropwhile": "filter",
    "builtins.sorted": "order",
    "builtins.max": "order",
    "builtins.min": "order",
    "builtins.list.sort": "order",
}
"""Functions that look at the truth, or the order, of what their callable returns."""


def _enter_callables(frame: Frame, name: str, call: Call) -> Kind | None:
    """Call the callables among the arguments that the callee calls; the result, where it follows from theirs."""
    result: Kind | None = None
    for entry in signatures.entered(name, call.args, call.keywords):
        function = (
            call.args[entry.argument] if isinstance(entry.argument, int) else call.keywords.get(entry.argument, UNKNOWN)
        )
        with frame.entering(bodies.body_of(name, call.args)):
            returned = call_kind(frame, function, Call(call.node, entry.args, dict(entry.keywords)))
        if isinstance(call.node, ast.expr) and name in _DECIDERS:
            truth.decide(frame, call.node, returned, _DECIDERS[name], callee=name)
        match entry.gives:
            case "result":
                result = returned
            case "same-structure":
                result = call.args[-1] if call.args else None
            case "iterator" | "list":
                result = kinds.Sequence(entry.gives, kinds.shallow(returned))
            case _:
                result = None
    return result


def _call_external_method(frame: Frame, receiver: Kind, name: str, call: Call) -> Kind:
    if isinstance(receiver, kinds.Instance):
        return special.inherited_method(frame, receiver, name.removeprefix("super."), call)
    if isinstance(receiver, kinds.ProjectClass):
        return special.inherited_of_class(frame, receiver, name, call)
    if receiver == kinds.BOOL and signatures.is_method_of_tensors_only(name):
        receiver = kinds.Tensor("bool", None, Confidence.MEDIUM)  # what was compared is not known: `(a == b).float()`
    owner = class_name(frame.inspector, receiver)
    is_module = isinstance(receiver, kinds.External) and signatures.is_module_class(owner)
    if is_module and name != "forward" and signatures.is_module_method(name):
        owner = "torch.nn.Module"
    return _call_external(frame, f"{owner}.{name}", receiver, call) if owner else _call_unknown(frame, call)


def _call_external_instance(frame: Frame, callee: kinds.External, call: Call) -> Kind:
    match callee:
        case kinds.External(cls=cls, args=(inner, *_)) if cls == OPTIMIZED_MODULE or cls in signatures.WRAPPERS:
            return call_kind(frame, inner, call)
        case kinds.External(cls="torch.nn.Sequential", args=layers) if layers:
            return _call_sequential(frame, layers, call)
        case kinds.External(
            cls="functools.singledispatch" | "functools.lru_cache" | "contextlib.ContextDecorator" as cls,
            args=(kinds.Function() as function,),
        ):
            emit_call(frame, call, f"{choosing.dispatcher(cls, call)}.__call__", callee)
            return call_kind(frame, function, call)
    is_module = signatures.is_module_class(callee.cls) or callee.cls.startswith(("torch.jit.", "torch.ao."))
    name = f"{callee.cls}.forward" if is_module else f"{choosing.dispatcher(callee.cls, call)}.__call__"
    emit_call(frame, call, name, callee)
    result = signatures.result(name, callee, call.args, call.keywords)
    if result != UNKNOWN or not is_module or not callee.cls.startswith("torch.nn.") or "return_dict" in call.keywords:
        return result  # of a module whose class nobody knows a tensor is only what most give: others give dicts
    return kinds.Tensor(confidence=Confidence.MEDIUM) if callee.cls == "torch.nn.Module" else kinds.TENSOR


def _call_sequential(frame: Frame, layers: tuple[Kind, ...], call: Call) -> Kind:
    current = call.args[:1]
    for layer in layers:
        current = (call_kind(frame, layer, Call(call.node, current)),)
    return current[0] if current else UNKNOWN


def _call_function(frame: Frame, callee: kinds.Function, call: Call) -> Kind:
    if frame.is_idle(call.node):
        return UNKNOWN
    own_calls.emit(frame, callee, call)
    decorated_methods.emit(frame, callee, call)
    held.note_global(frame, callee, call.node)
    if callee.name.endswith(attributes.COMPILE_BLOCKS):
        regional.compile_blocks(frame, call.node, callee.receiver, call.keywords)
    args = call.args if callee.receiver is None else (callee.receiver, *call.args)
    items = handed_on.items(frame, callee, call.node) if frame.assumed else ()
    # What wraps a function may give it more.
    closed = call.closed and callee.wrapper is None
    arguments = Arguments(args, tuple(call.keywords.items()), call.open_ended, items, closed)
    if callee.wrapper is None:
        return walk_called(frame, callee, call, arguments)
    with frame.at_most(run_as_made.sureness_behind(frame, callee)):
        result = walk_called(frame, callee, call, arguments)
    wrapped = _call_wrapper(frame, callee, call)
    return wrapped if result == UNKNOWN else result


def _call_wrapper(frame: Frame, callee: kinds.Function, call: Call) -> Kind:
    match callee.wrapper:
        case kinds.Function(key=key, name=name, closure=closure):
            return call_kind(frame, kinds.Function(key, name, callee.receiver, closure), call)
        case None:
            return UNKNOWN
        case wrapper:
            args = call.args if callee.receiver is None else (callee.receiver, *call.args)
            return call_kind(frame, wrapper, Call(call.node, args, call.keywords, call.open_ended))


def call_instance(frame: Frame, callee: kinds.Instance, call: Call) -> Kind:
    """`module(x)` runs `__call__` where the project defines one, else `forward`; other objects have only `__call__`."""
    method = classes.find_method(frame.inspector, callee.cls, "__call__")
    if method is not None:
        return call_kind(frame, attributes.bound_method(frame.inspector, method, callee), call)
    if callee.module:
        return call_forward(frame, callee, call)
    return _call_unknown(frame, call)


def call_forward(frame: Frame, callee: kinds.Instance, call: Call) -> Kind:
    """What nn.Module.__call__ does."""
    return call_kind(frame, attributes.instance_attribute(frame.inspector, callee, "forward"), call)


def call_method(frame: Frame, receiver: kinds.Instance, name: str, args: tuple[Kind, ...]) -> Kind | None:
    """Call a method that the project defines, as Python does for an operator or a protocol; None if there is none."""
    method = classes.find_method(frame.inspector, receiver.cls, name)
    if method is None:
        return None
    bound = attributes.bound_method(frame.inspector, method, receiver)
    return call_kind(frame, bound, Call(nowhere(), args))
