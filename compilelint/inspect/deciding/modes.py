"""The mode of a module, training or evaluation, that is handed on: `drop_path(x, self.drop_prob, self.training)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect.kinds import Python

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame


def is_mode(frame: Frame, node: ast.Name) -> bool:
    """Whether a name stands for `self.training` of some module: either value is as usual, whatever its default is."""
    kind = frame.inspector.peek(frame, node)
    return type(kind) is Python and kind.training
