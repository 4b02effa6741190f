"""Options of torch.compile that this or any torch refuses: keywords, backends, modes of other versions."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable, Iterator

from compilelint.regions.around import scope_kinds
from compilelint.regions.around.queries import compile_calls
from compilelint.regions.around.scopes import Scope
from compilelint.regions.usage import Usage

_COMPILE = "torch.compile"
_KEYWORDS = frozenset({"model", "fullgraph", "dynamic", "backend", "mode", "options", "disable"})
"""What torch.compile takes on every version."""
_NEWER_KEYWORDS = frozenset({"name", "recompile_limit", "isolate_recompiles", "dynamic_shapes"})
"""What it takes on some."""
_BACKENDS = (
    "inductor",
    "eager",
    "aot_eager",
    "aot_eager_decomp_partition",
    "aot_eager_default_partitioner",
    "aot_ts",
    "cudagraphs",
    "eager_debug",
    "eager_noexcept",
    "openxla",
    "pre_dispatch_eager",
    "tvm",
)
"""What comes with torch; other packages bring more."""
_GONE_BACKENDS = frozenset({"onnxrt"})
_NEWER_MODES = frozenset({"lite"})


def _refused_options(scope: Scope) -> Iterator[Usage]:
    for call in compile_calls(scope):
        if scope_kinds.is_reference(scope, call.func, _COMPILE):
            for keyword in call.keywords:
                construct = _refusal(keyword)
                if construct is not None:
                    yield Usage(construct, call, _COMPILE)


def _refusal(keyword: ast.keyword) -> str | None:
    """What is wrong with an option: on which versions, the evidence tells."""
    match keyword:
        case ast.keyword(arg=str(name)) if name in _NEWER_KEYWORDS:
            return f"keyword-{name}"
        case ast.keyword(arg=str(name)) if name not in _KEYWORDS:
            return "unknown-keyword"
        case ast.keyword(arg="backend", value=ast.Constant(value=str(backend))):
            if backend in _GONE_BACKENDS:
                return f"backend-{backend}"
            return "unknown-backend" if _is_misspelled(backend) else None
        case ast.keyword(arg="mode", value=ast.Constant(value=str(mode))) if mode in _NEWER_MODES:
            return f"mode-{mode}"
        case ast.keyword(arg="dynamic", value=ast.Constant(value=str())):
            return "dynamic-as-text"
        case _:
            return None


def _is_misspelled(backend: str) -> bool:
    """Whether this is nearly the name of one of torch's own; a name like no other may come from another package."""
    if backend in _BACKENDS:
        return False
    plain = backend.lower().replace("-", "_")
    return plain in _BACKENDS or bool(difflib.get_close_matches(plain, _BACKENDS, n=1, cutoff=0.85))


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_refused_options,)
