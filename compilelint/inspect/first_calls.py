"""What a call fills because it is missing, and the next call finds there: `if self.cache is None: self.cache = …`,
`self.size = self.size or …`.

Or because what is there was made for another size: `if n != self.n: self.n = n; self.cache = …`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from compilelint.inspect import attributes, classes, kinds, names
from compilelint.inspect.frame import Frame, path_of
from compilelint.inspect.kinds import Instance
from compilelint.inspect.once import given_state, is_turned_off
from compilelint.report.confidence import Confidence
from compilelint.source.index import flat_statements
from compilelint.source.model import FunctionInfo, FunctionNode, Key, ModuleIndex
from compilelint.source.watched import says

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

CONSTRUCT = "fill"
_FOR_ANOTHER = "fill-for-another-size"


def report_fill(frame: Frame, target: ast.expr, statement: ast.stmt) -> None:
    """Report an assignment that only the first call makes: its path is compiled, and in the next call the other."""
    if frame.function is None or not frame.is_heard:
        return
    keeps = isinstance(target, ast.Attribute) and _keeps_what_is_there(frame, target, statement)
    if not frame.conditions and not isinstance(target, ast.Subscript) and not keeps:
        return
    match target:
        case ast.Attribute(value=value, attr=attr):
            _report_fill_for_another(frame, target, statement)
            _report_flag(frame, target, statement)
            if not keeps and not _is_guarded(frame, target, statement):
                return
            owner = frame.inspector.peek(frame, value)
            if isinstance(owner, Instance) and _outlives_calls(frame, owner):
                _emit(frame, statement, owner, attr, _starts_empty(frame, owner, attr))
        case ast.Subscript(value=ast.Attribute(value=value, attr=attr) as container):
            if not _is_guarded(frame, target, statement):
                return
            owner = frame.inspector.peek(frame, value)
            if isinstance(owner, Instance) and _outlives_calls(frame, owner):
                held = frame.inspector.peek(frame, container)
                _emit(frame, statement, owner, attr, _of_dictionary(held))
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)) if names.is_global(frame, name):
            if _is_guarded(frame, target, statement):
                frame.emit("global-write", statement, callee=name, construct=CONSTRUCT)


def report_fill_by_call(frame: Frame, statement: ast.Expr) -> None:
    """Report a call that only the first call makes, of a method that fills what is missing: `if self.cache is None:
    self.make_cache(n)`."""
    if not frame.conditions or frame.function is None or not frame.is_heard:
        return
    call = statement.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return
    for target in _asked_for(frame.conditions):
        owner = frame.inspector.peek(frame, target.value)
        if not isinstance(owner, Instance) or not _outlives_calls(frame, owner):
            continue
        callee = frame.inspector.peek(frame, call.func)
        key = callee.key if isinstance(callee, kinds.Function) else None
        if key in _fillers(frame.inspector, owner.cls, target.attr) and _is_guarded(frame, target, statement):
            _emit(frame, statement, owner, target.attr, _starts_empty(frame, owner, target.attr, key))


def _asked_for(tests: Sequence[ast.expr]) -> Iterator[ast.Attribute]:
    """The attributes of which conditions ask whether they are missing."""
    for test in tests:
        for part in _parts(test):
            match part:
                case ast.Compare(
                    left=ast.Attribute() as target, ops=[ast.Is()], comparators=[ast.Constant(value=None)]
                ):
                    yield target
                case ast.UnaryOp(
                    op=ast.Not(),
                    operand=ast.Call(func=ast.Name(id="hasattr"), args=[owner, ast.Constant(value=str(name))]),
                ):
                    yield ast.Attribute(owner, name, ast.Load())


def _report_fill_for_another(frame: Frame, target: ast.Attribute, statement: ast.stmt) -> None:
    """Report where it is noted for which size something is made, under a comparison with the one before."""
    if not isinstance(statement, ast.Assign) or not any(
        _compares(part, target, statement.value) for test in frame.conditions for part in _alternatives(test)
    ):
        return
    owner = frame.inspector.peek(frame, target.value)
    is_number = frame.inspector.peek(frame, statement.value) == kinds.INT
    if is_number and isinstance(owner, Instance) and _outlives_calls(frame, owner):
        callee = f"{attributes.class_name(frame.inspector, owner)}.{target.attr}"
        frame.emit("attribute-write", statement, callee=callee, construct=_FOR_ANOTHER, receiver=owner)


def _report_flag(frame: Frame, target: ast.Attribute, statement: ast.stmt) -> None:
    """Report where a flag is turned off under which this stands: `if self.new: …; self.new = False`."""
    state = given_state(statement.value) if isinstance(statement, ast.Assign) else None
    path = path_of(target)
    if state is None or path is None or not any(is_turned_off(test, path, state) for test in frame.conditions):
        return
    owner = frame.inspector.peek(frame, target.value)
    if isinstance(owner, Instance) and _outlives_calls(frame, owner) and _stands_in_body(frame, statement, path, state):
        _emit(frame, statement, owner, target.attr, _starts_as(frame, owner, target.attr, not state))


def _stands_in_body(frame: Frame, statement: ast.stmt, path: str, state: bool) -> bool:
    """Whether it is the body of the condition that a statement stands in: conditions do not tell it from an `else`."""
    assert frame.function is not None
    return any(
        isinstance(node, ast.If)
        and is_turned_off(node.test, path, state)
        and any(inner is statement for part in node.body for inner in ast.walk(part))
        for node in ast.walk(frame.function.node)
    )


def _starts_as(frame: Frame, owner: Instance, attr: str, state: bool) -> Confidence:
    """How sure it is that a flag has this state in the first call.

    LOW where nobody gives it that state, or where another method gives it the other one, and may be called before.
    """
    own = frame.function.key if frame.function is not None else None
    given = [
        given_state(value)
        for key in _fillers(frame.inspector, owner.cls, attr)
        if key != own and (function := frame.inspector.tree.function(key)) is not None
        for value in _values(function.node, attr)
    ]
    return Confidence.HIGH if given and all(each is state for each in given) else Confidence.LOW


def _alternatives(test: ast.expr) -> Iterator[ast.expr]:
    """The parts of a condition of which one is enough."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        for value in test.values:
            yield from _alternatives(value)
    else:
        yield test


def _compares(test: ast.expr, target: ast.expr, value: ast.expr) -> bool:
    """`value != target`, `value > target`, in either order."""
    match test:
        case ast.Compare(
            left=left, ops=[ast.NotEq() | ast.Gt() | ast.GtE() | ast.Lt() | ast.LtE()], comparators=[right]
        ):
            return {ast.unparse(left), ast.unparse(right)} == {ast.unparse(target), ast.unparse(value)}
        case _:
            return False


def _emit(frame: Frame, statement: ast.stmt, owner: Instance, attr: str, confidence: Confidence) -> None:
    callee = f"{attributes.class_name(frame.inspector, owner)}.{attr}"
    frame.emit("attribute-write", statement, callee=callee, construct=CONSTRUCT, receiver=owner, confidence=confidence)


def _outlives_calls(frame: Frame, owner: Instance) -> bool:
    return not owner.fresh and (owner.module or frame.route.depth == 0)


def _keeps_what_is_there(frame: Frame, target: ast.Attribute, statement: ast.stmt) -> bool:
    """Whether a statement gives its target a value only if it has none, by what it says itself."""
    if not isinstance(statement, ast.Assign):
        return False
    match statement.value:
        case ast.BoolOp(op=ast.Or(), values=[ast.Attribute() as first, *_]):
            return _is_same(first, target)
        case ast.IfExp(test=test, orelse=ast.Attribute() as kept):
            return _is_same(kept, target) and _asks_whether_missing(test, target)
        case ast.IfExp(
            test=ast.Compare(left=asked, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]), body=kept
        ):
            return _is_same(asked, target) and _is_same(kept, target)
        case ast.Call(func=func, args=[ast.Attribute() as first, _]) if _is_same(first, target):
            return _gives_one_of_two(frame, func)
        case _:
            return False


def _is_same(node: ast.expr, target: ast.expr) -> bool:
    return type(node) is type(target) and ast.unparse(node) == ast.unparse(target)


def _gives_one_of_two(frame: Frame, func: ast.expr) -> bool:
    """`default(value, other)`: whether a function of the project gives its first argument, or else its second."""
    callee = frame.inspector.peek(frame, func)
    info = frame.inspector.tree.function(callee.key) if isinstance(callee, kinds.Function) else None
    if info is None or isinstance(info.node, ast.Lambda) or len(info.node.args.args) != 2:
        return False
    first, second = (arg.arg for arg in info.node.args.args)
    match info.node.body[-2:]:
        case [ast.Return(value=ast.IfExp(body=ast.Name(id=name), orelse=other))]:
            pass
        case [ast.If(body=[ast.Return(value=ast.Name(id=name))], orelse=[]), ast.Return(value=ast.expr() as other)]:
            pass
        case _:
            return False
    return name == first and any(isinstance(part, ast.Name) and part.id == second for part in ast.walk(other))


def _is_guarded(frame: Frame, target: ast.expr, statement: ast.stmt) -> bool:
    """Whether the statement stands in the body of an `if` that asks whether its target is missing, or behind one that
    returns what is there."""
    assert frame.function is not None
    function = frame.function.node
    asking = [
        test
        for test in frame.conditions
        if any(_asks_whether_missing(part, target) or _asks_of_item(function, part, target) for part in _parts(test))
    ]
    # Conditions do not tell a body from an `else`. To see which it is takes a walk, for which there is seldom reason.
    is_asked = bool(asking) and any(
        isinstance(node, ast.If)
        and any(node.test is test for test in asking)
        and any(inner is statement for part in node.body for inner in ast.walk(part))
        for node in ast.walk(function)
    )
    return is_asked or (isinstance(target, ast.Subscript) and _is_returned_if_there(function, target, statement))


def _is_returned_if_there(function: FunctionNode, target: ast.Subscript, statement: ast.stmt) -> bool:
    """`if key in self.tables: return self.tables[key]`, further up."""
    for node in ast.walk(function):
        match node:
            case ast.If(
                test=ast.Compare(left=key, ops=[ast.In()], comparators=[container]), body=[*_, ast.Return()]
            ) if node.lineno < statement.lineno and _is_item(target, container, key):
                return True
    return False


def _asks_of_item(function: FunctionNode, test: ast.expr, target: ast.expr) -> bool:
    """`found is None`, after `found = self.tables.get(key)`."""
    match test, target:
        case ast.Compare(
            left=ast.Name(id=name), ops=[ast.Is()], comparators=[ast.Constant(value=None)]
        ), ast.Subscript():
            return any(_is_item(target, container, key) for container, key in _gets(function, name))
        case _:
            return False


def _gets(function: FunctionNode, name: str) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The containers, with their keys, of which a name is given an item if it is there: `name = tables.get(key)`."""
    for node in ast.walk(function):
        match node:
            case ast.Assign(
                targets=[ast.Name(id=given)],
                value=ast.Call(func=ast.Attribute(value=container, attr="get"), args=[key, *_]),
            ) if given == name:
                yield container, key


def _is_item(target: ast.Subscript, container: ast.expr, key: ast.expr) -> bool:
    return ast.unparse(container) == ast.unparse(target.value) and ast.unparse(key) == ast.unparse(target.slice)


def _parts(test: ast.expr) -> Iterator[ast.expr]:
    """The parts of a condition that are asked in every call: what stands behind an `or` may never be."""
    if isinstance(test, ast.BoolOp):
        for value in test.values[: 1 if isinstance(test.op, ast.Or) else None]:
            yield from _parts(value)
    else:
        yield test


def _asks_whether_missing(test: ast.expr, target: ast.expr) -> bool:
    match test, target:
        case ast.Compare(left=left, ops=[ast.Is()], comparators=[ast.Constant(value=None)]), _:
            return type(left) is type(target) and ast.unparse(left) == ast.unparse(target)
        case ast.UnaryOp(
            op=ast.Not(), operand=ast.Call(func=ast.Name(id="hasattr"), args=[owner, name])
        ), ast.Attribute(value=value, attr=attr):
            return isinstance(name, ast.Constant) and name.value == attr and ast.unparse(owner) == ast.unparse(value)
        case ast.Compare(left=key, ops=[ast.NotIn()], comparators=[container]), ast.Subscript():
            return _is_item(target, container, key)
        case _:
            return False


def _of_dictionary(kind: kinds.Kind) -> Confidence:
    return Confidence.HIGH if isinstance(kind, kinds.Dictionary) else Confidence.LOW


def _starts_empty(frame: Frame, owner: Instance, attr: str, filler: Key | None = None) -> Confidence:
    """How sure it is that an attribute is missing in the first call.

    LOW where `__init__` gives it a value, or where another method than `filler` fills it, which may be called before.
    """
    own = frame.function.key if frame.function is not None else None
    fillers = _fillers(frame.inspector, owner.cls, attr)
    is_missing = all(key == (filler or own) for key in fillers)
    if is_missing and filler is not None:
        is_missing = not any(
            _calls_last(method, frame.inspector.tree.function(filler), attr)
            for method in _methods(frame.inspector, owner.cls)
            if method.key not in (own, filler)
        )
    return Confidence.HIGH if is_missing else Confidence.LOW


def _calls_last(method: FunctionInfo, filler: FunctionInfo | None, attr: str) -> bool:
    """Whether a method calls the one that fills an attribute, and does not set it to None after that."""
    name = filler.qualname.rpartition(".")[2] if filler is not None else ""
    last = ""
    for node in flat_statements(method.node.body) if not isinstance(method.node, ast.Lambda) else ():
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=called))) if called == name:
                last = "filled"
            case _ if any(_is_none(value) for value in _values(node, attr)):
                last = "missing"
    return last == "filled"


def _methods(inspector: Inspector, cls: kinds.ProjectClass) -> Iterator[FunctionInfo]:
    for base in classes.mro(inspector, cls):
        info = inspector.tree.class_(base.key) if isinstance(base, kinds.ProjectClass) else None
        for key in info.methods.values() if info is not None else ():
            function = inspector.tree.function(key)
            if function is not None:
                yield function


def _fillers(inspector: Inspector, cls: kinds.ProjectClass, attr: str) -> tuple[Key, ...]:
    """The methods of a class, and of its bases, that give an attribute another value than None."""

    def found() -> Iterator[Key]:
        for function in _methods(inspector, cls):
            if not _is_named(inspector.tree.module(function.key[0]), function.node, attr):
                continue
            if any(not _is_none(value) for value in _values(function.node, attr)):
                yield function.key

    return inspector.derived(("fillers", cls.key, attr), lambda: tuple(found()))


def _is_named(module: ModuleIndex | None, node: FunctionNode, attr: str) -> bool:
    """Whether the text of a function has the name at all: most have not, and need not be walked."""
    return module is not None and says(node, module.lines, attr)


def _values(node: ast.AST, attr: str) -> Iterator[ast.expr | None]:
    """What a method gives to an attribute of this name, as expressions; None where it is part of more."""
    for part in ast.walk(node):
        match part:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, ast.Attribute) and target.attr == attr:
                        yield value
                    elif isinstance(target, ast.Tuple) and any(
                        isinstance(inner, ast.Attribute) and inner.attr == attr for inner in target.elts
                    ):
                        yield None
            case ast.AnnAssign(target=ast.Attribute(attr=name), value=value) if name == attr and value is not None:
                yield value
            case ast.Call(func=ast.Attribute(attr="register_buffer"), args=[ast.Constant(value=name), value, *_]) if (
                name == attr
            ):
                yield value


def _is_none(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
