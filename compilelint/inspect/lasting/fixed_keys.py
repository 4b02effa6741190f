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
            made = list(_made(frame.function.node, name))
            written = all(isinstance(each, ast.Dict | ast.Call) and _has_fixed_keys(frame, each) for each in made)
            return bool(made) and written and not any(_may_add(part, name) for part in walk(frame.function.node))
        case _:
            return False


def _made(function: ast.AST, name: str) -> Iterator[ast.expr]:
    """What a function gives a name."""
    for part in walk(function):
        match part:
            case ast.Assign(targets=[ast.Name(id=bound)], value=value) if bound == name:
                yield value


def _may_add(node: ast.AST, name: str) -> bool:
    """Whether a dict of this name may have other keys than it was made with: a caller gives it, or more is put in."""
    match node:
        case ast.arg(arg=bound) | ast.Call(func=ast.Attribute(value=ast.Name(id=bound))):
            return bound == name
        case ast.Subscript(value=ast.Name(id=bound), slice=key, ctx=ast.Store()):
            return bound == name and not isinstance(key, ast.Constant)
        case _:
            return False
