"""What a function keeps for its next call where it need not be the one that fills it: a global that another function
sets, too (`if STATE is None: STATE = make()`), an attribute of an object that it is given (`getattr(options, "_made",
None)`).

By the time that something is compiled it is mostly there, and what makes it runs no more.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.source.index import flat_statements
from compilelint.source.model import FunctionInfo, ModuleIndex
from compilelint.source.nodes import walk
from compilelint.source.watched import says

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame


def once_filled(frame: Frame, test: ast.expr) -> bool | None:
    """What a condition comes to once what it asks for is there; None if it does not ask for such a thing."""
    match test:
        case ast.BoolOp(op=ast.And(), values=[first, *_]):
            return once_filled(frame, first) or None  # what else is asked is whether it is the right one
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)):
            outcome = False
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            outcome = False
        case ast.Compare(left=ast.Name(id=name), ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            outcome = True
        case ast.Name(id=name):
            outcome = True
        case _:
            return None
    return outcome if _is_memo(frame, name) else None


def is_given_back(test: ast.expr, body: list[ast.stmt]) -> bool:
    """Whether what a condition asks for may be returned under it."""
    asked = {part.id for part in walk(test) if isinstance(part, ast.Name)}
    return any(
        isinstance(statement, ast.Return) and isinstance(statement.value, ast.Name) and statement.value.id in asked
        for statement in flat_statements(body)
    )


def _is_memo(frame: Frame, name: str) -> bool:
    function = frame.function
    if function is None or isinstance(function.node, ast.Lambda):
        return False
    holder = frame.inspector.derived(("memos", function.key), lambda: _memos(frame.module, function)).get(name)
    if not holder:
        return holder is not None
    owner = frame.inspector.peek(frame, ast.Name(holder, ast.Load()))
    # A module is filled by its first call, which is the one that is compiled.
    return not any(isinstance(option, kinds.Instance) and option.module for option in kinds.options(owner))


def _memos(module: ModuleIndex, function: FunctionInfo) -> Mapping[str, str]:
    """The names that hold a memo, each with the object that keeps it, "" for a global."""
    if isinstance(function.node, ast.Lambda):
        return {}
    found: dict[str, str] = {}
    if says(function.node, module.lines, "global "):
        found |= {name: "" for name in _rebound_globals(function) if _is_set_elsewhere(module, function, name)}
    if says(function.node, module.lines, "getattr("):
        found |= dict(_kept_by_objects(function.node))
    return found


def _rebound_globals(function: FunctionInfo) -> set[str]:
    if isinstance(function.node, ast.Lambda):
        return set()
    statements = list(flat_statements(function.node.body))
    declared = {name for statement in statements if isinstance(statement, ast.Global) for name in statement.names}
    return declared & {
        part.id
        for statement in statements
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for part in walk(statement)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def _is_set_elsewhere(module: ModuleIndex, function: FunctionInfo, name: str) -> bool:
    """Whether another function of the file sets a global as well, or the file calls this one as it is imported."""
    others = (
        info
        for info in list(module.functions.values())
        if info.key != function.key
        and not isinstance(info.node, ast.Lambda)
        and says(info.node, module.lines, "global ")
        and says(info.node, module.lines, name)
    )
    return any(name in _rebound_globals(info) for info in others) or any(
        isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == function.qualname
        for statement in module.tree.body
        if isinstance(statement, ast.Expr | ast.Assign | ast.AnnAssign)
        for part in walk(statement)
    )


def _kept_by_objects(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[str, str]]:
    """`made = getattr(options, "_made", None)`, where the function also sets `options._made`."""
    stored = {
        (target.value.id, target.attr)
        for statement in flat_statements(function.body)
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)
    }
    for statement in flat_statements(function.body):
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(
                    func=ast.Name(id="getattr"),
                    args=[ast.Name(id=owner), ast.Constant(value=str() as attr), ast.Constant(value=None)],
                ),
            ) if (owner, attr) in stored:
                yield name, owner
