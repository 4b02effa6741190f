"""Callees outside of the project that mean something to the walk itself: `partial`, `torch.compile`, `apply` …"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from compilelint.inspect import kinds, signatures
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.calling import builtin_calls, calls, compilations, custom_ops, method_objects, regional
from compilelint.inspect.calling.own_items import report_filled
from compilelint.inspect.deciding.instance_checks import is_tensor
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.members import attributes, classes, named_tuples, new_modules, records, recurrent
from compilelint.inspect.members.computed_names import argument, attribute_name, option
from compilelint.inspect.members.registered import as_registered
from compilelint.inspect.members.unknown_names import is_module, set_on_self
from compilelint.inspect.sizing import drawn_sizes, input_sizes, sizes, untraced_sizes
from compilelint.inspect.sureness import sureness
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call

_WRAPS = "functools.wraps()"
"""What stands for the decorator that `functools.wraps(function)` gives, as the head of a Partial: it gives back what it
is given, and calls nothing."""
_CONTEXT = kinds.External("torch.autograd.function.FunctionCtx")
_IS_TENSOR = "torch.is_tensor"
_ATTENTION = "torch.nn.functional.scaled_dot_product_attention"
_KEEP_FUNCTION = frozenset(
    {
        "torch.jit.script",
        "torch.jit.ignore",
        "torch.jit.unused",
        "torch.jit.export",
        "torch.compiler.allow_in_graph",
        "torch.no_grad",
        "torch.enable_grad",
        "torch.inference_mode",
        "functools.lru_cache",
        "functools.cache",
        "functools.update_wrapper",
        "contextlib.contextmanager",
    }
)


def call(frame: Frame, name: str, receiver: Kind | None, call: Call) -> Kind | None:
    """The result of a callee that needs more than a signature; None for all others."""
    if name.startswith("builtins."):
        return builtin_calls.call(frame, name, receiver, call)
    if (function := _FUNCTIONS.get(name)) is not None:
        return function(frame, call)
    if (method := _METHODS.get(name)) is not None:
        return method(frame, receiver, call)
    if name.startswith("torch._check") and (message := _message(call)) is not None:
        if _captures_object(frame, message):
            _emit(frame, name, call, "message-captures")
        else:
            untraced_sizes.report_message(name, frame, call, message)
    return None


def _emit(frame: Frame, callee: str, call: Call, construct: str, confidence: Confidence = Confidence.HIGH) -> None:
    """Report a call of something that is known by more than its name."""
    frame.emit(
        "call",
        call.node,
        callee=callee,
        construct=construct,
        args=call.args,
        keywords=call.keywords,
        confidence=confidence,
    )


# Tensors


def _data_ptr(frame: Frame, receiver: Kind | None, call: Call) -> Kind:
    callee = "torch.Tensor.data_ptr"
    frame.emit("call", call.node, callee=callee, receiver=receiver, confidence=sureness(receiver or UNKNOWN))
    return kinds.External(callee)


def _ask_for_tensor(frame: Frame, call: Call) -> Kind | None:
    """Dynamo says yes of an array of numpy as well, where Python says no."""
    if len(call.args) != 1:
        return None
    if any(isinstance(option, kinds.Array) for option in kinds.options(call.args[0])):
        _emit(frame, _IS_TENSOR, call, "of-array")
    return is_tensor(frame, call.args[0])


def _make_tensor(name: str, frame: Frame, call: Call) -> None:
    if len(call.args) == 1 and sizes.is_size(frame, argument(call.node, 0), call.args[0]):
        frame.emit("call", call.node, callee=name, construct="of-size", args=call.args)


def _attend(frame: Frame, call: Call) -> None:
    if sizes.compares_sizes(frame, option(call.node, 5, "is_causal")):
        _emit(frame, _ATTENTION, call, "causal-by-size", _sureness_of_causal(frame, call))


def _sureness_of_causal(frame: Frame, call: Call) -> Confidence:
    """With a mask `mask is None and length > 1` is decided before sizes are compared, and masks are mostly given."""
    mask = call.keywords.get("attn_mask", call.args[3] if len(call.args) > 3 else kinds.NONE)
    has_conditions = sizes.is_under_conditions(frame, option(call.node, 5, "is_causal"))
    return Confidence.LOW if mask != kinds.NONE and has_conditions else Confidence.MEDIUM


def _message(call: Call) -> ast.expr | None:
    """What the lambda returns that is the message of a check."""
    match call.node:
        case ast.Call(args=[*_, ast.Lambda(body=message)]):
            return message
        case _:
            return None


def _captures_object(frame: Frame, message: ast.expr) -> bool:
    """Whether a message refers to a tensor or an object of the function around it."""
    used = {part.id for part in walk(message) if isinstance(part, ast.Name)} & frame.env.keys()
    return any(isinstance(frame.env[name], kinds.Tensor | kinds.Instance) for name in used)


# Functions and what is made of them


def _wraps(frame: Frame, call: Call) -> Kind | None:
    if not call.args:
        return None
    _emit(frame, "functools.wraps", call, "")
    return kinds.Partial(kinds.Reference(_WRAPS))


def _keep_function(name: str, frame: Frame, call: Call) -> Kind | None:
    if not call.args or not isinstance(call.args[0], kinds.Function | kinds.Partial):
        return None
    _emit(frame, name, call, "")
    return call.args[0]


def _to_script(name: str, frame: Frame, call: Call) -> Kind | None:
    if not call.args or not is_module(call.args[0]):
        return _keep_function(name, frame, call) if name in _KEEP_FUNCTION else None
    _emit(frame, name, call, "")
    return kinds.External("torch.jit.TracedModule" if name.endswith("trace") else "torch.jit.ScriptModule")


def _partial(frame: Frame, call: Call) -> Kind | None:
    return kinds.Partial(call.args[0], call.args[1:], tuple(call.keywords.items())) if call.args else None


def _disable(frame: Frame, call: Call) -> Kind:
    args = call.args
    _emit(frame, "torch._dynamo.disable", call, "")
    if args and not isinstance(args[0], kinds.Const):
        return kinds.Partial(kinds.Reference(attributes.DISABLED), args[:1])
    return kinds.Partial(kinds.Reference("torch.compiler.disable"))


def _call_disabled(frame: Frame, call: Call) -> Kind:
    frame.emit("call", call.node, callee="torch.compiler.disable", receiver=call.args[0], args=call.args[1:])
    with frame.inspector.silently():
        return calls.call_kind(frame, call.args[0], call.after(1))


# Records and modules


def _take_apart(name: str, frame: Frame, call: Call) -> None:
    if call.args and (sure := records.how_surely_of_tensors(frame.inspector, call.args[0])) is not None:
        _emit(frame, name, call, "of-tensors", sure)


def _object_by_default(frame: Frame, call: Call) -> Kind | None:
    """What a field holds of which only the default is known: an object. Of all else its annotation tells more."""
    factory = call.keywords.get("default_factory") or call.keywords.get("factory")
    made = calls.call_kind(frame, factory, calls.Call(call.node)) if factory is not None else UNKNOWN
    return made if isinstance(made, kinds.Instance) else None


def _make_buffer(frame: Frame, call: Call) -> Kind | None:
    if not call.args or not new_modules.is_of_new_module(frame):
        return None
    frame.emit("call", call.node, callee="torch.nn.Buffer", construct="of-new-module", args=call.args)
    return call.args[0]


# Methods of objects of the project that they have from outside


def inherited_method(frame: Frame, receiver: kinds.Instance, name: str, call: Call) -> Kind:
    """A method that an object of the project has from a class outside."""
    if name == "compile":
        receiver = compilations.as_module(frame, receiver)
    if name == attributes.COMPILE_BLOCKS:
        regional.compile_blocks(frame, call.node, receiver, call.keywords)
    if receiver.module:
        match name:
            case "__call__" | "_call_impl":
                return calls.call_forward(frame, receiver, call)
            case "compile":
                receiver = compilations.compile_in_place(frame, call.node, receiver, call.keywords)
                frame.emit(
                    "compile",
                    call.node,
                    callee="torch.nn.Module.compile",
                    construct="method",
                    receiver=receiver,
                )
                return kinds.NONE
            case "register_buffer" | "register_parameter" if len(call.args) >= 2:
                set_on_self(frame, attribute_name(call.args[0], argument(call.node, 0)), as_registered(call.args[1]))
            case "add_module" | "register_module" if len(call.args) >= 2:
                set_on_self(frame, attribute_name(call.args[0], argument(call.node, 0)), call.args[1])
    owner = _owner_of_inherited(frame, receiver, name)
    if owner == classes.AUTOGRAD_FUNCTION and name == "apply":
        return _apply_of_object(frame, receiver, call)
    callee = f"{owner}.{name}"
    report_filled(frame, receiver, name, call)
    if receiver.module:
        recurrent.report(frame, receiver, name, call.node)
    frame.emit(
        "call", call.node, callee=callee, receiver=receiver, args=call.args, keywords=call.keywords,
        starred=call.open_ended,
    )  # fmt: skip
    if name in ("to", "cuda", "cpu", "half", "float", "double", "eval", "train", "requires_grad_") and receiver.module:
        return receiver
    return signatures.result(callee, receiver, call.args, call.keywords)


def _owner_of_inherited(frame: Frame, receiver: kinds.Instance, name: str) -> str:
    outside = classes.external_bases(frame.inspector, receiver.cls)
    if receiver.module and signatures.attribute(kinds.External("torch.nn.Module"), name) is not None:
        nearest = outside[0] if outside else "torch.nn.Module"
        return nearest if name == "forward" and nearest.startswith("torch.nn.") else "torch.nn.Module"
    has_it = (base for base in outside if signatures.attribute(kinds.External(base), name) is not None)
    return next(has_it, outside[0]) if outside else receiver.cls.name


def inherited_of_class(frame: Frame, cls: kinds.ProjectClass, name: str, call: Call) -> Kind:
    """A class method that a class of the project has from outside: `Net.from_pretrained(…)`, `MyFunction.apply(x)`."""
    return _apply(frame, cls, call) if name == "apply" else attributes.made_by(frame.inspector, cls, name)


def _apply(frame: Frame, cls: kinds.ProjectClass, call: Call) -> Kind:
    """`MyFunction.apply(x)`: Dynamo traces `forward`, and `backward` too."""
    frame.emit(
        "call", call.node, callee="torch.autograd.Function.apply", receiver=cls, args=call.args, keywords=call.keywords,
        construct="repeated-argument" if _repeats_tensor(call) else "",
    )  # fmt: skip
    for rule in ("jvp", "vjp"):
        if classes.find_method(frame.inspector, cls, rule) is not None:
            frame.emit("call", call.node, callee=f"torch.autograd.Function.{rule}", receiver=cls, args=call.args)
    for method in ("forward", "backward"):
        if _is_class_method(frame, cls, method):
            callee = "torch.autograd.Function.classmethod"
            frame.emit("call", call.node, callee=callee, receiver=cls, args=call.args, construct=method)
    results = []
    forward = classes.find_method(frame.inspector, cls, "forward")
    with_setup = classes.find_method(frame.inspector, cls, "setup_context") is not None
    if forward is not None:
        args = call.args if with_setup else (_CONTEXT, *call.args)
        kind = attributes.class_attribute(frame.inspector, cls, "forward")
        results.append(calls.call_kind(frame, kind, calls.Call(call.node, args, call.keywords, call.open_ended)))
    backward = classes.find_method(frame.inspector, cls, "backward")
    if backward is not None:
        kind = attributes.class_attribute(frame.inspector, cls, "backward")
        calls.call_kind(frame, kind, calls.Call(call.node, (_CONTEXT, kinds.TENSOR), {}, open_ended=True))
    return results[0] if results and results[0] != UNKNOWN else kinds.TENSOR


def _apply_of_object(frame: Frame, receiver: kinds.Instance, call: Call) -> Kind:
    """`self.scale.apply(x)` of `self.scale = Scale()`: into an object that was there before Dynamo does not look. The
    method alone is that of the class: `self.scale = Scale().apply`."""
    match call.node:
        case ast.Call(func=ast.Attribute(value=owner, attr="apply")) if not receiver.fresh or frame.is_outside(owner):
            callee = "torch.autograd.Function.object"
            frame.emit("call", call.node, callee=callee, receiver=receiver, args=call.args)
            return kinds.TENSOR
        case _:
            return _apply(frame, receiver.cls, call)


def _is_class_method(frame: Frame, cls: kinds.ProjectClass, name: str) -> bool:
    key = classes.find_method(frame.inspector, cls, name)
    return key is not None and "builtins.classmethod" in classes.decorator_names(frame.inspector, key)


# Distributions


def _ask_base(name: str, frame: Frame, receiver: Kind | None, call: Call) -> Kind | None:
    """`Independent(own, 1).sample()`: what a class of the project makes of it."""
    match receiver:
        case kinds.External(args=(kinds.Instance() as base, *_)):
            return calls.call_method(frame, base, name, call.args)
        case _:
            return None


# Inside of autograd functions


def _grad(frame: Frame, call: Call) -> Kind | None:
    if not _is_of_autograd_function(frame):
        return None
    _emit(frame, "torch.autograd.grad", call, "of-autograd-function")
    return signatures.result("torch.autograd.grad", None, call.args, call.keywords)


def _require_grad(frame: Frame, receiver: Kind | None, call: Call) -> Kind | None:
    if receiver is None or not _is_of_autograd_function(frame):
        return None
    # Another callee, as Dynamo treats it as one: what holds elsewhere does not hold here.
    _emit(frame, "torch.autograd.Function.requires_grad_", call, "", sureness(receiver))
    return receiver


def _is_of_autograd_function(frame: Frame) -> bool:
    """Whether this is the `forward` or `backward` of one, whose first parameter is its context."""
    first = first_parameter(frame.function.node) if frame.function is not None else None
    return first is not None and frame.env.get(first) == _CONTEXT


def _repeats_tensor(call: Call) -> bool:
    """Whether one tensor is passed twice, by one name."""
    node = call.node
    if not isinstance(node, ast.Call) or call.open_ended:
        return False
    given = [
        arg.id
        for arg, kind in zip(node.args, call.args, strict=False)
        if isinstance(arg, ast.Name) and kinds.tensor_part(kind) is not None
    ]
    return len(set(given)) < len(given)


_FUNCTIONS: dict[str, Callable[[Frame, Call], Kind | None]] = {
    **{name: partial(_keep_function, name) for name in _KEEP_FUNCTION},
    **{name: partial(_to_script, name) for name in ("torch.jit.script", "torch.jit.trace", "torch.jit.freeze")},
    **{name: partial(_make_tensor, name) for name in signatures.TENSOR_TYPES},
    **{name: partial(sizes.report_constant, name) for name in sizes.KEEPS_CONSTANT},
    **{name: partial(untraced_sizes.report_untraced, name) for name in untraced_sizes.UNTRACED_OF_MATH},
    **{name: partial(drawn_sizes.report_drawn, name) for name in drawn_sizes.DRAWN},
    **{name: partial(_take_apart, name) for name in ("dataclasses.asdict", "dataclasses.astuple")},
    **dict.fromkeys(("dataclasses.field", "attrs.field", "attr.ib"), _object_by_default),
    # What calls this module is looked up late: it may still be importing it.
    compilations.COMPILE: lambda frame, call: compilations.compile_call(frame, call),
    compilations.OPTIMIZE: lambda frame, call: compilations.optimize_call(frame, call),
    **dict.fromkeys(regional.COMPILE_REGIONS, regional.compile_regions),
    "torch.library.custom_op()": lambda frame, call: custom_ops.call_custom_op(frame, call),
    named_tuples.MAKER: lambda frame, call: named_tuples.class_of(call.args),
    named_tuples.TYPE: lambda frame, call: None if call.open_ended else named_tuples.made(call.args, call.keywords),
    "functools.partial": _partial,
    method_objects.METHOD_TYPE: method_objects.make,
    "functools.wraps": _wraps,
    _WRAPS: lambda frame, call: call.args[0] if call.args else None,
    "torch.compiler.disable": _disable,
    attributes.DISABLED: _call_disabled,
    "torch.nn.Buffer": _make_buffer,
    _IS_TENSOR: _ask_for_tensor,
    _ATTENTION: _attend,
    "torch.autograd.grad": _grad,
}
_METHODS: dict[str, Callable[[Frame, Kind | None, Call], Kind | None]] = {
    "torch.Tensor.data_ptr": _data_ptr,
    "torch.Tensor.size": input_sizes.size,
    "torch.Tensor.requires_grad_": _require_grad,
    **{f"{signatures.INDEPENDENT}.{name}": partial(_ask_base, name) for name in signatures.LEFT_TO_BASE},
}
"""These and the functions above are called what their callees do."""
