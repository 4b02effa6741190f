"""What code asks of the operating system: most of what is compiled runs on Linux."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect import kinds

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame

_ATTRIBUTES = {"platform": ("sys", "linux"), "name": ("os", "posix"), "system": ("platform", "Linux")}
"""What names the system, the module that has it, and what it is called there; the last one is a function."""


def usual_name(frame: Frame, node: ast.expr) -> str | None:
    """What the system is mostly called, if this names it: `sys.platform`, `os.name`, `platform.system()`."""
    match node:
        case ast.Call(func=ast.Attribute(attr="system") as asked, args=[], keywords=[]):
            pass
        case ast.Attribute(attr="platform" | "name") as asked:
            pass
        case _:
            return None
    module, name = _ATTRIBUTES[asked.attr]
    if not isinstance(asked.value, ast.Name):
        return None
    return name if frame.inspector.peek(frame, asked.value) == kinds.Reference(module) else None
