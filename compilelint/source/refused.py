"""What is wrong with a text that Python's parser refuses."""

from __future__ import annotations

import sys


def refusal(error: SyntaxError | ValueError) -> str:
    """What the parser says, and for which Python: what is refused may be the syntax of a newer one."""
    if isinstance(error, SyntaxError):
        return f"syntax error: {error.msg} (read as Python {sys.version_info.major}.{sys.version_info.minor})"
    return f"cannot be parsed: {error}"
