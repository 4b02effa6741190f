"""Blocks that repeat: a model that runs through many layers of one class."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import defaults_of
from compilelint.inspect.kinds import Kind
from compilelint.regions.around import scope_kinds
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope, binding_at, start_of
from compilelint.regions.changes.compiled_apart import method_of
from compilelint.regions.usage import Usage
from compilelint.source.model import FunctionNode, ModuleIndex
from compilelint.source.nodes import walk

_FEW = 4
"""Fewer repetitions than this are not worth a word."""


def _repeated_blocks(scope: Scope) -> Iterator[Usage]:
    """`torch.compile(model)` of a model whose `forward` runs through many blocks of one class."""
    for statement in scope.statements:
        for node in statement.expressions:
            target = scope_kinds.compile_target(scope, node)
            kind = kind_at(scope, target) if target is not None else None
            if target is None or not isinstance(kind, kinds.Instance) or not kind.module:
                continue
            if _has_repeated_blocks(scope, kind.cls, _made_by(scope, target)):
                yield Usage("repeated-blocks", node, "torch.compile", kind)


def _made_by(scope: Scope, model: ast.expr) -> ast.Call | None:
    """The call that makes a model, where that is written around: `Net(depth=2)`, `model = Net(2).to(device)`."""
    match model:
        case ast.Call(func=ast.Attribute(value=ast.Call() as made)):
            return _made_by(scope, made)
        case ast.Call():
            return model
        case ast.Name(id=name):
            found = binding_at(scope, name, start_of(model))
            value = found[1].value if found is not None else None
            return _made_by(found[0], value) if found is not None and isinstance(value, ast.Call) else None
        case _:
            return None


def _has_repeated_blocks(scope: Scope, cls: kinds.ProjectClass, made_by: ast.Call | None) -> bool:
    init, forward = method_of(scope, cls, "__init__"), method_of(scope, cls, "forward")
    if init is None or forward is None:
        return False
    home = scope.inspector.tree.module(init.key[0])
    numbers = _numbers_given(init.node, made_by) if made_by is not None else {}
    looped = {ast.unparse(_looped(node.iter)) for node in walk(forward.node) if isinstance(node, ast.For)}
    for node in walk(init.node):
        match node:
            case ast.Assign(targets=[ast.Attribute() as attribute], value=ast.Call(args=[made])):
                if home is not None and ast.unparse(attribute) in looped and _repeats(scope, home, made, numbers):
                    return True
    return False


def _numbers_given(init: FunctionNode, call: ast.Call) -> dict[str, ast.expr]:
    """What a call gives the parameters of `__init__`, or leaves as they are; nothing where a star gives some."""
    if any(isinstance(arg, ast.Starred) for arg in call.args) or any(each.arg is None for each in call.keywords):
        return {}
    positional = [arg.arg for arg in (*init.args.posonlyargs, *init.args.args)][1:]
    given = dict(zip(positional, call.args, strict=False))
    return {**defaults_of(init), **given, **{each.arg: each.value for each in call.keywords if each.arg is not None}}


def _looped(node: ast.expr) -> ast.expr:
    match node:
        case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]):
            return inner
        case _:
            return node


def _repeats(scope: Scope, home: ModuleIndex, made: ast.expr, numbers: Mapping[str, ast.expr]) -> bool:
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
        case ast.Call(func=ast.Name(id="range"), args=[times]):
            said = numbers.get(times.id) if isinstance(times, ast.Name) else times
            if isinstance(said, ast.Constant) and isinstance(said.value, int) and said.value < _FEW:
                return False
        case _:
            return False
    variables = {part.id for part in walk(generator.target) if isinstance(part, ast.Name)}
    if any(isinstance(part, ast.Name) and part.id in variables for part in walk(block)):
        return False
    kind: Kind = scope.inspector.evaluate_globally(home, block.func)
    return isinstance(kind, kinds.ProjectClass) and scope.inspector.instance(kind).module


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_repeated_blocks,)
