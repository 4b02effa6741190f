"""What a call gives to an attribute before it asks for it: `self.state = state`, and then `if self.state is None:
self.state = …`. What the call before has left there is not asked for."""

from __future__ import annotations

import ast

from compilelint.inspect.frame import Frame, path_of
from compilelint.source.index import blocks
from compilelint.source.nodes import walk


def is_given_first(frame: Frame, target: ast.Attribute, statement: ast.stmt) -> bool:
    """Whether an attribute is given a value on each way to where it is asked for: by a statement, or by a condition
    around it."""
    if frame.function is None or isinstance(frame.function.node, ast.Lambda) or path_of(target) not in frame.replaced:
        return False
    block, is_given = frame.function.node.body, False
    while True:
        outer = None
        for each in block:
            if _holds(each, statement):
                outer = each
                break
            is_given = is_given or _gives(each, target)
        if outer is None or outer is statement or (isinstance(outer, ast.If) and _names(outer.test, target.attr)):
            return is_given and outer is not None and _asks(outer, target)
        block = next((inner for inner in blocks(outer) if any(_holds(each, statement) for each in inner)), [])


def _asks(statement: ast.stmt, target: ast.Attribute) -> bool:
    match statement:
        case ast.If(test=asked) | ast.Assign(value=asked):
            return _names(asked, target.attr)
        case _:
            return False


def _holds(outer: ast.stmt, inner: ast.stmt) -> bool:
    return outer.lineno <= inner.lineno <= (outer.end_lineno or outer.lineno)


def _gives(statement: ast.stmt, target: ast.Attribute) -> bool:
    """Whether a statement assigns to an attribute, and not what it finds there."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
        return False
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    elements = [part for each in targets for part in (each.elts if isinstance(each, ast.Tuple) else [each])]
    path = path_of(target)
    return any(isinstance(each, ast.Attribute) and path_of(each) == path for each in elements) and not _names(
        statement.value, target.attr
    )


def _names(node: ast.expr, attr: str) -> bool:
    """Whether an expression has the name of an attribute anywhere: as one, or as the text that `getattr` is given."""
    return any(
        attr == (part.attr if isinstance(part, ast.Attribute) else part.value)
        for part in walk(node)
        if isinstance(part, ast.Attribute | ast.Constant)
    )
