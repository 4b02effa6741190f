"""Classes that inherit their `forward` and fill in what it calls: a template method, and its steps."""

from __future__ import annotations

import ast

from compilelint.inspect import classes
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import ProjectClass
from compilelint.inspect.parameters import first_parameter
from compilelint.source.model import ClassInfo, Key


def overrides_what_is_called(inspector: Inspector, info: ClassInfo, method: Key) -> bool:
    """Whether a method that a class inherits calls, itself or through others that it inherits, one of its own."""
    own = info.methods.keys() - {"__init__"}
    cls = ProjectClass(info.key, info.name)
    pending, seen = [method], {method}
    while own and pending:
        called = _called(inspector, pending.pop())
        if called & own:
            return True
        inherited = (classes.find_method(inspector, cls, name) for name in sorted(called))
        new = [key for key in inherited if key is not None and key not in seen]
        seen.update(new)
        pending += new
    return False


def _called(inspector: Inspector, method: Key) -> frozenset[str]:
    """The names of the methods that a method calls on its own object, as far as spelling tells."""
    function = inspector.tree.function(method)
    receiver = first_parameter(function.node) if function is not None else None
    if function is None or receiver is None:
        return frozenset()
    return frozenset(
        node.func.attr
        for node in ast.walk(function.node)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == receiver
    )
