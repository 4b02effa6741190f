"""Finds what makes torch.compile break, recompile or give up, before it runs, and proves it after.

Importing this package imports nothing else: not torch, not a third-party library, not its own rooms.
`record`, `assert_compiles` and `CompileFailure` come from `compilelint.api` when they are asked for.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from compilelint.api import CompileFailure as CompileFailure
    from compilelint.api import assert_compiles as assert_compiles
    from compilelint.api import record as record

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    if name in ("CompileFailure", "assert_compiles", "record"):
        from importlib import import_module

        api: object = import_module("compilelint.api")
        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
