"""Whether what is made is made to require a gradient, where a flag decides: `torch.zeros(n, requires_grad=learn)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.deciding.written_values import default_of
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call
    from compilelint.inspect.frame import Frame

_OPTION = "requires_grad"
_SETS = "torch.Tensor.requires_grad_"
_ASKED = frozenset({_SETS, "torch.ones", "torch.zeros", "torch.zeros_like"})
"""What is asked for a gradient and does nothing else that breaks the graph, as making a sparse tensor does."""
_OF_TRAINING = frozenset({"training", "is_grad_enabled"})
"""What is true wherever a model is trained."""


def sureness_of_flag(frame: Frame, name: str, call: Call) -> Confidence:
    """How sure it is that a call is asked for a gradient: of a parameter that is False by default it is not, and what
    another tensor says of itself (`requires_grad=x.requires_grad`) is True for some inputs only."""
    if name not in _ASKED:
        return Confidence.HIGH
    kind = call.keywords.get(_OPTION)
    if kind is None and name == _SETS and call.args:
        kind = call.args[0]
    if kind != kinds.BOOL or not isinstance(call.node, ast.Call):
        return Confidence.HIGH
    named = (keyword.value for keyword in call.node.keywords if keyword.arg == _OPTION)
    given = next(named, call.node.args[0] if name == _SETS and call.node.args else None)
    return Confidence.HIGH if given is None else _sureness(frame, given)


def _sureness(frame: Frame, given: ast.expr) -> Confidence:
    if any(isinstance(part, ast.Attribute) and part.attr in _OF_TRAINING for part in walk(given)):
        return Confidence.HIGH
    match given:
        case ast.Name(id=name) if frame.function is not None:
            default = default_of(frame.function.node, name)
            if not isinstance(default, ast.Constant):
                return Confidence.MEDIUM
            return Confidence.HIGH if default.value else Confidence.LOW
        case _:
            return Confidence.MEDIUM
