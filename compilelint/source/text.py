"""One file's text, as it enters the index."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct


class SourceText(Struct, frozen=True):
    """A Python file, or the Python of a notebook, that was read; line ends are `\\n`."""

    name: str
    """Path relative to the project root with `/`; outside the root an absolute path with `/`."""
    path: Path
    text: str
    written: str | None = None
    """The same lines as their author wrote them, where they are not all Python (the magics of a notebook)."""

    @property
    def identity(self) -> str:
        """What tells it from another text: all that is walked and shown."""
        return self.text if self.written is None else f"{self.text}\0{self.written}"

    def line(self, number: int) -> str:
        """A line as its author wrote it; empty past the last."""
        lines = (self.text if self.written is None else self.written).split("\n")
        return lines[number - 1] if number <= len(lines) else ""
