"""What is counted where a call fills what it has not found: `if key not in TABLE: COUNT += 1; TABLE[key] = COUNT`.

It costs one more compilation for each key, as the table does itself: the calls after that find the key, and count
nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect import names
from compilelint.inspect.frame import Frame
from compilelint.inspect.lasting.first_calls import is_guarded
from compilelint.source.index import blocks, flat_statements


def is_counted_as_filled(frame: Frame, statement: ast.stmt) -> bool:
    """Whether a statement stands beside one that fills what outlives the call, under the same question."""
    return any(
        _outlives_calls(frame, target) and is_guarded(frame, target, statement)
        for beside in _beside(frame, statement)
        if isinstance(beside, ast.Assign)
        for target in beside.targets
    )


def _outlives_calls(frame: Frame, target: ast.expr) -> bool:
    match target:
        case ast.Attribute() | ast.Subscript(value=ast.Attribute()):
            return True
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)):
            return names.is_global(frame, name)
        case _:
            return False


def _beside(frame: Frame, statement: ast.stmt) -> Iterator[ast.stmt]:
    """The statements of the block that one stands in."""
    node = frame.function.node if frame.function is not None else None
    if node is None or isinstance(node, ast.Lambda):
        return
    inner = (block for each in flat_statements(node.body) for block in blocks(each))
    for block in (node.body, *inner):
        if any(each is statement for each in block):
            yield from block
