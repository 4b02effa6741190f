"""A module is compiled in place, as `Module.compile` does it."""

from __future__ import annotations

import importlib
from typing import Any

_EXTERNAL = "torch._dynamo.external_utils"


def compile_in_place(module: Any) -> None:
    """Compile the calls of a module; also of one whose `forward` is torch's own, which `module.compile()` does not.

    Dynamo leaves out torch's code where it is the outermost frame (rules/CL605); `torch.compile(module)` puts a frame
    around it, and so does this.
    """
    defined_in = getattr(type(module).forward, "__module__", None) or ""
    if not defined_in.startswith("torch."):
        module.compile()
        return
    wrap_inline = importlib.import_module(_EXTERNAL).wrap_inline
    module._compiled_call_impl = importlib.import_module("torch").compile(wrap_inline(module._call_impl))


def without_frame(function: Any) -> Any:
    """The function that such a frame was put around; any other as it is."""
    code = getattr(function, "__code__", None)
    if code is None or not code.co_filename.endswith(_EXTERNAL.replace(".", "/") + ".py"):
        return function
    return getattr(function, "__wrapped__", function)
