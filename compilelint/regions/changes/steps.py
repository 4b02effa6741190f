"""Numbers that a statement moves on: `step += 1`."""

from __future__ import annotations

import ast

from compilelint.inspect import kinds, names
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes.variations import Variation


def moves_on(scope: Scope, target: ast.expr, value: ast.expr) -> Variation | None:
    """What `target += value` changes, where that is no float."""
    if not isinstance(value, ast.Constant) or isinstance(value.value, bool) or not isinstance(value.value, int):
        return None
    if isinstance(target, ast.Name):
        kind = names.global_kind(scope.inspector, scope.module, target.id)
    else:
        kind = kind_at(scope, target)
    is_float = isinstance(kind, kinds.Const | kinds.Python) and kinds.type_name(kind) == "float"
    return None if is_float else Variation("int")
