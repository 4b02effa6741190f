"""What is true: how conditions are decided, and what `and` and `or` give."""

from __future__ import annotations

import ast

from compilelint.inspect import kinds, signatures
from compilelint.inspect.arguments.missing import given_or_made
from compilelint.inspect.arguments.parameters import defaults_of
from compilelint.inspect.calling import calls
from compilelint.inspect.deciding import of_made
from compilelint.inspect.deciding.conditions import is_flag, is_unlikely
from compilelint.inspect.deciding.empty_lists import may_be_filled
from compilelint.inspect.deciding.expectations import confidence_under, expected
from compilelint.inspect.deciding.narrowing import narrow
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.syntax import expressions
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import is_none


def truth(frame: Frame, node: ast.expr, construct: str) -> bool | None:
    """Evaluate a condition, as `if` does: True or False where source tells, None where it does not."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = truth(frame, operand, construct)
            return None if inner is None else not inner
        case ast.BoolOp(op=op, values=values):
            return _boolean_truth(frame, isinstance(op, ast.And), values, construct)
        case _:
            kind = expressions.evaluate(frame, node)
            decide(frame, node, kind, construct)
            decided = truth_of(kind)
            if decided is False and isinstance(kind, kinds.Sequence) and may_be_filled(frame, node):
                return None
            return of_made.outcome(frame, node) if decided is None else decided


def _boolean_truth(frame: Frame, is_and: bool, values: list[ast.expr], construct: str) -> bool | None:
    saved = dict(frame.env)
    known: bool | None = is_and
    sure = Confidence.HIGH
    for value in values:
        if sure == Confidence.HIGH:
            outcome = truth(frame, value, construct)
        else:
            with frame.at_most(sure):
                outcome = truth(frame, value, construct)
        if value is not values[-1]:
            sure = min(sure, _sureness_behind(frame, value, outcome, is_and))
        if outcome is (not is_and):
            frame.env, frame.leaves_out = saved, True
            return outcome
        if outcome is None:
            known = None
        narrow(frame, value, is_and)
    frame.env = saved
    return known


def _sureness_behind(frame: Frame, operand: ast.expr, outcome: bool | None, is_and: bool) -> Confidence:
    """How sure what happens further right can be: Python comes to it if an operand of `and` is true, one of `or` is
    not."""
    if is_unlikely(frame, operand, is_and):
        return Confidence.LOW
    return confidence_under(expected(frame, operand, outcome), is_and)


def decide(
    frame: Frame, node: ast.expr, kind: Kind, construct: str, args: tuple[Kind, ...] = (), callee: str = ""
) -> None:
    """Report that the truth of a value decides, where the value may come from a tensor."""
    if kinds.may_be_held_as_tensor(kind):
        tensor = kinds.tensor_part(kind)
        confidence = tensor.confidence if tensor is not None else Confidence.HIGH
        if tensor is not None and is_flag(node, tensor):
            confidence = Confidence.LOW
        frame.emit(
            "branch",
            node,
            callee=callee,
            construct=construct,
            receiver=kind,
            args=args,
            confidence=confidence,
        )
    for option in kinds.options(kind) if frame.is_heard else ():
        if isinstance(option, kinds.Instance) and not option.module:
            _ask(frame, option)


def _ask(frame: Frame, receiver: kinds.Instance) -> None:
    """What Python calls to know whether an object is true, and Dynamo traces: `__bool__`, or else `__len__`."""
    with frame.aggravated("as an object is asked whether it is true"):
        if calls.call_method(frame, receiver, "__bool__", ()) is None:
            calls.call_method(frame, receiver, "__len__", ())


def truth_of(kind: Kind) -> bool | None:
    """Whether a value is true, where its kind tells."""
    match kind:
        case kinds.Const(value=value):
            return bool(value)
        case kinds.Function() | kinds.ProjectClass() | kinds.ProjectModule() | kinds.Partial():
            return True
        case kinds.Instance(module=True):
            return True
        case kinds.Reference(name=name) if signatures.is_true_in_every_torch(name):
            return True
        case kinds.Sequence(items=items) if items is not None:
            return bool(items)
        case kinds.Dictionary(entries=(), closed=True):
            return False
        case _:
            return None


def bool_op(frame: Frame, node: ast.BoolOp) -> Kind:
    """The value of `a and b`, `a or b`."""
    saved = dict(frame.env)
    is_and = isinstance(node.op, ast.And)
    found: list[Kind] = []
    for value in node.values[:-1]:
        kind = expressions.evaluate(frame, value)
        if not is_and and isinstance(node.values[-1], ast.Dict | ast.List | ast.Set):
            # `given or {}`: what a container stands in for is one itself.
            kind = kinds.without(kind, kinds.Tensor)
        decide(frame, value, kind, "and" if is_and else "or")
        outcome = truth_of(kind)
        if outcome is None or outcome is not is_and:
            of_operand = _if_false if is_and else _if_true
            found.append(kind if outcome is not None or kind == UNKNOWN else of_operand(kind))
        if outcome is (not is_and):
            frame.env, frame.leaves_out = saved, True
            return kinds.join(*found)
        narrow(frame, value, is_and)
    with frame.at_most(_sureness_instead(frame, node, found)):
        found.append(expressions.evaluate(frame, node.values[-1]))
    frame.env = saved
    return given_or_made(frame, node, found)


def _sureness_instead(frame: Frame, node: ast.BoolOp, found: list[Kind]) -> Confidence:
    """How sure it is that Python comes to the last operand: `size or int(index.max()) + 1` is for calls that give no
    `size`, and one that gives a number seldom gives 0."""
    if isinstance(node.op, ast.And) or frame.function is None or len(node.values) != 2:
        return Confidence.HIGH
    asked, is_number = node.values[0], found in ([kinds.INT], [kinds.SIZE])
    left_out = defaults_of(frame.function.node).get(asked.id) if is_number and isinstance(asked, ast.Name) else None
    return Confidence.LOW if is_none(left_out) else Confidence.HIGH


def _if_false(kind: Kind) -> Kind:
    """What an operand of `and` is where it is the value of the whole; of a tensor or a number more is not said."""
    return kinds.join(*(kinds.Const(False) if kinds.is_bool(option) else option for option in kinds.options(kind)))


def _if_true(kind: Kind) -> Kind:
    """What an operand of `or` is where it is the value of the whole."""
    true = [option for option in kinds.options(kind) if truth_of(option) is not False]
    return kinds.join(*(kinds.Const(True) if kinds.is_bool(option) else option for option in true)) if true else kind
