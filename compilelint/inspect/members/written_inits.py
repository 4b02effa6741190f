"""Classes whose `__init__` a decorator writes: dataclasses and the like."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.source.model import Key

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_MAKERS = frozenset(
    {
        "attr.attrs",
        "attr.define",
        "attr.frozen",
        "attr.s",
        "attrs.define",
        "attrs.frozen",
        "chex.dataclass",
        "dataclasses.dataclass",
        "pydantic.dataclasses.dataclass",
    }
)
"""What writes an `__init__` that takes the fields in order."""


def is_record(inspector: Inspector, cls: Key) -> bool:
    """Whether one of a class's own decorators makes its fields what `__init__` takes."""
    return inspector.derived(("is record", cls), lambda: _is_record(inspector, cls))


def _is_record(inspector: Inspector, cls: Key) -> bool:
    module, info = inspector.tree.module(cls[0]), inspector.tree.class_(cls)
    if module is None or info is None:
        return False
    targets = [
        node.func if isinstance(node, ast.Call) else node for node in info.node.decorator_list if not _writes_none(node)
    ]
    return any(
        isinstance(option, kinds.Reference) and option.name in _MAKERS
        for target in targets
        for option in kinds.options(inspector.evaluate_globally(module, target))
    )


def _writes_none(decorator: ast.expr) -> bool:
    """Whether a decorator says `init=False`: it leaves `__init__` to the class and its bases."""
    return isinstance(decorator, ast.Call) and any(
        each.arg == "init" and isinstance(each.value, ast.Constant) and each.value.value is False
        for each in decorator.keywords
    )
