"""What a compiled function does with a parameter: uses that Dynamo takes its value, or its length, as a constant for.

Measured on torch 2.5 to 2.15 (docs/folklore.md has what does not): an `int` stays dynamic in arithmetic, as a size, a
slice bound, the only index of a tensor, and in comparisons, which cost one graph a branch. The uses below cost one
graph a value.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from compilelint.inspect.frame import source_of
from compilelint.inspect.kinds import Kind
from compilelint.inspect.sizing.sizes import HELD_BY_NUMPY
from compilelint.regions.around.compiled import Target
from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes.handed_through import named_idly, names_looked_at
from compilelint.regions.changes.spelled import is_rebound, is_spelled, live_nodes, passed_on, spellings
from compilelint.source.index import node_key
from compilelint.source.model import FunctionNode
from compilelint.source.nodes import walk

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
    idle = named_idly(target.node)
    return not is_rebound(target, parameter) and any(
        isinstance(node, ast.Name) and node.id == parameter and id(node) not in idle for node in live_nodes(target)
    )


def reads_held(scope: Scope, target: Target, spelled: str, given: Mapping[str, Kind], depth: int = 2) -> bool:
    """Whether the function, or one that it hands this on to, looks at what is spelled so, and not only at what holds
    it."""
    idle = named_idly(target.node)
    if is_rebound(target, spelled):
        return False
    nodes = (node for node in live_nodes(target) if isinstance(node, ast.expr) and id(node) not in idle)
    if any(is_spelled(node, spelled) for node in nodes):
        return True
    looked_at = names_looked_at(target.node, idle)
    if any(name != spelled and name in looked_at for name in spellings(target, spelled)):
        return True
    inner = passed_on(scope, target, spelled, given) if depth else ()
    return any(reads_held(scope, each, name, {}, depth - 1) for each, name in inner)


def calls(target: Target, parameter: str) -> bool:
    """Whether the function calls what it is given."""
    return not is_rebound(target, parameter) and any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == parameter
        for node in live_nodes(target)
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
    return not any(name in local_names(node) for node in _with_those_around(target)) and any(
        isinstance(node, ast.Name) and node.id == name for node in live_nodes(target)
    )


def _with_those_around(target: Target) -> Iterator[FunctionNode]:
    """The function, and those in whose bodies it is defined."""
    yield target.node
    info = target.module.functions.get(node_key(target.module.name, target.node))
    while info is not None and info.parent is not None:
        info = target.module.functions.get(info.parent)
        if info is not None:
            yield info.node


def local_names(node: FunctionNode) -> set[str]:
    """The names that a function, or one within it, has for its own: parameters, and what it sets."""
    names = [part for part in walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
    declared = {name for part in walk(node) if isinstance(part, ast.Global) for name in part.names}
    return {part.arg for part in walk(node.args) if isinstance(part, ast.arg)} | {part.id for part in names} - declared


def reads_attribute(target: Target, name: str, attribute: str) -> bool:
    """Whether the function reads an attribute of a global."""
    return reads_global(target, name) and any(
        isinstance(node, ast.Attribute)
        and node.attr == attribute
        and isinstance(node.value, ast.Name)
        and node.value.id == name
        for node in live_nodes(target)
    )


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
