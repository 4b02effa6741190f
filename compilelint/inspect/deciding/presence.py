"""Questions of which the answer is certain where something is compiled: that there is a torch."""

from __future__ import annotations

import ast

from compilelint.inspect.kinds import Const, Kind

_ASK = frozenset({"available", "installed", "importable"})
_FILL = frozenset({"is", "has", "check", "package", "module", "library"})
_TORCH = frozenset({"torch", "pytorch"})


def asks_for_torch(node: ast.Call, args: tuple[Kind, ...]) -> bool:
    """Whether a call, as it is spelled, asks if torch is there: `is_torch_available()`, `is_installed("torch")`.

    Torch itself is asked for its devices by such names: `torch.cuda.is_available()` names no library.
    """
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name) if len(args) < 2 and not node.keywords:
            pass
        case _:
            return False
    if not any(word in name for word in _ASK):  # of most calls this is all that is asked
        return False
    words = set(name.strip("_").split("_"))
    if not words & _ASK:
        return False
    about = words - _ASK - _FILL
    match args:
        case ():
            return len(about) == 1 and about <= _TORCH
        case (Const(value=str(library)),):
            return not about and library in _TORCH
        case _:
            return False
