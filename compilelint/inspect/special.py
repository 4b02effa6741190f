"""Callees that mean something to the walk itself: `super`, `getattr`, `partial`, `torch.compile`, `append` …"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect import (
    attributes,
    calls,
    classes,
    compilations,
    custom_ops,
    kinds,
    named_tuples,
    new_modules,
    operators,
    records,
    signatures,
    unknown_names,
)
from compilelint.inspect.computed_names import ANY, argument, attribute_name, is_computed, option, recurrent_layer
from compilelint.inspect.first_states import starts_empty
from compilelint.inspect.frame import Frame
from compilelint.inspect.instance_checks import is_instance, own_check
from compilelint.inspect.kinds import BOOL, UNKNOWN, Kind
from compilelint.inspect.parameters import first_parameter
from compilelint.inspect.registered import as_registered
from compilelint.inspect.sizes import KEEPS_CONSTANT, compares_sizes, how_surely_constant, is_size, is_under_conditions
from compilelint.inspect.sureness import sureness
from compilelint.inspect.unknown_names import is_module
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.calls import Call

DISABLED = "torch.compiler.disable()"
"""What stands for a function that `torch.compiler.disable` was applied to, as the head of a Partial."""
_WRAPS = "functools.wraps()"
"""What stands for the decorator that `functools.wraps(function)` gives, as the head of a Partial: it gives back what it
is given, and calls nothing."""
_CONTEXT = kinds.External("torch.autograd.function.FunctionCtx")
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
    args = call.args
    match name:
        case "builtins.len" if args and isinstance(args[0], kinds.Text):
            operators.look_at_text(frame, call.node, args[0])
        case "builtins.str.format" if any(isinstance(arg, kinds.Tensor) for arg in args):
            return kinds.Text(next(arg for arg in args if isinstance(arg, kinds.Tensor)))
        case _ if isinstance(receiver, kinds.Text):
            operators.look_at_text(frame, call.node, receiver)
        case _ if name.startswith("torch._check") and _message_captures_object(frame, call):
            _emit(frame, name, call, "message-captures")
        case "builtins.super":
            return _super(frame)
        case "builtins.isinstance" if len(args) == 2:
            if (check := own_check(frame, args[1])) is not None:
                sure_of_check = sureness(args[0])
                frame.emit("call", call.node, callee=name, construct=check, args=args, confidence=sure_of_check)
            return is_instance(args[0], args[1])
        case "torch.Tensor.data_ptr":
            frame.emit("call", call.node, callee=name, receiver=receiver, confidence=sureness(receiver or UNKNOWN))
            return kinds.External(name)
        case "builtins.id" if args and isinstance(args[0], kinds.Tensor) and not args[0].parameter:
            frame.emit("call", call.node, callee=name, args=args)
            return kinds.External(name)
        case "builtins.callable" if args and isinstance(args[0], _CALLABLE):
            return kinds.Const(True)
        case "builtins.getattr" if len(args) >= 2 and (named := attribute_name(args[1], argument(call.node, 1))):
            found = attributes.attribute(frame.inspector, args[0], named)
            return kinds.join(found, kinds.NONE) if _is_missing_at_first(frame, args, named) else found
        case "builtins.getattr" if len(args) == 2 and (layer := recurrent_layer(args[0], argument(call.node, 1))):
            return layer
        case "builtins.getattr" if len(args) == 2 and isinstance(args[0], kinds.Instance) and args[0].module:
            return unknown_names.attribute(frame.inspector, args[0])
        case "builtins.setattr" if len(args) == 3 and _is_self(frame, argument(call.node, 0)):
            _set_attribute(frame, attribute_name(args[1], argument(call.node, 1)), args[2])
        case "builtins.hasattr" if len(args) == 2 and isinstance(args[0], kinds.Tensor):
            return _tensor_has(args[0], args[1])
        case "builtins.hasattr" if len(args) == 2 and isinstance(args[0], kinds.Reference):
            return _torch_has(args[0].name, args[1])
        case "builtins.map" if len(args) == 2 and args[0] == _INT and (texts := _known_texts(args[1])) is not None:
            return kinds.sequence("iterator", (signatures.result(_INT.name, None, (text,), {}) for text in texts))
        case "torch.nn.Buffer" if args and new_modules.is_of_new_module(frame):
            frame.emit("call", call.node, callee=name, construct="of-new-module", args=args)
            return args[0]
        case "functools.wraps" if args:
            frame.emit("call", call.node, callee=name, args=args, keywords=call.keywords)
            return kinds.Partial(kinds.Reference(_WRAPS))
        case "functools.wraps()" if args:
            return args[0]
        case "dataclasses.asdict" | "dataclasses.astuple" if (
            args and (sure := records.how_surely_of_tensors(frame.inspector, args[0])) is not None
        ):
            _emit(frame, name, call, "of-tensors", sure)
        case "dataclasses.field" | "attrs.field" | "attr.ib":
            return _object_by_default(frame, call)
        case named_tuples.MAKER:
            return named_tuples.class_of(args)
        case named_tuples.TYPE if not call.open_ended:
            return named_tuples.made(args, call.keywords)
        case "functools.partial" if args:
            return kinds.Partial(args[0], args[1:], tuple(call.keywords.items()))
        case "torch.compile":
            return compilations.compile_call(frame, call)
        case "torch.compiler.disable":
            frame.emit("call", call.node, callee="torch._dynamo.disable", args=args, keywords=call.keywords)
            return _disable(args)
        case "torch.compiler.disable()":
            return _call_disabled(frame, call)
        case "torch.div" | "torch.floor_divide" | "torch.true_divide" if args and all(_is_number(arg) for arg in args):
            # Of sizes it gives a number that is known while tracing (2.13: LED's chunks).
            return kinds.INT if "rounding_mode" in call.keywords or name == "torch.floor_divide" else kinds.FLOAT
        case _ if (
            name in signatures.TENSOR_TYPES and len(args) == 1 and is_size(frame, argument(call.node, 0), args[0])
        ):
            frame.emit("call", call.node, callee=name, construct="of-size", args=args)
        case "torch.nn.functional.scaled_dot_product_attention" if compares_sizes(
            frame, option(call.node, 5, "is_causal")
        ):
            _emit(frame, name, call, "causal-by-size", _sureness_of_causal(frame, call))
        case _ if (
            name in KEEPS_CONSTANT
            and frame.is_heard
            and (sure := how_surely_constant(frame, name, call.node)) is not None
        ):
            _emit(frame, name, call, "constant-by-size", sure)
        case "torch.autograd.grad" if _is_of_autograd_function(frame):
            _emit(frame, name, call, "of-autograd-function")
            return signatures.result(name, None, args, call.keywords)
        case "torch.Tensor.requires_grad_" if receiver is not None and _is_of_autograd_function(frame):
            # Another callee, as Dynamo treats it as one: what holds elsewhere does not hold here.
            _emit(frame, "torch.autograd.Function.requires_grad_", call, "", sureness(receiver))
            return receiver
        case "torch.library.custom_op()":
            return custom_ops.call_custom_op(frame, call)
        case "torch.jit.script" | "torch.jit.trace" | "torch.jit.freeze" if args and is_module(args[0]):
            frame.emit("call", call.node, callee=name, args=args, keywords=call.keywords)
            return kinds.External("torch.jit.TracedModule" if name.endswith("trace") else "torch.jit.ScriptModule")
        case _ if name in _KEEP_FUNCTION and args and isinstance(args[0], kinds.Function | kinds.Partial):
            frame.emit("call", call.node, callee=name, args=args, keywords=call.keywords)
            return args[0]
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


def _sureness_of_causal(frame: Frame, call: Call) -> Confidence:
    """With a mask `mask is None and length > 1` is decided before sizes are compared, and masks are mostly given."""
    mask = call.keywords.get("attn_mask", call.args[3] if len(call.args) > 3 else kinds.NONE)
    has_conditions = is_under_conditions(frame, option(call.node, 5, "is_causal"))
    return Confidence.LOW if mask != kinds.NONE and has_conditions else Confidence.MEDIUM


def _tensor_has(tensor: kinds.Tensor, name: Kind) -> Kind:
    """`hasattr(tensor, "name")`: a plain tensor has what torch gives it, nothing that other libraries' tensors have."""
    if not isinstance(name, kinds.Const) or not isinstance(name.value, str) or name.value.startswith("_"):
        return BOOL
    return BOOL if signatures.attribute(tensor, name.value) is not None else kinds.Const(False)


_INT = kinds.Reference("builtins.int")


def _known_texts(kind: Kind) -> tuple[Kind, ...] | None:
    """The parts of a text that was split, such as a release."""
    items = kind.items if isinstance(kind, kinds.Sequence) else None
    known = items is not None and all(isinstance(item, kinds.Const) and item.type == "str" for item in items)
    return items if known else None


def _torch_has(owner: str, name: Kind) -> Kind:
    """`hasattr(torch, "compile")`: not a question where every torch has it. What only some have may be there or not."""
    known = isinstance(name, kinds.Const) and signatures.is_in_every_torch(owner, str(name.value))
    return kinds.Const(True) if known else BOOL


def _message_captures_object(frame: Frame, call: Call) -> bool:
    """Whether the message of a check is a lambda that refers to a tensor or an object of the function around it."""
    node = call.node
    if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[-1], ast.Lambda):
        return False
    used = {part.id for part in walk(node.args[-1].body) if isinstance(part, ast.Name)} & frame.env.keys()
    return any(isinstance(frame.env[name], kinds.Tensor | kinds.Instance) for name in used)


def _is_number(kind: Kind) -> bool:
    return isinstance(kind, kinds.Const | kinds.Python) and kinds.type_name(kind) in ("int", "float", "bool")


def _super(frame: Frame) -> Kind:
    if frame.owner is None or not isinstance(frame.receiver, kinds.Instance):
        return UNKNOWN
    return kinds.External("builtins.super", (frame.receiver, kinds.ProjectClass(frame.owner, "")))


_CALLABLE = (kinds.Function, kinds.Partial, kinds.ProjectClass, kinds.Method)


def _disable(args: tuple[Kind, ...]) -> Kind:
    if args and not isinstance(args[0], kinds.Const):
        return kinds.Partial(kinds.Reference(DISABLED), args[:1])
    return kinds.Partial(kinds.Reference("torch.compiler.disable"))


def _call_disabled(frame: Frame, call: Call) -> Kind:
    frame.emit("call", call.node, callee="torch.compiler.disable", receiver=call.args[0], args=call.args[1:])
    with frame.inspector.silently():
        return calls.call_kind(frame, call.args[0], call.after(1))


def inherited_method(frame: Frame, receiver: kinds.Instance, name: str, call: Call) -> Kind:
    """A method that an object of the project has from a class outside."""
    if receiver.module:
        match name:
            case "__call__" | "_call_impl":
                return calls.call_forward(frame, receiver, call)
            case "compile":
                compilations.record(frame, call.node, receiver, call.keywords)
                frame.emit(
                    "compile",
                    call.node,
                    callee="torch.nn.Module.compile",
                    construct="method",
                    receiver=receiver,
                )
                return kinds.NONE
            case "register_buffer" | "register_parameter" if len(call.args) >= 2:
                _set_attribute(frame, attribute_name(call.args[0], argument(call.node, 0)), as_registered(call.args[1]))
            case "add_module" | "register_module" if len(call.args) >= 2:
                _set_attribute(frame, attribute_name(call.args[0], argument(call.node, 0)), call.args[1])
    owner = _owner_of_inherited(frame, receiver, name)
    callee = f"{owner}.{name}"
    frame.emit(
        "call", call.node, callee=callee, receiver=receiver, args=call.args, keywords=call.keywords,
        starred=call.open_ended,
    )  # fmt: skip
    if name in ("to", "cuda", "cpu", "half", "float", "double", "eval", "train", "requires_grad_") and receiver.module:
        return receiver
    return signatures.result(callee, receiver, call.args, call.keywords)


def _is_missing_at_first(frame: Frame, args: tuple[Kind, ...], name: str) -> bool:
    """Whether `getattr(self, "mask", None)` is None in the first call, as only the function that asks sets it."""
    owner = args[0]
    return (
        len(args) == 3
        and args[2] == kinds.NONE
        and isinstance(owner, kinds.Instance)
        and name in frame.inspector.assigned(owner)
        and starts_empty(frame, owner, name) == Confidence.HIGH
    )


def _set_attribute(frame: Frame, name: str, value: Kind) -> None:
    if not name and is_module(value):
        name = ANY
    path = f"self.{name}"
    if is_computed(name):
        value = kinds.join(value, frame.env.get(path, value))
    if name:
        frame.env[path] = value


def _is_self(frame: Frame, node: ast.AST | None) -> bool:
    return isinstance(node, ast.Name) and node.id == "self" and isinstance(frame.receiver, kinds.Instance)


def _owner_of_inherited(frame: Frame, receiver: kinds.Instance, name: str) -> str:
    outside = classes.external_bases(frame.inspector, receiver.cls)
    if receiver.module and not isinstance(signatures.attribute(kinds.External("torch.nn.Module"), name), type(None)):
        nearest = outside[0] if outside else "torch.nn.Module"
        return nearest if name == "forward" and nearest.startswith("torch.nn.") else "torch.nn.Module"
    return outside[0] if outside else receiver.cls.name


def autograd_function(frame: Frame, cls: kinds.ProjectClass, name: str, call: Call) -> Kind:
    """`MyFunction.apply(x)`: Dynamo traces `forward`, and `backward` too."""
    if name != "apply":
        return UNKNOWN
    frame.emit(
        "call", call.node, callee="torch.autograd.Function.apply", receiver=cls, args=call.args, keywords=call.keywords,
        construct="repeated-argument" if _repeats_tensor(call) else "",
    )  # fmt: skip
    for rule in ("jvp", "vjp"):
        if classes.find_method(frame.inspector, cls, rule) is not None:
            frame.emit("call", call.node, callee=f"torch.autograd.Function.{rule}", receiver=cls, args=call.args)
    results = []
    forward = classes.find_method(frame.inspector, cls, "forward")
    with_setup = classes.find_method(frame.inspector, cls, "setup_context") is not None
    if forward is not None:
        args = call.args if with_setup else (_CONTEXT, *call.args)
        kind = frame.inspector.definition(forward)
        results.append(calls.call_kind(frame, kind, calls.Call(call.node, args, call.keywords, call.open_ended)))
    backward = classes.find_method(frame.inspector, cls, "backward")
    if backward is not None:
        kind = frame.inspector.definition(backward)
        calls.call_kind(frame, kind, calls.Call(call.node, (_CONTEXT, kinds.TENSOR), {}, open_ended=True))
    return results[0] if results and results[0] != UNKNOWN else kinds.TENSOR


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


def _object_by_default(frame: Frame, call: Call) -> Kind | None:
    """What a field holds of which only the default is known: an object. Of all else its annotation tells more."""
    factory = call.keywords.get("default_factory") or call.keywords.get("factory")
    made = calls.call_kind(frame, factory, calls.Call(call.node)) if factory is not None else UNKNOWN
    return made if isinstance(made, kinds.Instance) else None
