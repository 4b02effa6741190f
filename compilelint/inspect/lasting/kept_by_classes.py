"""What calls leave on a class, which lives as long as a global does: `cls.tables[n] = …`, `Table.cached = …`."""

from __future__ import annotations

import ast

from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Kind, ProjectClass
from compilelint.inspect.members import classes


def report_fill(
    frame: Frame, statement: ast.stmt, owner: Kind | None, target: ast.Attribute | ast.Subscript, construct: str
) -> None:
    """Report where a call fills what a class lacks, or an item of what it keeps; not what other objects lack."""
    kept = target.value if isinstance(target, ast.Subscript) else target
    if not isinstance(owner, ProjectClass) or not isinstance(kept, ast.Attribute):
        return
    if isinstance(target, ast.Subscript) or _starts_as_none(frame, owner, kept.attr):
        info = frame.inspector.tree.class_(owner.key)
        name = info.name if info is not None else ""
        frame.emit("global-write", statement, callee=f"{name}.{kept.attr}", construct=construct)


def _starts_as_none(frame: Frame, cls: ProjectClass, attr: str) -> bool:
    """Whether the body of a class leaves an attribute to be filled: `table = None`."""
    default = classes.default(frame.inspector, cls, attr)
    return isinstance(default, ast.Constant) and default.value is None
