"""What a loop moves on or fills: counters, lists, dicts, and a state that its first round finds empty."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.regions.around import scopes
from compilelint.regions.around.driving import Loop
from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes.variations import Variation
from compilelint.source.nodes import walk

COUNTING = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv)


def is_counted(node: ast.Attribute, loop: Loop) -> bool:
    """Whether each round of a loop makes an attribute some more, `self.step += 1`, and sets it to nothing else."""
    text = ast.unparse(node)
    written = [
        part
        for part in walk(loop)
        if isinstance(part, ast.Attribute)
        and part.attr == node.attr
        and not isinstance(part.ctx, ast.Load)
        and ast.unparse(part) == text
    ]
    return len(written) == 1 and any(
        isinstance(statement, ast.AugAssign)
        and statement.target is written[0]
        and isinstance(statement.op, ast.Add | ast.Sub)
        and isinstance(statement.value, ast.Constant)
        and type(statement.value.value) is int
        for statement in loop.body
    )


def grows(scope: Scope, name: str, loops: tuple[Loop, ...]) -> Variation | None:
    """A counter that the loop moves on, a list or dict that it fills and never empties."""
    before = scopes.binding_at(scope, name, scopes.start_of(loops[-1]))
    if before is not None and isinstance(before[1].value, ast.Constant) and before[1].value.value is None:
        return Variation("none", 2) if _gets_a_value(name, loops[-1]) else None
    changes = list(_changes(name, loops[-1]))
    if not changes or before is None or before[1].value is None or "reset" in changes:
        return None
    match before[1].value:
        case ast.Constant(value=int(value)) if not isinstance(value, bool) and set(changes) == {"count"}:
            return Variation("int")
        case ast.List() if set(changes) == {"append"}:
            return Variation("length")
        case ast.Call(func=ast.Name(id="list" | "deque")) if set(changes) == {"append"}:
            return Variation("length")
        case ast.Dict() | ast.Call(func=ast.Name(id="dict")) if set(changes) == {"store"}:
            return Variation("keys")
        case _:
            return None


def is_kept(scope: Scope, node: ast.expr, loops: tuple[Loop, ...]) -> bool:
    """Whether an argument is a list that is there before the loop, which leaves it as it is."""
    if not loops or not isinstance(node, ast.Name) or next(_changes(node.id, loops[-1]), None) is not None:
        return False
    before = scopes.binding_at(scope, node.id, scopes.start_of(loops[-1]))
    match before[1].value if before is not None and before[1].iterated is None else None:
        case ast.List() | ast.Call(func=ast.Name(id="list" | "deque"), keywords=[]):
            return True
        case _:
            return False


def none_at_times(node: ast.Name, loop: Loop) -> ast.expr | None:
    """Under which condition a round of a loop gives a name None in place of what it gave it before, or the other way
    round, ahead of where it is read: `cond = embed(x)`, `if i % 10 == 0: cond = None`."""
    given: bool | None = None
    for statement in loop.body:
        if scopes.start_of(statement) > scopes.start_of(node):
            return None
        match statement:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == node.id:
                given = _is_none(value)
            case ast.If(test=test, body=[ast.Assign(targets=[ast.Name(id=target)], value=value), *_], orelse=[]) if (
                target == node.id and given is not None
            ):
                return test if _is_none(value) != given else None
    return None


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _gets_a_value(name: str, loop: Loop) -> bool:
    """Whether each iteration gives the name what a call returns: `y, state = step(x, state)`."""
    for node in loop.body:
        match node:
            case ast.Assign(targets=[target], value=ast.Call()):
                parts = target.elts if isinstance(target, ast.Tuple) else [target]
                if any(isinstance(part, ast.Name) and part.id == name for part in parts):
                    return True
    return False


def _changes(name: str, loop: Loop) -> Iterator[str]:
    """What a loop's body does to a name on every way through it, one word for each statement."""
    always = {id(statement) for statement in loop.body}
    for node in walk(loop):
        match node:
            case ast.AugAssign(target=ast.Name(id=target), op=op, value=ast.Constant(value=int())) if target == name:
                yield "count" if isinstance(op, COUNTING) and id(node) in always else "reset"
            case ast.Name(id=target, ctx=ast.Store() | ast.Del()) if target == name:
                if not _is_moved_on(loop, node):
                    yield "reset"
            case ast.Call(func=ast.Attribute(value=ast.Name(id=target), attr=attr)) if target == name:
                if attr in ("append", "appendleft"):
                    yield "append"
                elif attr in ("pop", "popleft", "clear", "popitem", "remove"):
                    yield "reset"
            case ast.Subscript(value=ast.Name(id=target), slice=index, ctx=ctx) if target == name:
                if isinstance(ctx, ast.Del):
                    yield "reset"
                elif isinstance(ctx, ast.Store) and not isinstance(index, ast.Constant):
                    yield "store"


def _is_moved_on(loop: Loop, node: ast.Name) -> bool:
    """Whether a name is written by a statement such as `name += 1`, which is counted elsewhere."""
    return any(isinstance(part, ast.AugAssign) and part.target is node for part in walk(loop))
