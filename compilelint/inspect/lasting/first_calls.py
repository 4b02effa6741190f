"""What a call fills because it is missing, and the next call finds there: `if self.cache is None: self.cache = …`,
`self.size = self.size or …`.

Or because what is there was made for another size: `if n != self.n: self.n = n; self.cache = …`, `if n not in
self.tables: self.tables[n] = …`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect import kinds, names
from compilelint.inspect.arguments.defaults import is_by_default
from compilelint.inspect.deciding.none_tests import spelled_out
from compilelint.inspect.frame import Frame, path_of
from compilelint.inspect.kinds import Instance
from compilelint.inspect.lasting import first_items, kept_by_classes
from compilelint.inspect.lasting.begun_by_callers import is_of_one_call
from compilelint.inspect.lasting.carried_states import is_carried
from compilelint.inspect.lasting.first_states import fillers, starts_as, starts_empty, turns
from compilelint.inspect.lasting.given_first import is_given_first
from compilelint.inspect.lasting.keeping import asks_whether_missing, is_item, keeps_what_is_there, reads
from compilelint.inspect.lasting.noted_sizes import noted_by
from compilelint.inspect.lasting.once import flags_asked, given_state, is_turned_off
from compilelint.inspect.lasting.placeholders import asks_for_size, replaces_placeholder
from compilelint.inspect.members import attributes
from compilelint.inspect.sizing.sizes import is_made_of_sizes, is_size
from compilelint.report.confidence import Confidence
from compilelint.source.index import flat_statements
from compilelint.source.model import FunctionNode, Key
from compilelint.source.nodes import walk

CONSTRUCT = "fill"
_CARRIES = "carry"
_FOR_ANOTHER = "fill-for-another-size"
_BY_SIZE = "fill-by-size"


def report_fill(frame: Frame, target: ast.expr, statement: ast.stmt) -> None:
    """Report an assignment that only the first call makes: its path is compiled, and in the next call the other."""
    if frame.function is None or not frame.is_heard:
        return
    if isinstance(target, ast.Attribute) and is_given_first(frame, target, statement):
        return
    keeps = isinstance(target, ast.Attribute) and keeps_what_is_there(frame, target, statement)
    if isinstance(target, ast.Attribute) and isinstance(statement, ast.Assign) and not keeps:
        _report_carried(frame, target, statement, statement.value)
    if not frame.conditions and not isinstance(target, ast.Subscript) and not keeps:
        return
    match target:
        case ast.Attribute(value=value, attr=attr):
            _report_fill_for_another(frame, target, statement)
            _report_flag(frame, target, statement)
            if not keeps and not is_guarded(frame, target, statement):
                _report_placeholder(frame, target, statement, target)
                return
            owner = frame.inspector.peek(frame, value)
            if isinstance(owner, Instance) and frame.outlives_calls(owner):
                sure = Confidence.LOW if is_of_one_call(frame, owner, target) else starts_empty(frame, owner, attr)
                _emit(frame, statement, owner, attr, sure)
            kept_by_classes.report_fill(frame, statement, owner, target, CONSTRUCT)
        case ast.Subscript(value=ast.Attribute(value=value, attr=attr) as container):
            if not is_guarded(frame, target, statement):
                _report_placeholder(frame, target, statement, container)
                _report_first_item(frame, target, statement, container)
                return
            owner = frame.inspector.peek(frame, value)
            if isinstance(owner, Instance) and frame.outlives_calls(owner):
                held = frame.inspector.peek(frame, container)
                _emit(frame, statement, owner, attr, _of_dictionary(held), _fill_of(frame, target))
            kept_by_classes.report_fill(frame, statement, owner, target, _fill_of(frame, target))
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)) if _outlives_calls(frame, target, name):
            if is_guarded(frame, target, statement):
                frame.emit("global-write", statement, callee=name, construct=_fill_of(frame, target))


def _outlives_calls(frame: Frame, target: ast.expr, name: str) -> bool:
    """Whether a name, or what it holds, is there in the next call: a global, and what a parameter is by default."""
    return names.is_global(frame, name) or (isinstance(target, ast.Subscript) and is_by_default(frame.env.get(name)))


def _report_carried(frame: Frame, target: ast.Attribute, statement: ast.stmt, value: ast.expr) -> None:
    """Report where a call leaves for the next one what it has not found itself, if it was the first."""
    if not isinstance(target.value, ast.Name):
        return
    owner = frame.inspector.peek(frame, target.value)
    if (
        isinstance(owner, Instance)
        and frame.outlives_calls(owner)
        and is_carried(frame, target, statement, value, owner)
    ):
        callee = f"{attributes.class_name(frame.inspector, owner)}.{target.attr}"
        sure = Confidence.MEDIUM if frame.conditions else Confidence.HIGH
        frame.emit("attribute-write", statement, callee=callee, construct=_CARRIES, receiver=owner, confidence=sure)


def _report_carried_buffer(frame: Frame, call: ast.Call, statement: ast.Expr) -> None:
    """The same of a buffer: `self.register_buffer("last", x)`, further down than `if self.last is not None`."""
    match call:
        case ast.Call(
            func=ast.Attribute(value=ast.Name() as owner, attr="register_buffer"),
            args=[ast.Constant(value=str(name)), value, *_],
        ):
            target = ast.copy_location(ast.Attribute(owner, name, ast.Store()), call)
            if not is_given_first(frame, target, statement):
                _report_carried(frame, target, statement, value)


def _report_placeholder(frame: Frame, target: ast.expr, statement: ast.stmt, holder: ast.Attribute) -> None:
    """Report where a tensor of no size, which `__init__` has left there, gets one."""
    if not asks_for_size(frame):
        return
    owner = frame.inspector.peek(frame, holder.value)
    if (
        isinstance(owner, Instance)
        and frame.outlives_calls(owner)
        and replaces_placeholder(frame, target, statement, owner, holder.attr)
    ):
        _emit(frame, statement, owner, holder.attr, Confidence.HIGH)


def _report_first_item(frame: Frame, target: ast.expr, statement: ast.stmt, container: ast.Attribute) -> None:
    """Report what is put into a dict that only the first call finds empty. Who else may empty it, nobody knows."""
    owner = frame.inspector.peek(frame, container.value)
    if (
        isinstance(owner, Instance)
        and frame.outlives_calls(owner)
        and first_items.is_first_item(frame, target, container, owner)
    ):
        _emit(frame, statement, owner, container.attr, Confidence.MEDIUM, first_items.CONSTRUCT)


def report_fill_by_call(frame: Frame, statement: ast.Expr) -> None:
    """Report a call that only the first call makes, of a method that fills what is missing: `if self.cache is None:
    self.make_cache(n)`; or that turns a flag off: `if not self.ready: self.prepare(x)`; or that makes it for another
    size: `if n > self.longest: self.make_cache(n)`."""
    if frame.function is None or not frame.is_heard:
        return
    call = statement.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return
    _report_carried_buffer(frame, call, statement)
    if isinstance(call.func.value, ast.Attribute) and call.func.attr in ("update", "setdefault"):
        _report_first_item(frame, call, statement, call.func.value)
    if not frame.conditions:
        return
    for holder, noted in noted_by(frame, call, _method_called(frame, call)):
        _emit(frame, statement, holder, noted.attr, Confidence.HIGH, _FOR_ANOTHER)
    for target in _asked_for(frame):
        owner = frame.inspector.peek(frame, target.value)
        if not isinstance(owner, Instance) or not frame.outlives_calls(owner):
            continue
        if is_given_first(frame, target, statement):
            continue
        if _registers(call, target) and is_guarded(frame, target, statement):
            _emit(frame, statement, owner, target.attr, starts_empty(frame, owner, target.attr))
            continue
        key = _method_called(frame, call)
        if key in fillers(frame.inspector, owner.cls, target.attr) and is_guarded(frame, target, statement):
            _emit(frame, statement, owner, target.attr, starts_empty(frame, owner, target.attr, key, statement))
    for flag, state in (asked for test in frame.conditions for asked in flags_asked(test)):
        owner, path = frame.inspector.peek(frame, flag.value), path_of(flag)
        if not isinstance(owner, Instance) or path is None or not frame.outlives_calls(owner):
            continue
        key = _method_called(frame, call)
        is_turned = key is not None and turns(frame.inspector, owner.cls, key, flag.attr, not state)
        if is_turned and _stands_in_body(frame, statement, path, not state):
            _emit(frame, statement, owner, flag.attr, starts_as(frame, owner, flag.attr, state, key))


def _registers(call: ast.Call, target: ast.Attribute) -> bool:
    """Whether a call makes a buffer of this name: `self.register_buffer("mask", …)`."""
    match call:
        case ast.Call(func=ast.Attribute(value=owner, attr="register_buffer"), args=[ast.Constant(value=name), *_]):
            return name == target.attr and path_of(owner) == path_of(target.value) is not None
        case _:
            return False


def _method_called(frame: Frame, call: ast.Call) -> Key | None:
    callee = frame.inspector.peek(frame, call.func)
    return callee.key if isinstance(callee, kinds.Function) else None


def _asked_for(frame: Frame) -> Iterator[ast.Attribute]:
    """The attributes of which conditions ask whether they are missing."""
    for test in frame.conditions:
        for part in _parts(test):
            match spelled_out(frame, part):
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
    made_for = frame.inspector.peek(frame, statement.value)
    is_made_for_size = (
        made_for in (kinds.INT, kinds.SIZE)
        or is_size(frame, statement.value, made_for)
        or is_made_of_sizes(frame, statement.value)
    )
    if is_made_for_size and isinstance(owner, Instance) and frame.outlives_calls(owner):
        callee = f"{attributes.class_name(frame.inspector, owner)}.{target.attr}"
        frame.emit("attribute-write", statement, callee=callee, construct=_FOR_ANOTHER, receiver=owner)


def _report_flag(frame: Frame, target: ast.Attribute, statement: ast.stmt) -> None:
    """Report where a flag is turned off under which this stands: `if self.new: …; self.new = False`."""
    state = given_state(statement.value) if isinstance(statement, ast.Assign) else None
    path = path_of(target)
    if state is None or path is None or not any(is_turned_off(test, path, state) for test in frame.conditions):
        return
    owner = frame.inspector.peek(frame, target.value)
    if isinstance(owner, Instance) and frame.outlives_calls(owner) and _stands_in_body(frame, statement, path, state):
        _emit(frame, statement, owner, target.attr, starts_as(frame, owner, target.attr, not state))


def _stands_in_body(frame: Frame, statement: ast.stmt, path: str, state: bool) -> bool:
    """Whether it is the body of the condition that a statement stands in: conditions do not tell it from an `else`."""
    assert frame.function is not None
    return any(
        isinstance(node, ast.If)
        and is_turned_off(node.test, path, state)
        and any(inner is statement for part in node.body for inner in walk(part))
        for node in walk(frame.function.node)
    )


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


def _fill_of(frame: Frame, target: ast.Name | ast.Subscript) -> str:
    """What filling a global, or an item, is called: a table that is keyed by sizes is filled for each of them."""
    by_size = isinstance(target, ast.Subscript) and is_made_of_sizes(frame, target.slice)
    return _BY_SIZE if by_size else CONSTRUCT


def _emit(
    frame: Frame, statement: ast.stmt, owner: Instance, attr: str, confidence: Confidence, construct: str = CONSTRUCT
) -> None:
    callee = f"{attributes.class_name(frame.inspector, owner)}.{attr}"
    frame.emit("attribute-write", statement, callee=callee, construct=construct, receiver=owner, confidence=confidence)


def is_guarded(frame: Frame, target: ast.expr, statement: ast.stmt) -> bool:
    """Whether the statement stands in the body of an `if` that asks whether its target is missing, in the `else` of one
    that asks whether it is there, or behind one that returns what is there."""
    assert frame.function is not None
    function = frame.function.node
    asking = [
        test
        for test in frame.conditions
        if any(
            asks_whether_missing(spelled_out(frame, part), target) or _asks_of_read(function, part, target)
            for part in _parts(test)
        )
    ]
    # Conditions do not tell a body from an `else`. To see which it is takes a walk, for which there is seldom reason.
    is_asked = bool(asking) and any(
        isinstance(node, ast.If)
        and any(node.test is test for test in asking)
        and any(inner is statement for part in node.body for inner in walk(part))
        for node in walk(function)
    )
    return (
        is_asked
        or _stands_in_else(frame, target, statement)
        or (isinstance(target, ast.Subscript) and _is_returned_if_there(function, target, statement))
    )


def _stands_in_else(frame: Frame, target: ast.expr, statement: ast.stmt) -> bool:
    """`if self.cache is not None: … else: self.cache = …`."""
    asking = [test for test in frame.conditions if asks_whether_missing(_otherwise(spelled_out(frame, test)), target)]
    return (
        bool(asking)
        and frame.function is not None
        and any(
            isinstance(node, ast.If)
            and any(node.test is test for test in asking)
            and any(inner is statement for part in node.orelse for inner in walk(part))
            for node in walk(frame.function.node)
        )
    )


def _otherwise(test: ast.expr) -> ast.expr:
    """What a question whether something is there asks, seen from its `else`: whether it is missing."""
    match test:
        case ast.Compare(left=left, ops=[ast.IsNot()], comparators=comparators):
            return ast.Compare(left, [ast.Is()], comparators)
        case ast.Compare(left=left, ops=[ast.In()], comparators=comparators):
            return ast.Compare(left, [ast.NotIn()], comparators)
        case ast.Call(func=ast.Name(id="hasattr")):
            return ast.UnaryOp(ast.Not(), test)
        case _:
            return ast.Constant(None)


def _is_returned_if_there(function: FunctionNode, target: ast.Subscript, statement: ast.stmt) -> bool:
    """`if key in self.tables: return self.tables[key]`, further up, or `if found is not None: return found`, after
    `found = self.tables.get(key)`."""
    for node in walk(function):
        match node:
            case ast.If(
                test=ast.Compare(left=key, ops=[ast.In()], comparators=[container]), body=[*_, ast.Return()]
            ) if node.lineno < statement.lineno and is_item(target, container, key):
                return True
            case ast.If(test=ast.Compare(ops=[ast.IsNot()]) as test, body=body) if node.lineno < statement.lineno:
                returns = any(isinstance(part, ast.Return) for part in flat_statements(body))
                if returns and _asks_of_read(function, _otherwise(test), target):
                    return True
    return False


def _asks_of_read(function: FunctionNode, test: ast.expr, target: ast.expr) -> bool:
    """`found is None`, after `found = self.tables.get(key)`, or after `found = self.table`."""
    match test:
        case ast.Compare(
            left=ast.NamedExpr(value=ast.Call(func=ast.Attribute(value=container, attr="get"), args=[key, *_])),
            ops=[ast.Is()],
            comparators=[ast.Constant(value=None)],
        ):
            return isinstance(target, ast.Subscript) and is_item(target, container, key)
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            if isinstance(target, ast.Subscript):
                return any(is_item(target, container, key) for container, key in _gets(function, name))
            given = [value for line, value in _given(function, name) if line < test.lineno]
            return isinstance(target, ast.Attribute) and len(given) == 1 and reads(given[0], target)
        case _:
            return False


def _given(function: FunctionNode, name: str) -> Iterator[tuple[int, ast.expr]]:
    """What a name is given, and in which line."""
    for node in walk(function):
        match node:
            case ast.Assign(targets=targets, value=value) if any(
                isinstance(each, ast.Name) and each.id == name for each in targets
            ):
                yield node.lineno, value


def _gets(function: FunctionNode, name: str) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The containers, with their keys, of which a name is given an item if it is there: `name = tables.get(key)`."""
    for node in walk(function):
        match node:
            case ast.Assign(
                targets=[ast.Name(id=given)],
                value=ast.Call(func=ast.Attribute(value=container, attr="get"), args=[key, *_]),
            ) if given == name:
                yield container, key


def _parts(test: ast.expr) -> Iterator[ast.expr]:
    """The parts of a condition that are asked in every call: what stands behind an `or` may never be."""
    if isinstance(test, ast.BoolOp):
        for value in test.values[: 1 if isinstance(test.op, ast.Or) else None]:
            yield from _parts(value)
    else:
        yield test


def _of_dictionary(kind: kinds.Kind) -> Confidence:
    return Confidence.HIGH if isinstance(kind, kinds.Dictionary) else Confidence.LOW
