"""Parameters that are made where they are missing: `if mask is None: mask = torch.ones(n)`, `norm or LayerNorm()`,
`default(norm, LayerNorm())`."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter, is_missing_by_default
from compilelint.inspect.environments import Env
from compilelint.inspect.frame import Frame, item_of, path_of
from compilelint.inspect.kinds import NONE, UNKNOWN, Kind
from compilelint.inspect.members.objects import is_object
from compilelint.report.confidence import Confidence
from compilelint.source.model import FunctionNode
from compilelint.source.nodes import walk


def keep_what_is_made(frame: Frame, test: ast.expr, before: Env, made: Env) -> None:
    """After an `if` that makes a parameter of which nothing else tells: what is passed is what is made, or nothing is
    passed. Of one that is declared to be a tensor, this tells of what (`mask: Tensor = None`). An item that is made
    where it is missing, `if "loss" not in self.log: self.log["loss"] = []`, is a list whatever was there before."""
    match test:
        case ast.Compare(
            left=ast.Constant(value=str(key)), ops=[ast.NotIn()], comparators=[ast.Attribute() as container]
        ):
            path = path_of(container)
            held = made.get(path) if path is not None else None
            if path is None or not isinstance(held, kinds.Dictionary) or path in frame.env:
                return
            item = next((kind for name, kind in held.entries if name == key), None)
            if isinstance(item, kinds.Sequence):
                frame.env[item_of(path, kinds.Const(key))] = kinds.Sequence(item.type, UNKNOWN)
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            kind = made.get(name, UNKNOWN)
            is_open = before.get(name) == UNKNOWN and kind not in (NONE, UNKNOWN)
            if frame.function is None or not is_missing_by_default(frame.function.node, name):
                return
            if is_open:
                frame.env[name] = _unsure(kind)
            elif isinstance(kind, kinds.Tensor):
                frame.env[name] = _of_dtype(frame.env.get(name, UNKNOWN), kind)


def given_or_made(frame: Frame, node: ast.BoolOp | ast.IfExp, found: Sequence[Kind]) -> Kind:
    """The value of an expression, of its parts: the object that it makes for a parameter that is missing, where of the
    parameter nothing else tells. Of tensors, numbers and lists of them the parts say as much as there is to say."""
    name = _asked_for(node)
    others = [kind for kind in found if kind != UNKNOWN]
    if (
        name is not None
        and len(others) == 1 < len(found)
        and is_object(others[0])
        and frame.function is not None
        and frame.env.get(name) == UNKNOWN
        and is_missing_by_default(frame.function.node, name)
    ):
        return others[0]
    return kinds.join(*found)


def is_left_to(frame: Frame, node: ast.Call, callee: Kind) -> bool:
    """Whether a call hands a parameter that is missing by default, and of which nothing else tells, to a function that
    gives it back, or something in its place: `default(augment, Augment())`."""
    match callee, node:
        case kinds.Function(receiver=None, wrapper=None), ast.Call(args=[ast.Name(id=name), _], keywords=[]):
            helper = frame.inspector.tree.function(callee.key)
            return (
                helper is not None
                and frame.function is not None
                and frame.env.get(name) == UNKNOWN
                and is_missing_by_default(frame.function.node, name)
                and _gives_its_first_back(helper.node)
            )
        case _:
            return False


def _gives_its_first_back(helper: FunctionNode) -> bool:
    first = first_parameter(helper)
    returns = [part.value for part in walk(helper) if isinstance(part, ast.Return)]
    given = [helper.body] if isinstance(helper, ast.Lambda) else returns
    branches = [[value.body, value.orelse] if isinstance(value, ast.IfExp) else [value] for value in given]
    return any(isinstance(value, ast.Name) and value.id == first for values in branches for value in values)


def _asked_for(node: ast.BoolOp | ast.IfExp) -> str | None:
    """The name in whose place something else is taken if it is missing."""
    match node:
        case ast.BoolOp(op=ast.Or(), values=[ast.Name(id=name), _]):
            return name
        case (
            ast.IfExp(test=ast.Name(id=name), body=ast.Name(id=taken))
            | ast.IfExp(
                test=ast.Compare(left=ast.Name(id=name), ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]),
                body=ast.Name(id=taken),
            )
            | ast.IfExp(
                test=ast.Compare(left=ast.Name(id=name), ops=[ast.Is()], comparators=[ast.Constant(value=None)]),
                orelse=ast.Name(id=taken),
            )
        ) if name == taken:
            return name
        case _:
            return None


def _of_dtype(kind: Kind, made: kinds.Tensor) -> Kind:
    """A parameter that is declared to be a tensor, nobody says of what: where it is missing, of what is made."""
    if isinstance(kind, kinds.Tensor) and kind.dtype is None and made.dtype is not None:
        return replace(kind, dtype=made.dtype, confidence=min(kind.confidence, Confidence.MEDIUM))
    return kind


def _unsure(kind: Kind) -> Kind:
    if isinstance(kind, kinds.Tensor):
        return replace(kind, confidence=min(kind.confidence, Confidence.MEDIUM))
    return kind
