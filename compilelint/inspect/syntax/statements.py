"""Statements: how names change, which paths are taken, and what makes a break worse."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any

from compilelint.inspect import kinds
from compilelint.inspect.arguments.missing import keep_what_is_made
from compilelint.inspect.calling import calls, function_decorators
from compilelint.inspect.deciding.asked_again import Asked, known_after, remember
from compilelint.inspect.deciding.asserts import walk_assert
from compilelint.inspect.deciding.conditions import confidence_beyond, confidence_within, rare_outcomes
from compilelint.inspect.deciding.expectations import confidence_after, confidence_under, expected
from compilelint.inspect.deciding.held_empty import goes_through_nothing
from compilelint.inspect.deciding.narrowing import narrow
from compilelint.inspect.deciding.truth import truth
from compilelint.inspect.deciding.unusual_values import is_supposed, supposed, told_apart
from compilelint.inspect.environments import Env, join_environments
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import UNKNOWN
from compilelint.inspect.lasting.default_flags import is_left_out
from compilelint.inspect.lasting.first_calls import report_fill_by_call
from compilelint.inspect.lasting.once import turns_itself_off
from compilelint.inspect.members import attributes
from compilelint.inspect.members.unassigned import unassigned
from compilelint.inspect.sizing import unrolled
from compilelint.inspect.sureness import sureness
from compilelint.inspect.syntax import (
    assignments,
    importing,
    inference,
    managers,
    patterns,
    reshaped,
    strictness,
    unpacking,
)
from compilelint.inspect.syntax.expressions import evaluate
from compilelint.inspect.syntax.idle_stores import is_idle_store
from compilelint.inspect.syntax.in_turn import goes_round_never, items_in_turn
from compilelint.inspect.syntax.raising import (
    IN_TRY,
    caught,
    follows_failure,
    goes_on_after_failure,
    never_returns,
    sureness_of_trouble,
)
from compilelint.report.confidence import Confidence
from compilelint.source.index import node_key
from compilelint.source.watched import WatchedFunction


def execute(frame: Frame, body: Sequence[ast.stmt]) -> bool:
    """Walk statements in order; False if control never gets past them."""
    for statement in body:
        handler = _HANDLERS.get(type(statement))
        frame.statement = statement
        if handler is not None and handler(frame, statement) is False:
            return False
    return True


def _expression(frame: Frame, node: ast.Expr) -> bool:
    report_fill_by_call(frame, node)
    if not never_returns(frame, node.value):
        reshaped.keep_shape(frame, node.value, evaluate(frame, node.value))
        return True
    with frame.at_most(sureness_of_trouble(frame)):
        evaluate(frame, node.value)
    return False


def _assign(frame: Frame, node: ast.Assign) -> None:
    if is_idle_store(frame, node):
        assignments.assign(frame, node.targets[0], UNKNOWN, node)
        return
    kind = evaluate(frame, node.value)
    for target in node.targets:
        # What it is that is done to the target, only who hears of it wants to know.
        construct = "assign" if frame.inspector.silent else assignments.construct_of(frame, target, node.value)
        if not isinstance(target, ast.Tuple | ast.List):
            assignments.assign(frame, target, kind, node, construct)
            continue
        spread = unpacking.spread(frame, target, node.value, kind)
        assignments.assign(frame, target, unpacking.handed_back(frame, target, node.value, spread), node, construct)
        unpacking.learn_dimensions(frame, target, node.value)


def _ann_assign(frame: Frame, node: ast.AnnAssign) -> None:
    if node.value is None:
        return
    kind = evaluate(frame, node.value)
    if kind == UNKNOWN:
        kind = frame.inspector.annotated(frame, node.annotation)
    assignments.assign(frame, node.target, kind, node)


def _return(frame: Frame, node: ast.Return) -> bool:
    frame.returns.append(evaluate(frame, node.value) if node.value is not None else kinds.NONE)
    return False


def _raise(frame: Frame, node: ast.Raise) -> bool:
    with frame.at_most(sureness_of_trouble(frame)):
        for part in (node.exc, node.cause):
            kind = evaluate(frame, part) if part is not None else UNKNOWN
            if part is not None and isinstance(kind, kinds.ProjectClass):
                calls.call_kind(frame, kind, calls.Call(part))
    return False


def _augmented(frame: Frame, node: ast.AugAssign) -> None:
    assignments.augmented(frame, node)


def _if(frame: Frame, node: ast.If) -> bool:
    outcome = truth(frame, node.test, "if")
    usual = expected(frame, node.test, outcome)
    rare = rare_outcomes(frame, node.test)
    supposes = outcome is None and is_supposed(frame, node.test)
    frame.settle_before_ways_part()
    before, asked = frame.env, frame.chosen
    ends: list[Env] = []
    asked_at_ends: list[Asked] = [asked]
    left: list[bool] = []
    for wanted, body in ((True, node.body), (False, node.orelse)):
        if outcome is (not wanted):
            frame.leaves_out = True
            continue
        frame.env, frame.chosen = dict(before), asked
        within = confidence_within(frame, node, wanted, outcome, rare)
        narrow(frame, node.test, wanted)
        above, frame.ceiling = frame.ceiling, min(frame.ceiling, within, confidence_under(usual, wanted))
        once = frame.once
        frame.once = once or (wanted and frame.is_heard and turns_itself_off(frame, node.test, body))
        frame.conditions.append(node.test)
        returned, replaced = len(frame.returns), set(frame.replaced)
        goes_on = execute(frame, body)
        if len(frame.replaced) > len(replaced) and is_left_out(frame, node.test, wanted):
            frame.replaced = replaced
        if supposes and wanted:
            frame.supposed.update(range(returned, len(frame.returns)))
        if goes_on:
            ends.append(frame.env)
            asked_at_ends.append(frame.chosen)
            left.append(wanted)
        frame.conditions.pop()
        frame.ceiling, frame.once = above, once
    if supposes and len(ends) == 2:
        ends[0] = supposed(*ends)
    met = told_apart(frame, node.test, usual, *ends) if len(ends) == 2 else ends
    frame.env = join_environments(met, partial(unassigned, frame)) if ends else before
    frame.chosen = known_after(asked_at_ends)
    if len(ends) == 2:
        keep_what_is_made(frame, node.test, before, ends[0])
        remember(frame, node.test, *ends)
    frame.ceiling = min(frame.ceiling, confidence_after(frame, node, usual, left))
    if outcome is None:
        frame.ceiling = min(frame.ceiling, confidence_beyond(rare, left))
    return bool(ends)


def _for(frame: Frame, node: ast.For) -> None:
    iterable = evaluate(frame, node.iter)
    frame.emit(
        "iterate",
        node.iter,
        receiver=iterable,
        callee=attributes.class_name(frame.inspector, iterable),
        confidence=sureness(iterable),
        subject=node.iter,
    )
    if frame.is_heard:
        unrolled.report_rounds(frame, node.target, node.iter, iterable)
    if goes_round_never(frame, node.iter):
        frame.leaves_out = True
        execute(frame, node.orelse)
        return
    items = items_in_turn(frame, node.iter, iterable) or (unpacking.iterate(frame, iterable),)
    is_idle = frame.is_heard and goes_through_nothing(frame, node.iter)

    def body() -> bool:
        falls_through = False
        for item in items:  # no function for each: what is called here nests deep
            assignments.assign(frame, node.target, item, node)
            falls_through = execute(frame, node.body) or falls_through
        return falls_through

    with frame.at_most(Confidence.LOW) if is_idle else nullcontext():
        _loop(frame, body, "inside a `for` loop")
    execute(frame, node.orelse)


def _while(frame: Frame, node: ast.While) -> bool:
    endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
    if frame.is_heard:
        unrolled.report_counted(frame, node)

    def body() -> bool:
        if truth(frame, node.test, "while") is False:  # before the first round, too: there is none
            frame.leaves_out = True
            return False
        narrow(frame, node.test, True)
        with frame.under(node.test):
            return execute(frame, node.body)

    exits = _loop(frame, body, "inside a `while` loop")
    narrow(frame, node.test, False)
    execute(frame, node.orelse)
    return not endless or exits


def _loop(frame: Frame, body: Callable[[], bool], reason: str) -> bool:
    """Walk a loop's body twice: once to learn what its names become, once for its events."""
    exited = False
    frame.settle_before_ways_part()
    before, asked = frame.env, frame.chosen
    for rehearsal in (True, False):
        if rehearsal and frame.rehearsals:
            continue
        frame.rehearsals += rehearsal
        frame.loop_exits.append([])
        frame.env, frame.chosen = dict(before), asked
        frame.aggravators.append(reason)
        above = frame.ceiling
        falls_through = body()
        frame.ceiling = above  # how rarely a round gets to its end says nothing of the next one, nor of what follows
        frame.aggravators.pop()
        exits = frame.loop_exits.pop()
        frame.rehearsals -= rehearsal
        exited = exited or bool(exits)
        ends = [before, *exits, *([frame.env] if falls_through else [])]
        before, asked = join_environments(ends, partial(unassigned, frame)), known_after([asked, frame.chosen])
    frame.env, frame.chosen = before, asked
    return exited


def _leave_loop(frame: Frame, node: ast.stmt) -> bool:
    if frame.loop_exits:
        frame.loop_exits[-1].append(dict(frame.env))
    return False


def _with(frame: Frame, node: ast.With) -> bool | None:
    reasons: list[str] = []
    route = frame.route
    for item in node.items:
        manager = evaluate(frame, item.context_expr)
        callee = managers.name_of(frame, manager, item.context_expr)
        frame.emit("with", item.context_expr, callee=callee, receiver=manager, subject=item.context_expr)
        entered = managers.enter(frame, manager)
        if item.optional_vars is not None:
            assignments.assign(frame, item.optional_vars, entered, node)
        if managers.aggravates(manager, callee):
            reasons.append("inside a `with` block that Dynamo cannot resume in")
        if inference.enters(frame, callee, item.context_expr):
            frame.route = inference.inside(frame.route)
        frame.route = strictness.inside(frame, callee, item.context_expr)
    frame.settle_before_ways_part()
    frame.aggravators.extend(reasons)
    result = execute(frame, node.body)
    frame.route = route
    del frame.aggravators[len(frame.aggravators) - len(reasons) :]
    return None if result else managers.suppresses(node)


def _try(frame: Frame, node: ast.Try) -> bool:
    frame.settle_before_ways_part()
    before = dict(frame.env)
    returned = len(frame.returns)
    route = frame.route
    if node.handlers and goes_on_after_failure(frame, node):
        frame.route = caught(route)
    with frame.aggravated(IN_TRY if node.handlers else "inside a `try` block with a `finally`"):
        falls_through = execute(frame, node.body)
    frame.route = route
    if falls_through:
        falls_through = execute(frame, node.orelse)
    ends = [frame.env] if falls_through else []
    # `try: return torch.compiler.is_compiling()` gives that, not the False for a torch that has no such thing.
    known = len(frame.returns) if not falls_through and UNKNOWN not in frame.returns[returned:] else None
    for handler in node.handlers:
        frame.env = join_environments([before, frame.env])
        if handler.name:
            frame.env[handler.name] = UNKNOWN
        with frame.at_most(Confidence.LOW):
            if execute(frame, handler.body):
                ends.append(frame.env)
    if known is not None and known > returned:
        frame.supposed.difference_update(range(known, len(frame.returns)))
        del frame.returns[known:]
    frame.env = join_environments(ends) if ends else before
    goes_on = execute(frame, node.finalbody) and bool(ends)
    if goes_on and not falls_through and follows_failure(frame, node):
        frame.ceiling = Confidence.LOW
    return goes_on


def _match(frame: Frame, node: ast.Match) -> bool:
    subject = evaluate(frame, node.subject)
    before = frame.env
    ends: list[Env] = []
    for case in node.cases:
        outcome = patterns.matches(frame, case.pattern, subject)
        frame.env = dict(before)
        if outcome is not False or isinstance(subject, kinds.Instance):
            patterns.ask(frame, node.subject, case.pattern, subject)
        if outcome is False:
            frame.leaves_out = True
            continue
        patterns.bind(frame, case.pattern)
        if case.guard is not None:
            truth(frame, case.guard, "if")
        if execute(frame, case.body):
            ends.append(frame.env)
        if outcome is True and case.guard is None:
            frame.leaves_out = frame.leaves_out or case is not node.cases[-1]
            break
    else:
        ends.append(before)
    frame.env = join_environments(ends, partial(unassigned, frame)) if ends else before
    return bool(ends)


def _function_def(frame: Frame, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    key = node_key(frame.module.name, node)
    closure = frame.closed_over()
    plain = kinds.Function(key, node.name, closure=closure)
    kind = function_decorators.decorated(frame, node.decorator_list, plain)
    function_decorators.report_applied(frame, node.decorator_list, plain)
    if frame.function is not None and node.decorator_list:
        function_decorators.record_compiled(frame, node, plain)
    if closure is not None:
        closure[node.name] = kind
    frame.env[node.name] = kind


def _class_def(frame: Frame, node: ast.ClassDef) -> None:
    bases = tuple(evaluate(frame, base) for base in node.bases)
    frame.emit("class-definition", node, args=bases, callee=node.name)
    frame.env[node.name] = kinds.ProjectClass(node_key(frame.module.name, node), node.name)


def _global(frame: Frame, node: ast.Global) -> None:
    frame.globals_written.update(node.names)


_HANDLERS: dict[type, Callable[[Frame, Any], bool | None]] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _ann_assign,
    ast.AugAssign: _augmented,
    ast.Delete: assignments.delete,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Assert: walk_assert,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.Break: _leave_loop,
    ast.Continue: _leave_loop,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: _try,
    ast.Match: _match,
    ast.FunctionDef: _function_def,
    WatchedFunction: _function_def,
    ast.AsyncFunctionDef: _function_def,
    ast.ClassDef: _class_def,
    ast.Import: importing.walk_import,
    ast.ImportFrom: importing.walk_import,
    ast.Global: _global,
}
if hasattr(ast, "TryStar"):
    _HANDLERS[ast.TryStar] = _try
