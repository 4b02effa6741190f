"""Of several things that may be called, those that can be called with what they are given.

`self.coder(shape, dtype)` under `if self.kind == "bias":`, and `self.coder(positions)` in its `else`, call coders that
`__init__` chooses by the same option: that they are others is seen by their parameters.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from compilelint.inspect import kinds, signatures
from compilelint.inspect.calling.optional_imports import needs_other_library
from compilelint.inspect.frame import Frame, path_of
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import attributes, classes
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call

_SCRIPTED = frozenset({"torch.jit.ScriptModule", "torch.jit.TracedModule"})


def sureness_among(frame: Frame, option: Kind, options: Sequence[Kind]) -> Confidence:
    """How sure it is that this is what is called; what may be scripted is not, where it is compiled."""
    if sum(each != kinds.NONE for each in options) < 2:
        return Confidence.HIGH
    is_scripted = isinstance(option, kinds.External) and option.cls in _SCRIPTED
    function = _function_of(frame, option)
    is_rare = is_scripted or (function is not None and needs_other_library(frame, function))
    return Confidence.LOW if is_rare else Confidence.MEDIUM


def that_take(frame: Frame, options: Sequence[Kind], call: Call) -> list[Kind]:
    """The options but None, without those of which a parameter would be missing, or one too many be given."""
    called = [option for option in options if option != kinds.NONE]
    if len(called) < 2 or call.open_ended or _passes_a_dict(call.node):
        return called
    return [option for option in called if _takes(frame, option, call)] or called


def _passes_a_dict(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and any(keyword.arg is None for keyword in node.keywords)


def _takes(frame: Frame, option: Kind, call: Call) -> bool:
    function = _function_of(frame, option)
    if function is None or function.wrapper is not None:
        return True
    known = frame.inspector.tree.function(function.key)
    if known is None or (not isinstance(known.node, ast.Lambda) and known.node.decorator_list):
        return True
    spec = known.node.args
    positional = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
    given = len(call.args) + (function.receiver is not None)
    only_named = [arg.arg for arg in spec.kwonlyargs]
    if (given > len(positional) and spec.vararg is None) or (
        spec.kwarg is None and not call.keywords.keys() <= {*positional, *only_named}
    ):
        return False
    needed = positional[given : len(positional) - len(spec.defaults)]
    needed += [name for name, default in zip(only_named, spec.kw_defaults, strict=True) if default is None]
    return call.keywords.keys() >= set(needed)


def _function_of(frame: Frame, option: Kind) -> kinds.Function | None:
    """What runs when this is called, where it is a function of the project."""
    found: Kind = option
    if isinstance(option, kinds.Instance) and option.module:
        if classes.find_method(frame.inspector, option.cls, "__call__") is not None:
            return None
        found = attributes.instance_attribute(frame.inspector, option, "forward")
    return found if isinstance(found, kinds.Function) else None


_OF_OPTIMIZER = frozenset({"zero_grad", "step"})
"""Methods that only optimizers have together."""


def only_owner(frame: Frame, method: ast.Attribute) -> str:
    """The class of which something unknown is as far as its methods tell: only a module has `register_forward_hook`,
    and only what is asked for both `zero_grad` and `step` is an optimizer. Empty where they tell nothing."""
    if signatures.is_distinctive_module_method(method.attr):
        return "torch.nn.Module"
    if method.attr not in _OF_OPTIMIZER or frame.function is None or (path := path_of(method.value)) is None:
        return ""
    called = {
        part.func.attr
        for part in walk(frame.function.node)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and path_of(part.func.value) == path
    }
    return "torch.optim.Optimizer" if called >= _OF_OPTIMIZER else ""


_DISPATCHER, _METHOD_DISPATCHER = "functools.singledispatch", "functools.singledispatchmethod"


def dispatcher(cls: str, call: Call) -> str:
    """The class of an object that is called: of what is registered for numbers, texts and None Dynamo cannot look up
    which is meant, and breaks the graph as it does at a method that `singledispatchmethod` made; all else it does as
    for a function of `singledispatch`."""
    if cls not in (_DISPATCHER, _METHOD_DISPATCHER) or not call.args:
        return cls
    given = kinds.options(call.args[0])
    if cls == _DISPATCHER:
        return _METHOD_DISPATCHER if _is_number(call, given) else cls
    looked_up = kinds.Tensor | kinds.Sequence | kinds.Dictionary | kinds.Instance
    return _DISPATCHER if all(isinstance(option, looked_up) for option in given) else cls


def _is_number(call: Call, given: Sequence[Kind]) -> bool:
    """Whether it is given a number, or what is written out there; a constant by name may be a member of an Enum, which
    Dynamo does look up."""
    match call.node:
        case ast.Call(args=[ast.Constant(), *_]):
            return True
        case ast.Call(args=[ast.Attribute(), *_]):
            return False
        case _:
            return all(isinstance(kind, kinds.Python) and kind.type in ("int", "float", "bool") for kind in given)


def is_of_tensors(func: ast.Attribute, call: Call) -> bool:
    """Whether hardly anything but a tensor has a method that is called so, whatever it is called on: `x.backward()`, if
    nothing is given, and `ids.cpu().tolist()`: modules are moved as well, and arrays listed, but nothing is both."""
    match func:
        case ast.Attribute(attr="backward"):
            return not (call.args or call.open_ended)
        case ast.Attribute(attr="tolist" | "item", value=ast.Call(func=ast.Attribute(attr="cpu" | "cuda"), args=[])):
            return True
        case _:
            return False
