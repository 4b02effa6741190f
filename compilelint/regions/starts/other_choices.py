"""What a class chose not to compile: it keeps one of several modules in an attribute, and compiles one of them only.

`if self.fast: self._load_fast()` sets `self.model` where `if not self.fast: self.model = torch.compile(self.model)`
never comes.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator, Mapping
from typing import TypeAlias

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.calling.compilations import Compilation
from compilelint.inspect.deciding.asked_again import asked_about
from compilelint.inspect.frame import span_of
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.members import attributes
from compilelint.source.index import blocks
from compilelint.source.model import ClassInfo, FunctionInfo, Key, ModuleIndex
from compilelint.source.nodes import walk

_Answers: TypeAlias = Mapping[Hashable, bool]
"""What a path has asked before it comes to a statement, and how that turned out."""


def of_this_choice(inspector: Inspector, module: ModuleIndex, compilation: Compilation) -> Compilation:
    """A compilation without what its attribute holds only where it is not compiled."""
    others = _of_other_choices(inspector, module, compilation)
    if not others:
        return compilation
    left = [option for option in kinds.options(compilation.target) if _class_of(option) not in others]
    return replace(compilation, target=kinds.join(*left) if left else UNKNOWN)


def _of_other_choices(inspector: Inspector, module: ModuleIndex, compilation: Compilation) -> frozenset[Key | None]:
    found = _compiled_attribute(module, compilation)
    if found is None:
        return frozenset()
    cls, attribute, answers = found
    here: set[Key | None] = {None}
    elsewhere: set[Key | None] = set()
    for value, before in _assignments(module, cls, attribute):
        made = _class_of(inspector.evaluate_globally(module, value))
        (elsewhere if _contradict(answers, before) else here).add(made)
    return frozenset(elsewhere - here)


def _class_of(kind: Kind) -> Key | None:
    match kind:
        case kinds.External(cls=attributes.OPTIMIZED_MODULE, args=(inner,)):
            return _class_of(inner)
        case kinds.Instance(cls=cls):
            return cls.key
        case _:
            return None


def _compiled_attribute(module: ModuleIndex, compilation: Compilation) -> tuple[ClassInfo, str, _Answers] | None:
    """`self.model` of `torch.compile(self.model)`, where something was asked before."""
    for cls in module.classes.values():
        for method in _methods(module, cls):
            if method.qualname != compilation.function:
                continue
            own = first_parameter(method.node)
            for statement, answers in _statements(method):
                for call in _own_calls(statement) if answers else ():
                    match call.args:
                        case [ast.Attribute(value=ast.Name(id=name), attr=attribute), *_] if (
                            name == own and span_of(module, call) == compilation.span
                        ):
                            return cls, attribute, answers
    return None


def _assignments(module: ModuleIndex, cls: ClassInfo, attribute: str) -> Iterator[tuple[ast.expr, _Answers]]:
    """What methods assign to an attribute, each with what was asked before: by the method, or by all that call it."""
    for method in _methods(module, cls):
        own = first_parameter(method.node)
        for statement, answers in _statements(method):
            match statement:
                case ast.Assign(targets=targets, value=value) if any(
                    isinstance(target, ast.Attribute)
                    and target.attr == attribute
                    and isinstance(target.value, ast.Name)
                    and target.value.id == own
                    for target in targets
                ):
                    yield value, {**_asked_by_callers(module, cls, method), **answers}


def _asked_by_callers(module: ModuleIndex, cls: ClassInfo, called: FunctionInfo) -> _Answers:
    """What all methods of the class that call one have asked before, with the same outcome."""
    name = called.qualname.rpartition(".")[2]
    paths = [
        answers
        for method in _methods(module, cls)
        for statement, answers in _statements(method)
        for call in _own_calls(statement)
        if isinstance(call.func, ast.Attribute)
        and call.func.attr == name
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == first_parameter(method.node)
    ]
    if not paths:
        return {}
    first, *rest = paths
    return {asked: outcome for asked, outcome in first.items() if all(path.get(asked) is outcome for path in rest)}


def _contradict(one: _Answers, other: _Answers) -> bool:
    return any(asked in other and other[asked] is not outcome for asked, outcome in one.items())


def _methods(module: ModuleIndex, cls: ClassInfo) -> Iterator[FunctionInfo]:
    return (each for each in map(module.functions.get, cls.methods.values()) if each is not None)


def _statements(method: FunctionInfo) -> Iterator[tuple[ast.stmt, _Answers]]:
    if not isinstance(method.node, ast.Lambda):
        yield from _under(method.node.body, {})


def _under(body: list[ast.stmt], answers: _Answers) -> Iterator[tuple[ast.stmt, _Answers]]:
    for statement in body:
        yield statement, answers
        if isinstance(statement, ast.If):
            yield from _under(statement.body, {**answers, **_answers(statement.test, True)})
            yield from _under(statement.orelse, {**answers, **_answers(statement.test, False)})
        else:
            for block in blocks(statement):
                yield from _under(block, answers)


def _answers(test: ast.expr, outcome: bool) -> _Answers:
    match test:
        case ast.BoolOp(op=op, values=values) if isinstance(op, ast.And) is outcome:
            return {asked: found for value in values for asked, found in _answers(value, outcome).items()}
        case _:
            asked = asked_about(test)
            return {} if asked is None else {asked[1]: asked[2] is outcome}


def _own_calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """The calls of a statement, without those of the statements in its blocks."""
    match statement:
        case ast.Expr(value=value) | ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            yield from (node for node in walk(value) if isinstance(node, ast.Call))
        case ast.Return(value=ast.expr() as value):
            yield from (node for node in walk(value) if isinstance(node, ast.Call))
