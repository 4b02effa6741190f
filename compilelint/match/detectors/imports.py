"""What can be imported."""

from __future__ import annotations

import importlib.util
import sys

from compilelint.inspect.events import Event


def missing(event: Event) -> bool:
    """The package is neither in the standard library nor installed where the check runs.

    Only its top-level name is looked up, which imports nothing. Where torch itself is missing (in an environment of
    pre-commit's) the environment is not the one that the code runs in, and proves nothing.
    """
    package = event.callee.partition(".")[0]
    if package in sys.stdlib_module_names or package in ("torch", "numpy"):
        return False
    return not _is_installed(package) and _is_installed("torch")


def _is_installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except (ImportError, ValueError):
        return False
