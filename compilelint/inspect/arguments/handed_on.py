"""What is assumed of items of a root's arguments, where the root hands on what holds them: `self.embed(data)`."""

from __future__ import annotations

import ast

from compilelint.inspect import kinds
from compilelint.inspect.arguments.passed_on import given_by
from compilelint.inspect.arguments.usage import item_path
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Kind


def items(frame: Frame, callee: kinds.Function, node: ast.AST) -> tuple[tuple[str, Kind], ...]:
    """What a call's callee may assume of its arguments, by path with the names of its own parameters."""
    info = frame.inspector.tree.function(callee.key)
    if info is None or not isinstance(node, ast.Call):
        return ()
    found: list[tuple[str, Kind]] = []
    for parameter, argument in given_by(info.node, node, is_method=callee.receiver is not None):
        whole = item_path(argument)
        if whole is not None:
            below = (f"{whole}.", f"{whole}[")
            found.extend(
                (parameter.arg + path.removeprefix(whole), kind)
                for path, kind in frame.assumed
                if path.startswith(below) and frame.env.get(path) == kind
            )
    return tuple(found)
