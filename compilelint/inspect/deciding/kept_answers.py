"""Attributes by which `__init__` keeps what torch has, and nobody sets anew: `self.flash = hasattr(F, "…")`.

What is written out, `self.gradient_checkpointing = False`, is there to be set by who uses the model.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.deciding.written_once import attribute_written
from compilelint.inspect.kinds import Const, ProjectClass
from compilelint.inspect.members import classes
from compilelint.source.model import FunctionInfo
from compilelint.source.watched import says

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector


def kept_answer(inspector: Inspector, cls: ProjectClass, name: str) -> Const | None:
    """What such an attribute of an object of a class holds; None for all others."""
    asks = inspector.derived(
        ("asks torch", cls.key), lambda: any(_asks(inspector, method) for method in classes.methods(inspector, cls))
    )
    match attribute_written(inspector, cls, name) if asks else None:
        case (frame, ast.Call(func=ast.Name(id="hasattr")) as question):
            answer = inspector.peek(frame, question)
            return answer if isinstance(answer, kinds.Const) else None
        case _:
            return None


def _asks(inspector: Inspector, method: FunctionInfo) -> bool:
    """Whether it is an `__init__` that asks whether something has an attribute: most do not."""
    module = inspector.tree.module(method.key[0]) if method.qualname.endswith(".__init__") else None
    return module is not None and says(method.node, module.lines, "hasattr(")
