"""What a program hands to the models of a library, which call it in their `forward`, or what it puts in place of that.

`AttentionInterface.register("mine", attention)` of transformers, whose models call it for
`attn_implementation="mine"`, and `unet.set_attn_processor(Processor())` of diffusers; `LlamaMLP.forward = forward` and
`layer.mlp.forward = MethodType(forward, layer.mlp)`. Measured on torch 2.13 with
transformers 5.23 and diffusers 0.42: a model that is compiled breaks at what breaks in them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.arguments.items import MODULE, is_module
from compilelint.inspect.calling import compilations
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.members import attributes, classes
from compilelint.inspect.syntax import expressions
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_PASSED = kinds.Tensor(confidence=Confidence.MEDIUM)
_OF_ATTENTION = ("AttentionInterface.register", "ALL_ATTENTION_FUNCTIONS.register")
_OF_PROCESSORS = ("set_attn_processor", "set_processor")
_ATTENTION: tuple[Kind, ...] = (UNKNOWN, _PASSED, _PASSED, _PASSED)
"""The module, the query, the key and the value."""
_PROCESSOR: tuple[Kind, ...] = (UNKNOWN, _PASSED)
"""The module, and the hidden states."""
_METHODS: dict[str, tuple[Kind, ...]] = {"forward": (_PASSED,), "loss_function": (_PASSED, _PASSED)}
"""What a model calls of its own, with its input, and with the logits and the labels."""


def note(frame: Frame, node: ast.Call, callee: Kind, args: Sequence[Kind]) -> None:
    """Remember what a script hands to a library's models, for who looks for what is compiled."""
    if len(args) == 2 and _registers_attention(callee):
        handed, given = args[1], _ATTENTION
    elif len(args) == 1 and isinstance(node.func, ast.Attribute) and node.func.attr in _OF_PROCESSORS:
        handed, given = args[0], _PROCESSOR
    else:
        return
    values = (handed, *_put_into(frame, node.args[0])) if isinstance(handed, kinds.Dictionary) else (handed,)
    for function in dict.fromkeys(each for value in values for each in called(frame.inspector, value)):
        compilations.record_hook(frame, node, function, given)


def _put_into(frame: Frame, filled: ast.expr) -> Iterator[Kind]:
    """What code puts into a dict under keys of which nothing is known: `processors[name] = Processor()` in a loop."""
    if not isinstance(filled, ast.Name):
        return
    for part in walk(frame.function.node if frame.function is not None else frame.module.tree):
        match part:
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))], value=value) if name == filled.id:
                yield expressions.evaluate(frame, value)


def note_method(frame: Frame, statement: ast.stmt, target: ast.Attribute, owner: Kind, value: Kind) -> None:
    """Remember a function that a script puts in place of a method of a library's class, or of a module."""
    given = _METHODS.get(target.attr)
    if given is None or not isinstance(statement, ast.Assign):
        return
    of_class = _is_class(target.value) or _is_class_of_module(frame.inspector, owner)
    of_object = not of_class and (_is_of_library(frame.inspector, owner) or is_module(owner))
    function = unbound(statement.value) if of_object else None
    if function is not None:
        value = expressions.evaluate(frame, function)
    elif not of_object and not of_class:
        return
    if isinstance(value, kinds.Function):
        made = frame.inspector.instance(owner) if isinstance(owner, kinds.ProjectClass) else owner
        model = made if isinstance(made, kinds.Instance) else MODULE
        compilations.record_hook(frame, statement, value, given if of_object and function is None else (model, *given))


def _is_class(node: ast.expr) -> bool:
    """`model.__class__`, `type(model)`: whatever the model is."""
    match node:
        case ast.Attribute(attr="__class__") | ast.Call(func=ast.Name(id="type"), args=[_]):
            return True
        case _:
            return False


def _is_of_library(inspector: Inspector, owner: Kind) -> bool:
    """Whether something may be an object of a library; what is read of one (`model.model`) is taken for a method."""
    if isinstance(owner, kinds.Instance):
        return inspector.tree.is_followed(owner.cls.key[0])
    return owner == UNKNOWN or isinstance(owner, kinds.External | kinds.Method)


def _is_class_of_module(inspector: Inspector, owner: Kind) -> bool:
    """A class of a library, or one of the project's own of modules."""
    if isinstance(owner, kinds.ProjectClass):
        return inspector.tree.is_followed(owner.key[0]) or inspector.instance(owner).module
    return isinstance(owner, kinds.Reference)


def unbound(value: ast.expr) -> ast.expr | None:
    """`MethodType(function, module)`, `partial(function, module)`, `function.__get__(module)`: the function."""
    match value:
        case ast.Call(func=ast.Attribute(attr="partial") | ast.Name(id="partial"), args=[function, _], keywords=[]):
            return function
        case ast.Call(func=ast.Attribute(attr="MethodType") | ast.Name(id="MethodType"), args=[function, _]):
            return function
        case ast.Call(func=ast.Attribute(value=function, attr="__get__"), args=[_, *_]):
            return function
        case _:
            return None


def _registers_attention(callee: Kind) -> bool:
    match callee:
        case kinds.Reference(name=name):
            return name.startswith("transformers.") and name.endswith(_OF_ATTENTION)
        case kinds.Function(receiver=kinds.ProjectClass(name="AttentionInterface"), name=name):  # it is followed
            return name.endswith("register")
        case _:
            return False


def called(inspector: Inspector, handed: Kind) -> Iterator[kinds.Function]:
    """What runs when a value is called, or each of those in a dict."""
    for option in kinds.options(handed):
        match option:
            case kinds.Function():
                yield option
            case kinds.Instance():
                method = classes.find_method(inspector, option.cls, "__call__")
                bound = attributes.bound_method(inspector, method, option) if method is not None else None
                if isinstance(bound, kinds.Function):
                    yield bound
            case kinds.Dictionary(value=value):
                yield from called(inspector, value)
