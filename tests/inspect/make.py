"""Small programs as the walk sees them: what their expressions are, and what happens in them."""

from __future__ import annotations

from textwrap import dedent, indent

from compilelint.inspect.events import Event
from compilelint.inspect.frame import Route
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Kind
from compilelint.inspect.knowledge import Knowledge
from compilelint.inspect.starting import run_root
from compilelint.regions import named_roots
from tests.source.make import tree

PRELUDE = """\
import collections.abc, functools, math, typing, torch, numpy as np, torch.nn.functional as F; from torch import nn
from torch import Tensor; from typing import (Annotated, Any, Callable, Iterator, List, Literal, Optional,
Sequence, Tuple, Union); import random
"""
PARAMETERS = "x: Tensor, y: Tensor, n: int, size: float, flag: bool, name: str, maybe: Optional[Tensor], what"
"""What the functions of `kind_of` and `happenings` are given."""


def inspector(code: str, **others: str) -> Inspector:
    """An inspector over `example.py` with this code, and the files beside it.

    It wants all events but calls of what these files define, which are entered.
    """
    files = {"example.py": PRELUDE + dedent(code), **{f"{name}.py": text for name, text in others.items()}}
    own = {"example", *others}
    return Inspector(
        Knowledge(tree(files)), lambda type_, callee: type_ != "call" or callee.partition(".")[0] not in own
    )


def run(found: Inspector, root: str = "f") -> Kind:
    """Inspect a function of `example.py` as a root; gives what it returns."""
    (start,) = named_roots(found, [f"example.py::{root}"])
    return run_root(found, start.function, Route((start.label,)))


def returned(code: str, root: str = "f", **others: str) -> Kind:
    """What a function of `example.py` returns when it is a root."""
    return run(inspector(code, **others), root)


def events(code: str, root: str = "f", *types: str, **others: str) -> list[Event]:
    """What happens when a function of `example.py` is a root; only these types of events, if any are named."""
    found = inspector(code, **others)
    run(found, root)
    return [event for event in found.events if not types or event.type in types]


def callees(code: str, root: str = "f", **others: str) -> list[str]:
    """The callees of all calls, in order."""
    return [event.callee for event in events(code, root, "call", **others)]


def function(body: str) -> str:
    """A function `f` with this body, and parameters of every sort."""
    return f"def f({PARAMETERS}):\n{indent(dedent(body).strip(), '    ')}\n"


def kind_of(expression: str, before: str = "pass", around: str = "") -> Kind:
    """The kind of an expression after these statements, in a function with parameters of every sort."""
    return returned(f"{dedent(around)}\n{function(f'{dedent(before).strip()}{chr(10)}return {expression}')}")


def happenings(body: str, *types: str, around: str = "") -> list[tuple[str, str]]:
    """(construct or callee, source) of what happens in a function with this body and parameters of every sort."""
    found = events(f"{dedent(around)}\n{function(body)}", "f", *types)
    return [(event.construct or event.callee, event.source) for event in found]


def branches(body: str, around: str = "") -> list[tuple[str, str]]:
    """(construct, source) of the conditions in such a function that a tensor's data may decide."""
    return happenings(body, "branch", around=around)


def in_forward(expression: str, init: str = "pass", body: str = "", around: str = "", **others: str) -> Kind:
    """The kind of an expression in the `forward` of a module, after this `__init__` and with these methods."""
    code = f"""
{around}
class Net(nn.Module):
    {body or "pass"}
    def __init__(self, config, width: int, scale=1.0, maybe=None):
        super().__init__()
        {init}
    def forward(self, x: Tensor):
        return {expression}
"""
    return returned(code, "Net.forward", **others)
