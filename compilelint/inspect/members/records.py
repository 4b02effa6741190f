"""Records: dataclasses and the like, whose `__init__` nobody writes; what they are made with is what they hold."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind, ProjectClass
from compilelint.inspect.members import attributes, classes
from compilelint.inspect.members.written_inits import is_record
from compilelint.report.confidence import Confidence

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector


def fields(inspector: Inspector, cls: ProjectClass) -> tuple[str, ...]:
    """The fields that the `__init__` of a record takes, in order; none where somebody has written one."""
    return inspector.derived(("fields", cls.key), lambda: _fields(inspector, cls))


def how_surely_of_tensors(inspector: Inspector, kind: Kind) -> Confidence | None:
    """How sure it is that something is a record that holds a tensor; None where no field is seen to be one."""
    if not isinstance(kind, kinds.Instance):
        return None
    values = (attributes.instance_attribute(inspector, kind, name) for name in fields(inspector, kind.cls))
    tensors = (kinds.tensor_part(value) for value in values)
    return max((tensor.confidence for tensor in tensors if tensor is not None), default=None)


def _fields(inspector: Inspector, cls: ProjectClass) -> tuple[str, ...]:
    if classes.find_method(inspector, cls, "__init__") is not None:
        return ()
    is_tuple = "typing.NamedTuple" in classes.external_bases(inspector, cls)
    found: dict[str, None] = {}
    for base in reversed(classes.mro(inspector, cls)):
        info = inspector.tree.class_(base.key) if isinstance(base, ProjectClass) else None
        if info is not None and (is_tuple or is_record(inspector, info.key)):
            found |= dict.fromkeys(name for name, each in info.attributes.items() if _is_field(each.annotation))
    return tuple(found)


def _is_field(annotation: ast.expr | None) -> bool:
    """Whether an annotated name is one of each object, and not `ClassVar[…]`."""
    return annotation is not None and "ClassVar" not in ast.unparse(annotation)
