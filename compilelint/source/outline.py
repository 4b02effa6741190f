"""The outline of a module: all but the bodies of its functions, which are parsed only when somebody looks into them.

Of a large module most walks need a few functions. Where the bodies of its functions stand is known once it was parsed
as a whole; from then on its outline, with a number in the place of each body, is parsed in a third of the time. And who
looked into some of its functions need not look again when another one changed.

A body that defines something belongs to the outline: what a module defines is found without looking into functions.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

from compilelint.source.index import flat_statements, node_key
from compilelint.source.model import ModuleIndex
from compilelint.source.watched import Body, BodyKey, Watch, WatchedFunction, watched


def watch(module: ModuleIndex, note: Callable[[BodyKey], None]) -> tuple[Body, ...]:
    """Watch the functions of a module that was parsed as a whole; gives the bodies that its outline leaves out."""
    # Where a body defines something, that has its function for a parent.
    parents = {info.parent for scope in (module.functions, module.classes) for info in scope.values()}
    common = Watch(module.name, module.lines, note)
    bodies: list[Body] = []
    for node in _functions(module.tree.body):
        first = node.body[0]
        stands_alone = not module.lines[first.lineno - 1][: first.col_offset].strip()
        if stands_alone and node_key(module.name, node) not in parents:
            body = Body(_first_line(node, module.lines), node.end_lineno or 0, node.end_col_offset or 0, _stores(node))
            watched(node, common, len(bodies), body)
            bodies.append(body)
    return tuple(bodies)


def outline_of(lines: Sequence[str], bodies: Sequence[Body]) -> list[str]:
    """The lines of a module, with a number in the place of each body and nothing in the rest of its lines."""
    outline = list(lines)
    for body in bodies:
        outline[body.first - 1] = placeholder(lines, body)
        outline[body.first : body.last] = [""] * (body.last - body.first)
    return outline


def placeholder(lines: Sequence[str], body: Body) -> str:
    """What stands in an outline for a body: a number, as deep as its first statement."""
    line = next(line for line in lines[body.first - 1 : body.last] if not _is_prose(line))
    return line[: len(line) - len(line.lstrip())] + "0"


def parse_outline(text: str, bodies: Sequence[Body]) -> ast.Module:
    """The outline of a text, of which these are the bodies. Raises what `ast.parse` does."""
    return ast.parse("\n".join(outline_of(text.split("\n"), bodies)))


def leave_out(module: ModuleIndex, bodies: Sequence[Body], note: Callable[[BodyKey], None]) -> None:
    """Watch the functions of a module of which the outline was parsed; their bodies wait until somebody asks."""
    numbers = {body.first: number for number, body in enumerate(bodies)}
    _leave_out(module.tree.body, numbers, bodies, Watch(module.name, module.lines, note))


def _leave_out(
    statements: Sequence[ast.stmt], numbers: Mapping[int, int], bodies: Sequence[Body], common: Watch
) -> None:
    for statement in statements:
        match statement:
            case ast.FunctionDef(body=[ast.Expr() as only]) if only.lineno in numbers:
                number = numbers[only.lineno]
                body = bodies[number]
                del statement.body
                watched(statement, common, number, body)
                statement.end_lineno, statement.end_col_offset = body.last, body.end_column
            case ast.ClassDef(body=inner):
                _leave_out(inner, numbers, bodies, common)
                if isinstance(inner[-1], WatchedFunction | ast.ClassDef):  # a class ends where what it ends with does
                    statement.end_lineno, statement.end_col_offset = inner[-1].end_lineno, inner[-1].end_col_offset


def _functions(statements: Sequence[ast.stmt]) -> Iterator[ast.FunctionDef]:
    for statement in statements:
        match statement:
            case ast.FunctionDef():
                yield statement
            case ast.ClassDef(body=inner):
                yield from _functions(inner)


def _first_line(node: ast.FunctionDef, lines: Sequence[str]) -> int:
    """Where the body of a function begins: comments before its first statement belong to it."""
    first = node.body[0].lineno
    if not _is_prose(lines[first - 2]):
        return first
    # A line of a text among the defaults may look like a comment.
    header = (*ast.iter_child_nodes(node.args), *filter(None, [node.returns]))
    after = max((getattr(part, "end_lineno", 0) for part in header), default=0)
    while first - 1 > max(after, node.lineno) and _is_prose(lines[first - 2]):
        first -= 1
    return first


def _is_prose(line: str) -> bool:
    return line.lstrip()[:1] in ("", "#")


def _stores(node: ast.FunctionDef) -> bool:
    for statement in flat_statements(node.body):
        match statement:
            case ast.Assign(targets=targets):
                if any(map(_is_of_object, targets)):
                    return True
            case ast.AnnAssign(target=ast.Attribute()) | ast.AugAssign(target=ast.Attribute()):
                return True
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="register_buffer" | "register_parameter"))):
                return True
    return False


def _is_of_object(target: ast.expr) -> bool:
    """Whether an attribute is among what is assigned to: `self.a, self.b = a, b`."""
    return isinstance(target, ast.Attribute) or (isinstance(target, ast.Tuple) and any(map(_is_of_object, target.elts)))
