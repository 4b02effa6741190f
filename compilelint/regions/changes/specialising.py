"""What a compiled function does with a parameter: uses that Dynamo takes its value, or its length, as a constant for.

Measured on torch 2.5 to 2.15 (docs/folklore.md has what does not): an `int` stays dynamic in arithmetic, as a size, a
slice bound, the only index of a tensor, and in comparisons, which cost one graph a branch. The uses below cost one
graph a value.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from compilelint.inspect import kinds
from compilelint.inspect.frame import source_of
from compilelint.inspect.kinds import Kind
from compilelint.inspect.sizing.sizes import HELD_BY_NUMPY
from compilelint.regions.around.driving import Target, targets_of
from compilelint.regions.around.scopes import Scope
from compilelint.source.index import node_key
from compilelint.source.nodes import walk

_NUMBERS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Div, ast.Pow)
AS_ARRAY = "math.exp"
"""What the use of a number by a function of numpy is told as: the rule pages have another of its sort."""
_LENGTHENS = frozenset({"append", "appendleft"})
_SHORTENS = frozenset({"pop", "popleft", "clear", "remove"})
_NAMESPACES = ("torch", "F", "functional")


class Use(Struct, frozen=True):
    """What a function does with a parameter, and in which function: it may hand it on."""

    word: str
    node: ast.AST
    target: Target

    @property
    def source(self) -> str:
        return source_of(self.target.module, self.node)

    @property
    def function(self) -> str:
        """The qualified name of the function."""
        info = self.target.module.functions.get(node_key(self.target.module.name, self.target.node))
        return info.qualname if info is not None else "<lambda>"


def reads(target: Target, parameter: str) -> bool:
    """Whether the function looks at a parameter at all: what it does not read is not guarded."""
    return not is_rebound(target, parameter) and any(
        isinstance(node, ast.Name) and node.id == parameter for node in live_nodes(target)
    )


def reads_as_given(target: Target, parameter: str) -> bool:
    """Whether the function looks at what it is given before it gives the name another value, or to make that of it:
    `name = name or self.name`."""
    named = [node for node in live_nodes(target) if isinstance(node, ast.Name) and node.id == parameter]
    stored = {id(node) for node in named if not isinstance(node.ctx, ast.Load)}
    remade = {
        id(part)
        for node in live_nodes(target)
        if isinstance(node, ast.Assign) and any(id(each) in stored for each in node.targets)
        for part in walk(node.value)
    }
    first = min(((node.lineno, node.col_offset) for node in named if id(node) in stored), default=None)
    return any(
        isinstance(node.ctx, ast.Load)
        and (
            first is None or (node.lineno, node.col_offset) < first or (id(node) in remade and node.lineno == first[0])
        )
        for node in named
    )


def grows(target: Target, parameter: str) -> bool:
    """Whether each call makes a list that it is given longer, and none makes it shorter."""
    body = target.node.body if isinstance(target.node.body, list) else []
    return (
        not is_rebound(target, parameter)
        and any(isinstance(node, ast.Expr) and _method_called(node.value, parameter) in _LENGTHENS for node in body)
        and not any(_shortens(node, parameter) for node in live_nodes(target))
    )


def _shortens(node: ast.AST, parameter: str) -> bool:
    match node:
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
            return name == parameter
        case _:
            return _method_called(node, parameter) in _SHORTENS


def _method_called(node: ast.AST, parameter: str) -> str | None:
    """`append` of `items.append(x)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if name == parameter:
            return method
        case _:
            return None


def looks_at_keys(target: Target, parameter: str) -> bool:
    """Whether the function goes through a dict, or asks how long it is."""
    for node in live_nodes(target):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="values" | "items" | "keys")):
                found = name
            case ast.Call(func=ast.Name(id="len" | "list" | "sorted" | "sum"), args=[ast.Name(id=name)]):
                found = name
            case ast.For(iter=ast.Name(id=name)) | ast.comprehension(iter=ast.Name(id=name)):
                found = name
            case _:
                continue
        if found == parameter:
            return True
    return False


def reads_global(target: Target, name: str) -> bool:
    """Whether the function reads a global of its module by this name."""
    own = {part.arg for part in walk(target.node.args) if isinstance(part, ast.arg)}
    stored = {node.id for node in live_nodes(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return name not in own | stored and any(
        isinstance(node, ast.Name) and node.id == name for node in live_nodes(target)
    )


def reads_attribute(target: Target, name: str, attribute: str) -> bool:
    """Whether the function reads an attribute of a global."""
    return reads_global(target, name) and any(
        isinstance(node, ast.Attribute)
        and node.attr == attribute
        and isinstance(node.value, ast.Name)
        and node.value.id == name
        for node in live_nodes(target)
    )


def is_rebound(target: Target, parameter: str) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == parameter and not isinstance(node.ctx, ast.Load)
        for node in live_nodes(target)
    )


def live_nodes(target: Target) -> Iterator[ast.AST]:
    """All nodes of the body, without what stands under `raise` and `assert` messages."""
    body = target.node.body
    pending: list[ast.AST] = list(body) if isinstance(body, list) else [body]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Raise):
            continue
        yield node
        pending.extend([node.test] if isinstance(node, ast.Assert) else ast.iter_child_nodes(node))


def is_made_of(node: ast.expr, parameter: str) -> bool:
    """Whether a number is the parameter, or made from it in a way that keeps its values apart."""
    match node:
        case ast.Name() | ast.Attribute():
            return is_spelled(node, parameter)
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _NUMBERS):
            return is_made_of(left, parameter) or is_made_of(right, parameter)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return is_made_of(operand, parameter)
        case ast.Call(func=ast.Name(id="int" | "float" | "abs"), args=[value]):
            return is_made_of(value, parameter)
        case _:
            return False


def is_spelled(node: ast.expr, name: str) -> bool:
    """Whether an expression is this name, or an attribute of one: `p`, `self.p`."""
    match node:
        case ast.Name(id=spelled):
            return spelled == name
        case ast.Attribute(value=ast.Name(id=owner), attr=attr):
            return f"{owner}.{attr}" == name
        case _:
            return False


def arguments_at(
    call: ast.Call, owner: ast.expr, places: Collection[int], keywords: Collection[str]
) -> Iterator[ast.expr]:
    """What a function of torch, or a method of a tensor, is given at these places, or by these names.

    Places are counted with the tensor, which a method has before its dot.
    """
    before = 0 if is_named(owner, _NAMESPACES) else 1
    yield from (call.args[place - before] for place in places if 0 <= place - before < len(call.args))
    yield from (keyword.value for keyword in call.keywords if keyword.arg in keywords)


def is_named(owner: ast.expr, names: Collection[str]) -> bool:
    """Whether what stands before the dot of a call ends in one of these names."""
    match owner:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in names
        case _:
            return False


def takes_constants(owner: ast.expr, name: str) -> bool:
    """Whether a function is one of numpy that makes an array of its numbers, a tensor to Dynamo."""
    return name in HELD_BY_NUMPY and is_named(owner, ("np", "numpy"))


def kind_in(scope: Scope, target: Target, node: ast.expr, given: Mapping[str, Kind]) -> Kind:
    """The kind of a global, of an argument, or of something that `self` has, in a function."""
    own = {part.arg for part in walk(target.node.args) if isinstance(part, ast.arg)}
    match node:
        case ast.Name(id=name) if name in own:
            return given.get(name, kinds.UNKNOWN)
        case ast.Name():
            return scope.inspector.evaluate_globally(target.module, node)
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if target.receiver is not None:
            arguments = target.node.args.args
            if arguments and arguments[0].arg == name:
                return scope.inspector.attribute(target.receiver, attr)
    return kinds.UNKNOWN


def passed_on(scope: Scope, target: Target, parameter: str) -> Iterator[tuple[Target, str]]:
    """The project's functions that get the parameter as it is, and what they call it."""
    for node in live_nodes(target):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name | ast.Attribute):
            continue
        given = [
            *((position, arg) for position, arg in enumerate(node.args)),
            *((keyword.arg, keyword.value) for keyword in node.keywords),
        ]
        places = [place for place, arg in given if is_spelled(arg, parameter)]
        if not places or any(isinstance(arg, ast.Starred) for arg in node.args):
            continue
        for inner in targets_of(scope, _called(scope, target, node.func)):
            names = inner.parameters()
            for place in places:
                if isinstance(place, str):
                    yield inner, place
                elif isinstance(place, int) and place < len(names):
                    yield inner, names[place]


def _called(scope: Scope, target: Target, func: ast.expr) -> Kind:
    if isinstance(func, ast.Name):
        return scope.inspector.evaluate_globally(target.module, func)
    kind = kind_in(scope, target, func, {})
    if isinstance(kind, kinds.Instance) and kind.module:
        return kind
    if isinstance(kind, kinds.ProjectClass):
        return kinds.UNKNOWN
    return kind
