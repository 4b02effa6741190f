"""Decisions that a page's table cannot declare: one function for each, from an event to yes or no."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache

from compilelint.inspect.events import Event


@cache
def find(name: str) -> Callable[[Event], bool]:
    """The detector `module:function` below this package. Raises LookupError if there is none."""
    module_name, _, function_name = name.partition(":")
    try:
        module = importlib.import_module(f"{__name__}.{module_name}")
        detector: Callable[[Event], bool] = getattr(module, function_name)
    except (ImportError, AttributeError):
        raise LookupError(f"no detector {name!r}") from None
    return detector
