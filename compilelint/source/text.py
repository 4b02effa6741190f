"""One file's text, as it enters the index."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class SourceText:
    """A Python file that was read; line ends are `\\n`."""

    name: str
    """Path relative to the project root with `/`; outside the root an absolute path with `/`."""
    path: Path
    text: str
