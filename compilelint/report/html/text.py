"""Plain text as it stands in a page."""

from __future__ import annotations

import re
from datetime import datetime, timezone

from markupsafe import Markup, escape

from compilelint.report.terminal.cells import printable

_CODE = re.compile(r"`([^`]+)`")
_IMMEDIATE = 0.0005
"""Seconds: less than this is shown as nothing."""


def shown(value: object) -> object:
    """A value that a template prints, with what would hide or reorder text spelled out; markup stays what it is."""
    return printable(value) if type(value) is str else value


def prose(text: str) -> Markup:
    """A sentence, with what it has in backticks as code."""
    parts = _CODE.split(printable(text))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if index % 2 else escape(part) for index, part in enumerate(parts)
    )


def seconds(value: float) -> str:
    """`12.3 s`, `0.46 s`, `4 ms`: as many digits as say something."""
    if value < _IMMEDIATE:
        return "0 s"
    if value < 0.0995:
        return f"{value * 1000:.0f} ms"
    return f"{value:.2f} s" if value < 0.995 else f"{value:.1f} s"


def share(part: float, whole: float) -> float:
    """Percent of a whole, from 0 to 100."""
    return min(max(100.0 * part / whole, 0.0), 100.0) if whole > 0 else 0.0


def percent(value: float) -> str:
    """`28 %`; what is there, but less than one, is `< 1 %`."""
    return "< 1 %" if 0 < value < 1 else f"{value:.0f} %"


def moment_of_day(epoch: float) -> str:
    """`2026-05-04 12:30 UTC` of seconds since the epoch."""
    return datetime.fromtimestamp(epoch, timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
