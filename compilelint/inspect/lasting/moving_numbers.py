"""Numbers that outlive a call, and that each call gives another value, made of the one before.

An `int` is a constant to Dynamo where it lives on a module. A `float` is a variable to it, and a constant to what is
below it once it leaves the graph (rules/CL501, rules/CL524).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame, path_of
from compilelint.inspect.kinds import Kind
from compilelint.source.nodes import walk

AND_READ = "-and-read"
"""What is added to the construct of a write where the number is used for something else, too."""

_GOES_ON = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Pow)
_KEEPS = frozenset({"int", "float", "abs", "round"})
_LIMITS = frozenset({"max", "min"})


def is_float(kind: Kind) -> bool:
    match kind:
        case kinds.Python(type="float") | kinds.Const(value=float()):
            return True
        case _:
            return False


def moves_on(frame: Frame, statement: ast.stmt, target: ast.Attribute, kind: Kind) -> bool:
    """Whether an attribute is given a number that is made of the one it holds, if need be by way of local names:
    `total = self.count + n`, and then `self.count = total`."""
    match kind:
        case kinds.Python(type="int" | "float"):
            path, value = path_of(target), _given(statement, target)
            return path is not None and value is not None and bool(_made(frame, value, path, is_float(kind)))
        case _:
            return False


def is_read_besides(frame: Frame, statement: ast.stmt, target: ast.expr) -> bool:
    """Whether a function does more with the number than to move it on, or is a helper whose caller may."""
    function, path = frame.function, path_of(target)
    if (
        function is None
        or path is None
        or (len(frame.route.steps) > 1 and function.qualname.rpartition(".")[2] != "forward")
    ):
        return True
    names = _on_the_way(frame, _given(statement, target), path)
    own = (statement, *(value for name in names for value in _assigned(frame, name)))
    moved = {id(part) for each in own for part in walk(each)}
    return any(
        id(part) not in moved and (part.id in names if isinstance(part, ast.Name) else path_of(part) == path)
        for part in walk(function.node)
        if isinstance(part, ast.Name | ast.Attribute) and isinstance(part.ctx, ast.Load)
    )


def _given(statement: ast.stmt, target: ast.expr) -> ast.expr | None:
    """What a statement gives to one of its targets: `b` of `x, self.n = a, b`."""
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)) if len(targets) == len(values):
            return next((value for each, value in zip(targets, values, strict=True) if each is target), None)
        case ast.Assign(targets=targets, value=value):
            return value if any(each is target for each in targets) else None
        case ast.AnnAssign(value=value):
            return value
        case _:
            return None


def _made(frame: Frame, node: ast.expr, path: str, as_float: bool, passed: frozenset[str] = frozenset()) -> bool | None:
    """Whether an expression is another number than the one at the path: False if it is that one as it is, None if it
    is not made of it. An `int` that has a limit comes to it soon."""
    match node:
        case ast.Attribute():
            return False if path_of(node) == path else None
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _GOES_ON) or (as_float and type(op) is ast.Div):
            sides = [_made(frame, side, path, as_float, passed) for side in (left, right)]
            return True if sides != [None, None] else None
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _made(frame, operand, path, as_float, passed)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            if any(isinstance(part, ast.Attribute) and path_of(part) == path for part in walk(test)):
                return None
            return _most(_made(frame, part, path, as_float, passed) for part in (body, orelse))
        case ast.Call(func=ast.Name(id=name), args=args) if name in _KEEPS or (as_float and name in _LIMITS):
            return _most(_made(frame, arg, path, as_float, passed) for arg in args)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="math")), args=args) if as_float:
            return True if _most(_made(frame, arg, path, True, passed) for arg in args) is not None else None
        case ast.Name(id=name) if name not in passed:
            made = _most(_made(frame, value, path, as_float, passed | {name}) for value in _assigned(frame, name))
            return made if made is None else made or _is_moved_itself(frame, name)
        case _:
            return None


def _most(made: Iterable[bool | None]) -> bool | None:
    return max((each for each in made if each is not None), default=None)


def _assigned(frame: Frame, name: str) -> Iterator[ast.expr]:
    """What a function assigns to a name of its own. What a `while` does only catches up with something, mostly."""
    for part in _outside_of_while(frame.function.node if frame.function is not None else None):
        match part:
            case ast.Assign(targets=[ast.Tuple(elts=targets)]) | ast.Assign(targets=targets):
                named = [target for target in targets if isinstance(target, ast.Name) and target.id == name]
                yield from (value for target in named if (value := _given(part, target)) is not None)


def _is_moved_itself(frame: Frame, name: str) -> bool:
    """Whether a name is moved on after it was assigned: `total += n`."""
    return any(
        isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name) and part.target.id == name
        for part in _outside_of_while(frame.function.node if frame.function is not None else None)
    )


def _outside_of_while(node: ast.AST | None) -> Iterator[ast.AST]:
    pending = [node] if node is not None else []
    while pending:
        part = pending.pop()
        if not isinstance(part, ast.While):
            yield part
            pending.extend(ast.iter_child_nodes(part))


def _on_the_way(frame: Frame, node: ast.expr | None, path: str, passed: frozenset[str] = frozenset()) -> frozenset[str]:
    """The names of the function's own by way of which an expression is made of the number at the path."""
    named = {part.id for part in walk(node) if isinstance(part, ast.Name)} - passed if node is not None else set()
    found = {
        name: [value for value in _assigned(frame, name) if _made(frame, value, path, as_float=True) is not None]
        for name in named
    }
    return frozenset(name for name, values in found.items() if values).union(
        *(_on_the_way(frame, value, path, passed | named) for values in found.values() for value in values)
    )
