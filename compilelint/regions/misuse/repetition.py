"""Blocks that repeat: a model that runs through many layers of one class."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind
from compilelint.regions.around import scope_kinds
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes.compiled_apart import method_of
from compilelint.regions.usage import Usage
from compilelint.source.model import ModuleIndex
from compilelint.source.nodes import walk

_FEW = 4
"""Fewer repetitions than this are not worth a word."""


def _repeated_blocks(scope: Scope) -> Iterator[Usage]:
    """`torch.compile(model)` of a model whose `forward` runs through many blocks of one class."""
    for statement in scope.statements:
        for node in statement.expressions:
            target = scope_kinds.compile_target(scope, node)
            kind = kind_at(scope, target) if target is not None else None
            if isinstance(kind, kinds.Instance) and kind.module and _has_repeated_blocks(scope, kind.cls):
                yield Usage("repeated-blocks", node, "torch.compile", kind)


def _has_repeated_blocks(scope: Scope, cls: kinds.ProjectClass) -> bool:
    init, forward = method_of(scope, cls, "__init__"), method_of(scope, cls, "forward")
    if init is None or forward is None:
        return False
    home = scope.inspector.tree.module(init.key[0])
    looped = {ast.unparse(_looped(node.iter)) for node in walk(forward.node) if isinstance(node, ast.For)}
    for node in walk(init.node):
        match node:
            case ast.Assign(targets=[ast.Attribute() as attribute], value=ast.Call(args=[made])):
                if home is not None and ast.unparse(attribute) in looped and _repeats(scope, home, made):
                    return True
    return False


def _looped(node: ast.expr) -> ast.expr:
    match node:
        case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]):
            return inner
        case _:
            return node


def _repeats(scope: Scope, home: ModuleIndex, made: ast.expr) -> bool:
    """`Block(…) for _ in range(n)`: the same arguments each time, and not only a few times."""
    match made:
        case (
            ast.ListComp(elt=ast.Call() as block, generators=[generator])
            | ast.GeneratorExp(elt=ast.Call() as block, generators=[generator])
        ):
            count = generator.iter
        case _:
            return False
    match count:
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int() as times)]) if times < _FEW:
            return False
        case ast.Call(func=ast.Name(id="range"), args=[_]):
            pass
        case _:
            return False
    variables = {part.id for part in walk(generator.target) if isinstance(part, ast.Name)}
    if any(isinstance(part, ast.Name) and part.id in variables for part in walk(block)):
        return False
    kind: Kind = scope.inspector.evaluate_globally(home, block.func)
    return isinstance(kind, kinds.ProjectClass) and scope.inspector.instance(kind).module


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_repeated_blocks,)
