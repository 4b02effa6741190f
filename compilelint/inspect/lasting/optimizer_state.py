"""What an optimizer of the project keeps between steps: items of its groups, and of its state for each parameter."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeGuard

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.frame import Frame, path_of
from compilelint.inspect.members import classes
from compilelint.source.nodes import walk
from compilelint.source.watched import says

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector
    from compilelint.source.model import FunctionInfo

_OPTIMIZERS = "torch.optim."
_GROUPS, _STATE = "param_groups", "state"


def counted_in(frame: Frame, target: ast.Subscript, statement: ast.stmt) -> str | None:
    """The attribute of an own optimizer (`param_groups`, `state`) in whose items one of its methods counts here:
    `group["step"] += 1`, `state["step"] = state["step"] + 1`. The number is there at the next step, too."""
    owner, function = frame.receiver_instance, frame.function
    if owner is None or owner.module or owner.fresh or function is None:
        return None
    match target.slice:
        case ast.Constant(value=str(key)):
            pass
        case _:
            return None
    if not _is_optimizer(frame.inspector, owner.cls):
        return None
    names = frame.inspector.derived(("kept by optimizer", function.key), lambda: _kept(function))
    held = _held(target.value, first_parameter(function.node), names)
    counts = held is not None and _moves_on(statement, key, function) and _is_count(frame.inspector, owner.cls, key)
    return held if counts else None


def is_counted(inspector: Inspector, cls: kinds.ProjectClass, function: FunctionInfo, item: ast.Subscript) -> bool:
    """Whether a method of an own optimizer counts in an item that it reads: `state["step"]`."""
    match item.slice:
        case ast.Constant(value=str(key)):
            pass
        case _:
            return False
    if not _is_optimizer(inspector, cls):
        return False
    own_name, names = first_parameter(function.node), _kept(function)
    return (
        _held(item.value, own_name, names) is not None
        and any(_moves_on(part, key, function) for part in walk(function.node) if _writes(part, item))
        and _is_count(inspector, cls, key)
    )


def _writes(node: ast.AST, item: ast.Subscript) -> TypeGuard[ast.stmt]:
    """Whether a statement gives a value to an item that is written in the same words."""
    match node:
        case ast.AugAssign(target=ast.Subscript() as target) | ast.Assign(targets=[ast.Subscript() as target]):
            return ast.unparse(target) == ast.unparse(item)
        case _:
            return False


def _is_optimizer(inspector: Inspector, cls: kinds.ProjectClass) -> bool:
    return any(base.startswith(_OPTIMIZERS) for base in classes.external_bases(inspector, cls))


def _moves_on(statement: ast.stmt, key: str, function: FunctionInfo) -> bool:
    """Whether an item is given a number that is made of its last one, by a name for it or not."""
    match statement:
        case ast.AugAssign(op=ast.Add() | ast.Sub()):
            return True
        case ast.Assign(value=ast.BinOp(left=ast.Name(id=name), op=ast.Add() | ast.Sub(), right=ast.Constant())):
            return any(
                _names_key(node.value, key)
                for node in walk(function.node)
                if isinstance(node, ast.Assign)
                and any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
            )
        case ast.Assign(value=ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=ast.Constant())):
            return _names_key(left, key)
        case _:
            return False


def _names_key(node: ast.expr, key: str) -> bool:
    return any(isinstance(part, ast.Constant) and part.value == key for part in walk(node))


def _held(container: ast.expr, own_name: str | None, names: dict[str, str]) -> str | None:
    """The attribute of the optimizer that a container is an item of."""
    match container:
        case ast.Name(id=name):
            return names.get(name)
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id=owner), attr=attr)) if owner == own_name:
            return attr if attr in (_GROUPS, _STATE) else None
        case _:
            return None


def _kept(function: FunctionInfo) -> dict[str, str]:
    """The names that a method gives to groups (`for group in self.param_groups`) and to what it keeps for a parameter
    (`state = self.state[p]`), with the attribute that each is of."""
    found: dict[str, str] = {}
    own_name = first_parameter(function.node)
    groups = f"{own_name}.{_GROUPS}"
    for node in walk(function.node):
        match node:
            case ast.For(target=target, iter=iterable):
                if any(isinstance(part, ast.Attribute) and path_of(part) == groups for part in walk(iterable)):
                    found |= {part.id: _GROUPS for part in walk(target) if isinstance(part, ast.Name)}
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                held = _held(value, own_name, {})
                if held is not None:
                    found[name] = held
    return found


def _is_count(inspector: Inspector, cls: kinds.ProjectClass, key: str) -> bool:
    """Whether all that the methods of an optimizer give to an item of this name for its beginning are whole numbers."""
    return inspector.derived(("count of optimizer", cls, key), lambda: _begins_as_number(inspector, cls, key))


def _begins_as_number(inspector: Inspector, cls: kinds.ProjectClass, key: str) -> bool:
    values: list[ast.expr] = []
    for method in classes.methods(inspector, cls):
        module = inspector.tree.module(method.key[0])
        if module is not None and says(method.node, module.lines, key):
            values += (value for value in _given(method.node, key) if not isinstance(value, ast.BinOp))
    return bool(values) and all(isinstance(each, ast.Constant) and type(each.value) is int for each in values)


def _given(method: ast.AST, key: str) -> Iterator[ast.expr]:
    """What a method gives to items of a name, and to options of the name, which become items of the groups."""
    for node in walk(method):
        match node:
            case ast.Assign(targets=[ast.Subscript(slice=ast.Constant(value=name))], value=value) if name == key:
                yield value
            case ast.Call(func=ast.Attribute(attr="setdefault" | "get"), args=[ast.Constant(value=name), value]) if (
                name == key
            ):
                yield value
            case ast.Call(func=ast.Name(id="dict"), keywords=keywords):
                yield from (keyword.value for keyword in keywords if keyword.arg == key)
            case ast.Dict(keys=names, values=values):
                for name_node, value in zip(names, values, strict=True):
                    if isinstance(name_node, ast.Constant) and name_node.value == key:
                        yield value
