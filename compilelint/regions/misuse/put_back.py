"""Methods that a file compiles by themselves and puts back: `model.encode = torch.compile(model.encode)`.

Of a wrapper, too: it hands what is set on to the original, so that `model.encode(x)` runs what was compiled.
"""

from __future__ import annotations

import ast

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.regions.around.scopes import Scope
from compilelint.regions.starts.compiled_attributes import choices
from compilelint.source.model import ModuleIndex
from compilelint.source.nodes import walk


def compiled_by_themselves(scope: Scope) -> frozenset[str]:
    """The names of the methods that the file compiles and puts back, on whatever object."""
    module = scope.module
    return scope.inspector.derived(("put back", module.name), lambda: _put_back(scope.inspector, module))


def _put_back(inspector: Inspector, module: ModuleIndex) -> frozenset[str]:
    return frozenset(
        attr
        for node in walk(module.tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Attribute)
        for attr in (target.attr,)
        if any(_compiles(inspector, module, choice, attr) for choice in choices(node.value))
    )


def _compiles(inspector: Inspector, module: ModuleIndex, value: ast.expr, name: str) -> bool:
    """Whether a value is what `torch.compile` makes of the attribute of that name."""
    match value:
        case ast.Call(func=func, args=[ast.Attribute(attr=attr), *_]) if attr == name:
            return inspector.evaluate_globally(module, func) == kinds.Reference("torch.compile")
        case _:
            return False
