"""Colours by role, so that the layout need not know whether there are any."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

Role = Literal["path", "error", "warning", "info", "gutter", "note", "good", "bold"]
Paint: TypeAlias = Callable[[str, Role], str]

_CODES: dict[Role, str] = {
    "path": "1",
    "bold": "1",
    "error": "1;31",
    "warning": "1;33",
    "info": "1;36",
    "gutter": "1;34",
    "note": "1;36",
    "good": "1;32",
}


def plain(text: str, role: Role) -> str:
    """The text as it is."""
    return text


def ansi(text: str, role: Role) -> str:
    """The text in the role's colour, by ANSI escape codes."""
    return f"\x1b[{_CODES[role]}m{text}\x1b[0m"
