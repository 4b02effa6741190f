"""What can be imported."""

from __future__ import annotations

import importlib.util
import sys

from compilelint.inspect.events import Event


def missing(event: Event) -> bool:
    """The package is neither in the standard library nor installed where the check runs.

    Only its top-level name is looked up, which imports nothing.
    """
    package = event.callee.partition(".")[0]
    if package in sys.stdlib_module_names or package in ("torch", "numpy"):
        return False
    try:
        return importlib.util.find_spec(package) is None
    except (ImportError, ValueError):
        return True
