"""Comparisons of what changes from call to call: of numbers and texts they are a `bool`, of tensors a tensor."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes.possible_tensors import may_be_tensor
from compilelint.regions.changes.variations import Variation

_GIVE_TENSORS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
"""Operators that are a tensor where one of their sides is."""


def variation_of(
    scope: Scope, op: ast.cmpop, sides: Sequence[ast.expr], changes: Sequence[Variation | None]
) -> Variation | None:
    """What changes about `step > 3`, and about `torch.rand(n) > 0.2`, of which only the size does."""
    found = next((each for each in changes if each is not None), None)
    if found is None:
        return None
    if isinstance(op, _GIVE_TENSORS):
        sized = next((each for each in changes if each is not None and each.what in ("shape", "kind")), None)
        if sized is not None:
            return sized
        if any(each is None and may_be_tensor(scope, side) for side, each in zip(sides, changes, strict=True)):
            return None
    return Variation("bool", 2)
