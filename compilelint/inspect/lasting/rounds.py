"""What a loop does once a loop inside of it has called something compiled, as many times as that takes.

The episodes of reinforcement learning are such: each step puts what it did into a list of the policy, and what ends the
episode empties it. Until then each call finds another length (`recompile_limit` is 8): 8 graphs and then none, measured
on torch 2.13 with `policy.saved.clear()`, `del policy.saved[:]` and `policy.saved = []` behind twelve steps.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator

from compilelint.source.model import FunctionNode, ModuleIndex
from compilelint.source.nodes import walk

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def parts_after_rounds(module: ModuleIndex, few: Callable[[ast.expr], bool], name: str) -> frozenset[int]:
    """What runs once for several calls of something that the file compiles, by identity: in the body of a loop, where
    an inner one calls it and nothing else there does, and in functions that are called nowhere but there.

    `few` tells of what a loop goes through whether that are only a few rounds; `name` is that of the container which
    the calls fill, as it ends: what is compiled and cannot fill it (a loss) may be called around them.
    """
    compiled = _calls_compiled(module, name)
    own: set[int] = set()
    for loop in walk(module.tree) if compiled else ():
        if isinstance(loop, _LOOPS):
            parts = _around_rounds(loop, compiled, few)
            own.update(map(id, parts))
    return frozenset((*own, *_only_called_in(module, own, compiled))) if own else frozenset()


def _around_rounds(
    loop: ast.For | ast.AsyncFor | ast.While, compiled: Collection[str], few: Callable[[ast.expr], bool]
) -> list[ast.AST]:
    """What a loop does around the inner loops that call what is compiled; nothing if there are none."""
    rounds = [
        part
        for part in _within(loop.body, ())
        if isinstance(part, _LOOPS)
        and any(_is_call_of(each, compiled) for each in walk(part))
        and not (isinstance(part, ast.For) and few(part.iter))
    ]
    around = list(_within(loop.body, {id(part) for part in rounds})) if rounds else []
    return [] if any(_is_call_of(part, compiled) for part in around) else around


def _within(body: list[ast.stmt], apart: Collection[int]) -> Iterator[ast.AST]:
    """The nodes of statements, without those `apart` and functions, and what is in them."""
    left: list[ast.AST] = list(body)
    while left:
        node = left.pop()
        if id(node) not in apart and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node
            left += ast.iter_child_nodes(node)


def _calls_compiled(module: ModuleIndex, filled: str) -> frozenset[str]:
    """What a call is written with that runs something which the file compiles, and which may fill a container of this
    name: `step`, `self.step`, `model`, and the functions of the file that call one of these."""
    found: set[str] = set()
    for node in walk(module.tree):
        match node:
            case ast.Assign(targets=targets, value=ast.Call(func=called, args=args)) if _is_compile(called):
                named = {arg.id for arg in args if isinstance(arg, ast.Name)}
                functions = [info.node for info in module.functions.values() if info.qualname in named]
                if not functions or any(_may_fill(module, each, filled) for each in functions):
                    found |= {ast.unparse(target) for target in targets}
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=compiled, attr="compile"))):
                found.add(ast.unparse(compiled))
            case ast.FunctionDef(decorator_list=decorators, name=name) if any(
                _is_compile(each.func if isinstance(each, ast.Call) else each) for each in decorators
            ):
                found |= {name} if _may_fill(module, node, filled) else set()
    callers = {
        info.qualname
        for info in module.functions.values()
        if found and "." not in info.qualname and any(_is_call_of(part, found) for part in walk(info.node))
    }
    return frozenset(found | callers)


def _may_fill(module: ModuleIndex, function: FunctionNode, filled: str) -> bool:
    """Whether a function names the container, or calls what it is given or what the file defines, which may do so."""
    taken = {part.arg for part in walk(function.args) if isinstance(part, ast.arg)}
    defined = {info.qualname.rpartition(".")[2] for info in module.functions.values()}
    for part in walk(function):
        match part:
            case ast.Attribute(attr=name) | ast.Name(id=name) if name == filled.rpartition(".")[2]:
                return True
            case ast.Call(func=ast.Name(id=name)) if name in taken or name in module.bindings:
                return True
            case ast.Call(func=ast.Attribute(attr=name)) if name in defined:
                return True
    return False


def _only_called_in(module: ModuleIndex, own: Collection[int], compiled: Collection[str]) -> Iterator[int]:
    """What is in functions of which all calls are there, and that call nothing compiled."""
    calls: defaultdict[str, list[bool]] = defaultdict(list)
    for node in walk(module.tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                calls[name].append(id(node) in own)
    for info in module.functions.values():
        parts = list(walk(info.node)) if all(calls.get(info.qualname.rpartition(".")[2], [False])) else []
        if not any(_is_call_of(part, compiled) for part in parts):
            yield from map(id, parts)


def _is_compile(called: ast.expr) -> bool:
    return ast.unparse(called) == "torch.compile"


def _is_call_of(node: ast.AST, written: Collection[str]) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in written
