"""One code for many instances: layers compiled apart that differ, blocks that repeat."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect import classes, kinds
from compilelint.inspect.kinds import Kind
from compilelint.regions import scope_kinds, scopes
from compilelint.regions.in_place import in_place_target
from compilelint.regions.scope_kinds import kind_at
from compilelint.regions.scopes import Scope
from compilelint.regions.usage import Usage
from compilelint.source.model import FunctionInfo, ModuleIndex
from compilelint.source.nodes import walk

_FEW = 4
"""Fewer repetitions than this are not worth a word."""
_COUNTERS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv)


# Instances that differ


def _differs_per_instance(scope: Scope) -> Iterator[Usage]:
    """What `forward` reads of layers that are compiled one by one, and a loop gave each another value of."""
    for cls in dict.fromkeys(_classes_compiled_apart(scope)):
        varying = set(_varying_attributes(scope, cls))
        if varying:
            yield from _first_reads(scope, cls, varying)


def _classes_compiled_apart(scope: Scope) -> Iterator[kinds.ProjectClass]:
    for statement in scope.statements:
        in_loop = any(isinstance(ancestor, ast.For) for ancestor in statement.ancestors)
        for node in statement.expressions:
            target = scope_kinds.compile_target(scope, node) or in_place_target(scope, node)
            if target is not None and (in_loop or _in_comprehension(statement.node, node)):
                for option in kinds.options(kind_at(scope, target)):
                    if isinstance(option, kinds.Instance) and option.module:
                        yield option.cls
        if isinstance(statement.node, ast.ClassDef):
            yield from _class_with_compiled_forward(scope, statement.node)


def _in_comprehension(statement: ast.stmt, node: ast.expr) -> bool:
    return any(
        isinstance(part, ast.ListComp | ast.GeneratorExp) and any(inner is node for inner in walk(part.elt))
        for part in walk(statement)
    )


def _class_with_compiled_forward(scope: Scope, node: ast.ClassDef) -> Iterator[kinds.ProjectClass]:
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name == "forward":
            for decorator in part.decorator_list:
                called = decorator.func if isinstance(decorator, ast.Call) else decorator
                if scope_kinds.is_reference(scope, called, "torch.compile"):
                    yield kinds.ProjectClass((scope.module.name, node.lineno, node.col_offset), node.name)


def _varying_attributes(scope: Scope, cls: kinds.ProjectClass) -> Iterator[str]:
    """Attributes that `__init__` takes straight from a parameter for which a loop passes its variable."""
    init = _method(scope, cls, "__init__")
    if init is None or isinstance(init.node, ast.Lambda):
        return
    parameters = [parameter.arg for parameter in init.node.args.args]
    varying = set(_varying_parameters(scope, cls, parameters[1:]))
    for node in walk(init.node):
        match node:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id=receiver), attr=attr)], value=ast.Name(id=parameter)
            ) if receiver == parameters[0] and parameter in varying:
                yield attr


def _varying_parameters(scope: Scope, cls: kinds.ProjectClass, parameters: list[str]) -> Iterator[str]:
    for module in _modules(scope, cls):
        for call, variables in _constructions(module, cls.name):
            for position, argument in enumerate(call.args):
                if position < len(parameters) and _depends_on(argument, variables):
                    yield parameters[position]
            for keyword in call.keywords:
                if keyword.arg in parameters and _depends_on(keyword.value, variables):
                    yield str(keyword.arg)


def _modules(scope: Scope, cls: kinds.ProjectClass) -> list[ModuleIndex]:
    """The file of the class, where its layers are mostly made, and the one that compiles."""
    home = scope.inspector.tree.module(cls.key[0])
    return [scope.module] if home is None or home is scope.module else [home, scope.module]


def _constructions(module: ModuleIndex, name: str) -> Iterator[tuple[ast.Call, set[str]]]:
    """Calls of a class inside loops over numbers, with the loops' variables."""
    for loop in walk(module.tree):
        variables: set[str] = set()
        inner: list[ast.AST] = []
        match loop:
            case ast.For(target=target, iter=iterable, body=body):
                variables, inner = _numbers(target, iterable), list(body)
            case (
                ast.ListComp(elt=element, generators=[generator])
                | ast.GeneratorExp(elt=element, generators=[generator])
            ):
                variables, inner = _numbers(generator.target, generator.iter), [element]
        for part in inner:
            for node in walk(part):
                match node:
                    case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)) if (
                        called == name and variables
                    ):
                        yield node, variables


def _numbers(target: ast.expr, iterable: ast.expr) -> set[str]:
    """The variables of a loop that count: `for i in range(n)`, `for i, x in enumerate(xs)`."""
    match iterable, target:
        case ast.Call(func=ast.Name(id="range")), ast.Name(id=name):
            return {name}
        case ast.Call(func=ast.Name(id="enumerate")), ast.Tuple(elts=[ast.Name(id=name), _]):
            return {name}
        case _:
            return set()


def _depends_on(node: ast.expr, variables: set[str]) -> bool:
    """Whether this is an `int` or `str` made from a loop's variable; a quotient is a float."""
    match node:
        case ast.Name(id=name):
            return name in variables
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _COUNTERS):
            floats = any(isinstance(part, ast.Constant) and isinstance(part.value, float) for part in (left, right))
            return not floats and (_depends_on(left, variables) or _depends_on(right, variables))
        case ast.JoinedStr(values=values):
            return any(
                isinstance(value, ast.FormattedValue) and _depends_on(value.value, variables) for value in values
            )
        case _:
            return False


def _first_reads(scope: Scope, cls: kinds.ProjectClass, names: set[str]) -> Iterator[Usage]:
    """Where `forward`, or a method that it calls, first reads each of these attributes."""
    pending, seen = ["forward"], set[str]()
    while pending:
        method = pending.pop()
        info = _method(scope, cls, method)
        if method in seen or info is None or isinstance(info.node, ast.Lambda):
            continue
        seen.add(method)
        home = scope.inspector.tree.module(info.key[0])
        for node in sorted(_self_reads(info), key=scopes.start_of):
            if node.attr in names:
                names = names - {node.attr}
                instance = scope.inspector.instance(cls)
                yield Usage("differs-per-instance", node, receiver=instance, function=info.qualname, module=home)
            else:
                pending.append(node.attr)


def _self_reads(info: FunctionInfo) -> list[ast.Attribute]:
    if isinstance(info.node, ast.Lambda) or not info.node.args.args:
        return []
    receiver = info.node.args.args[0].arg
    return [
        node
        for node in walk(info.node)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Load)
        and isinstance(node.value, ast.Name)
        and node.value.id == receiver
    ]


def _method(scope: Scope, cls: kinds.ProjectClass, name: str) -> FunctionInfo | None:
    found = classes.find_method(scope.inspector, cls, name)
    return scope.inspector.tree.function(found) if found is not None else None


def is_read_in_forward(scope: Scope, cls: kinds.ProjectClass, attr: str) -> bool:
    """Whether `forward`, or a method that it calls, reads an attribute."""
    return any(True for _ in _first_reads(scope, cls, {attr}))


# Blocks that repeat


def _repeated_blocks(scope: Scope) -> Iterator[Usage]:
    """`torch.compile(model)` of a model whose `forward` runs through many blocks of one class."""
    for statement in scope.statements:
        for node in statement.expressions:
            target = scope_kinds.compile_target(scope, node)
            kind = kind_at(scope, target) if target is not None else None
            if isinstance(kind, kinds.Instance) and kind.module and _has_repeated_blocks(scope, kind.cls):
                yield Usage("repeated-blocks", node, "torch.compile", kind)


def _has_repeated_blocks(scope: Scope, cls: kinds.ProjectClass) -> bool:
    init, forward = _method(scope, cls, "__init__"), _method(scope, cls, "forward")
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


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (
    _differs_per_instance,
    _repeated_blocks,
)
