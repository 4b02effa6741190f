"""Layers that are compiled one by one: of which classes they are, and what their code reads of each of them.

Their code belongs to the class, and so does what Dynamo compiles of it: one cache for all instances.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Sequence

from msgspec import Struct

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import classes
from compilelint.regions.around import scope_kinds, scopes
from compilelint.regions.around.callers import kind_by_callers
from compilelint.regions.around.scope_kinds import iterated
from compilelint.regions.around.scopes import Scope, Statement, asked_once, item_paths
from compilelint.regions.changes.handed_through import handed_through
from compilelint.regions.usage import Usage
from compilelint.report.confidence import Confidence
from compilelint.source.model import FunctionInfo, ModuleIndex
from compilelint.source.nodes import parameter_of, positional_names, walk


@asked_once
def classes_compiled_apart(scope: Scope) -> list[kinds.ProjectClass]:
    """The classes of the layers, each once."""
    return list(dict.fromkeys(_classes_compiled_apart(scope)))


def _classes_compiled_apart(scope: Scope) -> Iterator[kinds.ProjectClass]:
    for statement in scope.statements:
        in_loop = any(isinstance(ancestor, ast.For) for ancestor in statement.ancestors)
        for node in statement.expressions:
            target = _compiled(scope, node)
            if target is None:
                continue
            comprehension = _comprehension_around(statement.node, node)
            if in_loop or comprehension is not None:
                yield from _layers_of(scope, _module_kind(scope, statement, target, comprehension))
        if isinstance(statement.node, ast.ClassDef):
            yield from _class_with_compiled_forward(scope, statement.node)


def _compiled(scope: Scope, node: ast.expr) -> ast.expr | None:
    """The module that a call compiles, if it is one: `torch.compile(m)`, `torch.compile(m.forward)`, `m.compile()`."""
    target = scope_kinds.compile_target(scope, node)
    if target is None:
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr="compile")):
                return value
    match target:
        case ast.Attribute(value=value, attr="forward"):
            return value
        case _:
            return target


def _layers_of(scope: Scope, kind: Kind) -> Iterator[kinds.ProjectClass]:
    for option in kinds.options(kind):
        if isinstance(option, kinds.Instance) and option.module and method_of(scope, option.cls, "compile") is None:
            yield option.cls


def _module_kind(scope: Scope, statement: Statement, target: ast.expr, around: ast.comprehension | None) -> Kind:
    """What is compiled: as an `isinstance` around says, as the loop or the comprehension gives it."""
    if isinstance(target, ast.Name):
        asked = list(_asked_to_be(scope, statement, target.id))
        if asked:
            return kinds.join(*asked)
        path = dict(item_paths(around.target)).get(target.id) if around is not None else None
        if around is not None and path is not None:
            return iterated(around.iter, path, lambda node: kind_by_callers(scope, node))
    return kind_by_callers(scope, target)


def _asked_to_be(scope: Scope, statement: Statement, name: str) -> Iterator[Kind]:
    """The classes of `if isinstance(layer, Block):` around a statement."""
    for ancestor in statement.ancestors:
        match ancestor:
            case ast.If(
                test=ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=asked), classes_asked]), body=body
            ) if asked == name and any(part is statement.node for each in body for part in walk(each)):
                for each in classes_asked.elts if isinstance(classes_asked, ast.Tuple) else [classes_asked]:
                    found = scope.inspector.evaluate_globally(scope.module, each)
                    if isinstance(found, kinds.ProjectClass):
                        yield scope.inspector.instance(found)


def _comprehension_around(statement: ast.stmt, node: ast.expr) -> ast.comprehension | None:
    for part in walk(statement):
        match part:
            case (
                ast.ListComp(elt=element, generators=[*_, last]) | ast.GeneratorExp(elt=element, generators=[*_, last])
            ):
                if any(inner is node for inner in walk(element)):
                    return last
    return None


def _class_with_compiled_forward(scope: Scope, node: ast.ClassDef) -> Iterator[kinds.ProjectClass]:
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name == "forward":
            for decorator in part.decorator_list:
                called = decorator.func if isinstance(decorator, ast.Call) else decorator
                if scope_kinds.is_reference(scope, called, "torch.compile"):
                    yield kinds.ProjectClass((scope.module.name, node.lineno, node.col_offset), node.name)


def modules_of(scope: Scope, cls: kinds.ProjectClass) -> list[ModuleIndex]:
    """The file of the class, where its layers are mostly made, and the one that compiles."""
    home = scope.inspector.tree.module(cls.key[0])
    return [scope.module] if home is None or home is scope.module else [home, scope.module]


class Construction(Struct, frozen=True):
    """A call of a class inside a loop, with what the loop goes through."""

    call: ast.Call
    target: ast.expr
    iterable: ast.expr
    module: ModuleIndex


def parameters_given(
    scope: Scope, cls: kinds.ProjectClass, is_such: Callable[[ast.expr, Construction], bool]
) -> Iterator[str]:
    """The parameters of `__init__` for which a loop that makes instances gives such an argument."""
    init = method_of(scope, cls, "__init__")
    if init is None:
        return
    names = positional_names(init.node.args)[1:]
    for module in modules_of(scope, cls):
        for made in _constructions(module, cls.name):
            for argument in (*made.call.args, *(keyword.value for keyword in made.call.keywords)):
                name = parameter_of(made.call, names, argument)
                if name in names and is_such(argument, made):
                    yield str(name)


def _constructions(module: ModuleIndex, name: str) -> Iterator[Construction]:
    for loop in walk(module.tree):
        inner: Sequence[ast.AST]
        match loop:
            case ast.For(target=target, iter=iterable, body=inner):
                pass
            case (
                ast.ListComp(elt=element, generators=[ast.comprehension(target=target, iter=iterable)])
                | ast.GeneratorExp(elt=element, generators=[ast.comprehension(target=target, iter=iterable)])
            ):
                inner = [element]
            case _:
                continue
        for part in inner:
            for node in walk(part):
                match node:
                    case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)) if called == name:
                        yield Construction(node, target, iterable, module)


def counters(made: Construction) -> set[str]:
    """The variables of a loop that count: `for i in range(n)`, `for i, x in enumerate(xs)`."""
    match made.iterable, made.target:
        case ast.Call(func=ast.Name(id="range")), ast.Name(id=name):
            return {name}
        case ast.Call(func=ast.Name(id="enumerate")), ast.Tuple(elts=[ast.Name(id=name), _]):
            return {name}
        case _:
            return set()


def method_of(scope: Scope, cls: kinds.ProjectClass, name: str) -> FunctionInfo | None:
    found = classes.find_method(scope.inspector, cls, name)
    return scope.inspector.tree.function(found) if found is not None else None


class Read(Struct, frozen=True):
    """Where a method of a class reads an attribute of its `self`."""

    node: ast.Attribute
    method: FunctionInfo
    cls: kinds.ProjectClass

    def usage(self, scope: Scope, construct: str, confidence: Confidence = Confidence.HIGH) -> Usage:
        return Usage(
            construct,
            self.node,
            confidence=confidence,
            receiver=scope.inspector.instance(self.cls),
            function=self.method.qualname,
            module=scope.inspector.tree.module(self.method.key[0]),
        )


def reads_in_forward(scope: Scope, cls: kinds.ProjectClass) -> Iterator[Read]:
    """What `forward` reads of its instance, and the methods that it calls."""
    pending, seen = ["forward"], set[str]()
    while pending:
        name = pending.pop()
        info = method_of(scope, cls, name)
        if name in seen or info is None or isinstance(info.node, ast.Lambda):
            continue
        seen.add(name)
        for node in sorted(_self_reads(info), key=scopes.start_of):
            yield Read(node, info, cls)
            pending.append(node.attr)


def first_reads(scope: Scope, cls: kinds.ProjectClass, names: Collection[str]) -> Iterator[Read]:
    """The first of them for each of these attributes."""
    left = set(names)
    for read in reads_in_forward(scope, cls):
        if read.node.attr in left:
            left.discard(read.node.attr)
            yield read


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


def is_read_in_forward(scope: Scope, cls: kinds.ProjectClass, attr: str) -> bool:
    """Whether `forward`, or a method that it calls, reads an attribute."""
    forward = method_of(scope, cls, "forward")
    idle = handed_through(forward.node) if forward is not None else frozenset()
    return any(read.node.attr == attr and id(read.node) not in idle for read in reads_in_forward(scope, cls))
