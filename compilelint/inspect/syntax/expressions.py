"""Expressions: what they are, and what happens when they are evaluated."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable
from types import EllipsisType
from typing import Any

from compilelint.inspect import kinds, names
from compilelint.inspect.arguments.annotations import annotation_kind
from compilelint.inspect.arguments.missing import given_or_made
from compilelint.inspect.calling import calls, protocols, type_arguments
from compilelint.inspect.deciding import truth
from compilelint.inspect.deciding.conditions import is_for_numbers, is_unlikely
from compilelint.inspect.deciding.expectations import expected
from compilelint.inspect.deciding.narrowing import narrow
from compilelint.inspect.deciding.unusual_values import beside_unknown, is_supposed
from compilelint.inspect.frame import Frame, item_of, path_of
from compilelint.inspect.kinds import BOOL, STR, UNKNOWN, Kind
from compilelint.inspect.members import attributes, reading
from compilelint.inspect.sizing import input_sizes, unrolled, untraced_sizes
from compilelint.inspect.sureness import confidence_of, sureness
from compilelint.inspect.syntax import comparisons, operators, subscripts, unpacking
from compilelint.inspect.syntax.in_turn import items_in_turn
from compilelint.report.confidence import Confidence
from compilelint.source.index import node_key

_RELEASE = re.compile(r"\d+(\.\d+)+")
"""What a release is called. All other texts that are put together are names of sorts, of which a part is known."""


def evaluate(frame: Frame, node: ast.expr) -> Kind:
    """The kind of an expression; its events are emitted on the way."""
    handler = _HANDLERS.get(type(node))
    return handler(frame, node) if handler is not None else _other(frame, node)


def _constant(frame: Frame, node: ast.Constant) -> Kind:
    return _of_constant(node.value)


@functools.lru_cache(maxsize=10_000, typed=True)
def _of_constant(value: Any) -> Kind:
    """`True`, `1` and `1.0` are equal, and three constants."""
    return kinds.Python("object") if isinstance(value, EllipsisType | complex) else kinds.Const(value)


def _name(frame: Frame, node: ast.Name) -> Kind:
    return names.lookup(frame, node.id)


def _attribute(frame: Frame, node: ast.Attribute) -> Kind:
    value = node.value
    if type(value) is ast.Name:
        path: str | None = f"{value.id}.{node.attr}"
        base = names.lookup(frame, value.id)
    else:
        path, base = path_of(node), evaluate(frame, value)
    known = frame.env.get(path) if path is not None else None
    kind = reading.read_attribute(frame, node, base) if known is None else known
    if node.attr == "shape":
        kind = input_sizes.shape(frame, value, kind)
    if frame.is_heard:
        _emit_attribute(frame, node, base)
    return kind


def _emit_attribute(frame: Frame, node: ast.Attribute, base: Kind) -> None:
    for option in kinds.options(base):
        name = attributes.class_name(frame.inspector, option)
        if name:
            callee = f"{name}.{node.attr}"
            if frame.inspector.wants("attribute", callee):
                frame.emit(
                    "attribute",
                    node,
                    callee=callee,
                    receiver=option,
                    confidence=confidence_of(base, option),
                )


def _call(frame: Frame, node: ast.Call) -> Kind:
    type_arguments.report_called(frame, node)
    return calls.call_node(frame, node)


def _bin_op(frame: Frame, node: ast.BinOp) -> Kind:
    left, right = evaluate(frame, node.left), evaluate(frame, node.right)
    return operators.binary(frame, node, left, right)


def _unary_op(frame: Frame, node: ast.UnaryOp) -> Kind:
    if isinstance(node.op, ast.Not):
        outcome = truth.truth(frame, node, "not")
        return BOOL if outcome is None else kinds.Const(outcome)
    operand = evaluate(frame, node.operand)
    protocols.call(frame, node, operand, protocols.UNARY[type(node.op)])
    protocols.call_of_draw(frame, node, operand, protocols.UNARY[type(node.op)])
    return operators.unary(node.op, operand)


def _compare(frame: Frame, node: ast.Compare) -> Kind:
    left = evaluate(frame, node.left)
    result: Kind = BOOL
    for position, (op, comparator) in enumerate(zip(node.ops, node.comparators, strict=True)):
        right = evaluate(frame, comparator)
        if position:
            truth.decide(frame, node, result, "compare")
        result = comparisons.compare(frame, node, op, left, right)
        left = right
    return result


def _if_exp(frame: Frame, node: ast.IfExp) -> Kind:
    outcome = truth.truth(frame, node.test, "ternary")
    frame.leaves_out = frame.leaves_out or outcome is not None
    default = expected(frame, node.test, outcome)
    supposes = outcome is None and is_supposed(frame, node.test)
    saved = dict(frame.env)
    usual, unusual = [], []
    for wanted, branch in ((True, node.body), (False, node.orelse)):
        if outcome is not (not wanted):
            frame.env = dict(saved)
            is_rare = is_unlikely(frame, node.test, wanted) or (wanted and is_for_numbers(frame, node))
            is_rare = is_rare or default is (not wanted)
            narrow(frame, node.test, wanted)
            if is_rare:
                with frame.at_most(Confidence.LOW):
                    unusual.append(evaluate(frame, branch))
            else:
                usual.append(evaluate(frame, branch))
    frame.env = saved
    found = usual or unusual
    return given_or_made(frame, node, beside_unknown(found, [0] if supposes else ()))


def _tuple(frame: Frame, node: ast.Tuple | ast.List | ast.Set) -> Kind:
    type_ = type(node).__name__.lower()
    items: list[Kind] = []
    exact = True
    for element in node.elts:
        if isinstance(element, ast.Starred):
            inner = evaluate(frame, element.value)
            unpacking.report_advanced(frame, element.value, inner)
            if isinstance(inner, kinds.Sequence) and inner.items is not None:
                items.extend(inner.items)
            else:
                exact = False
                items.append(unpacking.iterate(frame, inner))
        else:
            items.append(evaluate(frame, element))
            if isinstance(node, ast.Set):
                protocols.hashed(frame, element, items[-1])
    if exact:
        return kinds.sequence(type_, items)
    return kinds.Sequence(type_, kinds.shallow(kinds.join(*items)) if items else UNKNOWN)


def _dict(frame: Frame, node: ast.Dict) -> Kind:
    entries: dict[Any, Kind] = {}
    values: list[Kind] = []
    for key, value in zip(node.keys, node.values, strict=True):
        kind = kinds.shallow(evaluate(frame, value))
        if key is None:
            if isinstance(kind, kinds.Dictionary) and kind.entries:
                entries |= dict(kind.entries)
            else:
                entries = {name: kinds.loosened(each) for name, each in entries.items()}
                values = [kinds.loosened(each) for each in values]
            continue
        key_kind = evaluate(frame, key)
        protocols.hashed(frame, key, key_kind)
        values.append(kind)
        if isinstance(key_kind, kinds.Const):
            entries[key_kind.value] = kind
    return kinds.Dictionary(kinds.join(*values) if values else UNKNOWN, tuple(entries.items())[: kinds.MAX_ITEMS])


def _lambda(frame: Frame, node: ast.Lambda) -> Kind:
    key = node_key(frame.module.name, node)
    return kinds.Function(key, "<lambda>", closure=frame.closed_over())


def _joined_str(frame: Frame, node: ast.JoinedStr) -> Kind:
    tensor: kinds.Tensor | None = None
    texts: list[str | None] = []
    for part in node.values:
        if not isinstance(part, ast.FormattedValue):
            texts.append(str(part.value) if isinstance(part, ast.Constant) else None)
            continue
        kind = evaluate(frame, part.value)
        texts.append(_written(part, kind))
        construct = "f-string" if part.conversion == -1 else "conversion"
        frame.emit("format", node, construct=construct, args=(kind,))
        untraced_sizes.report_formatted(frame, part)
        tensor = tensor or kinds.tensor_part(kind)
    if tensor is not None:
        return kinds.Text(tensor)
    if not any(isinstance(part, ast.FormattedValue) for part in node.values):
        return kinds.Const("")
    known = "".join(text for text in texts if text is not None)
    is_name = known.isidentifier() or _RELEASE.fullmatch(known) is not None
    return kinds.Const(known) if None not in texts and is_name else STR


def _written(part: ast.FormattedValue, kind: Kind) -> str | None:
    """What a value is in a text, where it is known, and written as it is: `major` of `f"{major}.{minor}"`."""
    plain = part.conversion == -1 and part.format_spec is None
    return str(kind.value) if plain and isinstance(kind, kinds.Const) and type(kind.value) in (int, str) else None


def _subscript(frame: Frame, node: ast.Subscript) -> Kind:
    base = evaluate(frame, node.value)
    if isinstance(base, kinds.Reference) and base.name.startswith(("typing.", "typing_extensions.")):
        return annotation_kind(node, lambda part: evaluate(frame, part))
    path = path_of(node.value)
    components = index_components(frame, node.slice)
    found = [subscripts.subscript(frame, node, option, base, components) for option in kinds.options(base)]
    known = [kind for option, kind in zip(kinds.options(base), found, strict=True) if option != kinds.NONE]
    kind = kinds.join(*known) if known else UNKNOWN
    key = components[0] if len(components) == 1 else None
    if path is not None and isinstance(key, kinds.Const):
        return frame.env.get(item_of(path, key), kind)
    return kind


def index_components(frame: Frame, node: ast.expr) -> tuple[Kind, ...]:
    """The parts of a subscript, at least one; a slice is `Python("slice")`, once its bounds were looked at."""
    parts = node.elts if isinstance(node, ast.Tuple) and node.elts else [node]
    return tuple(_component(frame, part) for part in parts)


def _component(frame: Frame, node: ast.expr) -> Kind:
    if not isinstance(node, ast.Slice):
        kind = evaluate(frame, node.value if isinstance(node, ast.Starred) else node)
        return subscripts.as_mask(node, kind)
    for bound in (node.lower, node.upper, node.step):
        if bound is not None:
            kind = evaluate(frame, bound)
            if kinds.tensor_part(kind) is not None or kinds.is_held_as_tensor(kind):
                sure = sureness(kind)
                frame.emit("index", bound, construct="slice-bound", args=(kind,), confidence=sure, subject=bound)
    return kinds.Python("slice")


def _bool_op(frame: Frame, node: ast.BoolOp) -> Kind:
    return truth.bool_op(frame, node)


_Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp


def _comprehension(frame: Frame, node: _Comprehension) -> Kind:
    saved = dict(frame.env)
    known: list[Kind] | None = None  # what each round gives, where they are told apart
    for generator in node.generators:
        iterable = evaluate(frame, generator.iter)
        frame.emit(
            "iterate",
            generator.iter,
            receiver=iterable,
            callee=attributes.class_name(frame.inspector, iterable),
            subject=generator.iter,
        )
        if frame.is_heard:
            unrolled.report_rounds(frame, generator.target, generator.iter, iterable)
        unpacking.bind_target(frame, generator.target, unpacking.iterate(frame, iterable))
        for condition in generator.ifs:
            truth.truth(frame, condition, "comprehension")
            narrow(frame, condition, True)
        if len(node.generators) == 1 and (items := _one_by_one(frame, node, iterable)):
            known = []
            for item in items:
                unpacking.bind_target(frame, generator.target, item)
                known.append(_made(frame, node))
    result: Kind
    if known is not None and isinstance(node, ast.ListComp | ast.GeneratorExp):
        result = kinds.sequence("list" if isinstance(node, ast.ListComp) else "iterator", known)
    else:
        item = kinds.shallow(_made(frame, node) if known is None else kinds.join(*known))
        type_ = {ast.ListComp: "list", ast.SetComp: "set"}.get(type(node), "iterator")
        result = kinds.Dictionary(item) if isinstance(node, ast.DictComp) else kinds.Sequence(type_, item)
    frame.env = saved
    return result


def _one_by_one(frame: Frame, node: _Comprehension, iterable: Kind) -> tuple[Kind, ...]:
    """The items of which each is told apart, if any."""
    (generator,) = node.generators
    if (
        not generator.ifs
        and isinstance(iterable, kinds.Sequence)
        and iterable.items
        and len(set(iterable.items)) > 1
        and not isinstance(node, ast.DictComp)
    ):
        return iterable.items
    return items_in_turn(frame, generator.iter, iterable)


def _made(frame: Frame, node: _Comprehension) -> Kind:
    """What one round gives: of a dict, the value."""
    if not isinstance(node, ast.DictComp):
        return evaluate(frame, node.elt)
    evaluate(frame, node.key)
    return evaluate(frame, node.value)


def _named_expr(frame: Frame, node: ast.NamedExpr) -> Kind:
    kind = evaluate(frame, node.value)
    unpacking.bind_target(frame, node.target, kind)
    return kind


def _yield(frame: Frame, node: ast.Yield) -> Kind:
    frame.yields.append(evaluate(frame, node.value) if node.value else kinds.NONE)
    return UNKNOWN


def _yield_from(frame: Frame, node: ast.YieldFrom) -> Kind:
    frame.yields.append(unpacking.iterate(frame, evaluate(frame, node.value)))
    return UNKNOWN


def _starred(frame: Frame, node: ast.Starred) -> Kind:
    return evaluate(frame, node.value)


def _await(frame: Frame, node: ast.Await) -> Kind:
    evaluate(frame, node.value)
    return UNKNOWN


def _other(frame: Frame, node: ast.expr) -> Kind:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            evaluate(frame, child)
    return UNKNOWN


_HANDLERS: dict[type, Callable[[Frame, Any], Kind]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.BinOp: _bin_op,
    ast.UnaryOp: _unary_op,
    ast.BoolOp: _bool_op,
    ast.Compare: _compare,
    ast.IfExp: _if_exp,
    ast.Tuple: _tuple,
    ast.List: _tuple,
    ast.Set: _tuple,
    ast.Dict: _dict,
    ast.Lambda: _lambda,
    ast.JoinedStr: _joined_str,
    ast.Subscript: _subscript,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _comprehension,
    ast.NamedExpr: _named_expr,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
    ast.Starred: _starred,
    ast.Await: _await,
}
