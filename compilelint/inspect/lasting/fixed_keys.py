"""What a call puts into a dict under the same keys each time: `self.stats.update({"loss": loss})`.

From the second call on they are there, and the dict does not grow. Measured on torch 2.13: two graphs in six calls.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect.frame import Frame
from compilelint.source.nodes import walk


def adds_fixed_keys(frame: Frame, call: ast.Call) -> bool:
    """Whether all that a method of a dict adds goes by names that stand there."""
    match call:
        case ast.Call(func=ast.Attribute(attr="setdefault"), args=[ast.Constant(), *_]):
            return True
        case ast.Call(func=ast.Attribute(attr="update"), args=args, keywords=keywords):
            named = all(keyword.arg is not None for keyword in keywords)
            return bool(args or keywords) and named and all(_has_fixed_keys(frame, each) for each in args)
        case _:
            return False


def may_be_any_keys(call: ast.Call) -> bool:
    """Whether what a dict is updated by is made elsewhere: mostly it has the same keys in each call."""
    match call:
        case ast.Call(func=ast.Attribute(attr="update"), args=[ast.Name() | ast.Attribute() | ast.Call()]):
            return True
        case _:
            return False


def _has_fixed_keys(frame: Frame, value: ast.expr) -> bool:
    match value:
        case ast.Dict(keys=keys):
            return all(isinstance(key, ast.Constant) for key in keys)
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=keywords):
            return all(keyword.arg is not None for keyword in keywords)
        case ast.Name(id=name) if frame.function is not None:
            given = list(_given(frame.function.node, name))
            return bool(given) and all(
                not isinstance(each, ast.Name) and _has_fixed_keys(frame, each) for each in given
            )
        case _:
            return False


def _given(function: ast.AST, name: str) -> Iterator[ast.expr]:
    """What a name of a function stands for, and what becomes of it otherwise: that is no dict as it is written."""
    for part in walk(function):
        match part:
            case ast.Assign(targets=[ast.Name(id=bound)], value=value) if bound == name:
                yield value
            case ast.arg(arg=bound) if bound == name:
                yield ast.Name(name, ast.Load())
            case ast.Subscript(value=ast.Name(id=bound), slice=key, ctx=ast.Store()) if bound == name:
                yield ast.Dict([key], [key])
            case ast.Call(func=ast.Attribute(value=ast.Name(id=bound))) if bound == name:
                yield part
