"""What is wrong with a rule page."""

from __future__ import annotations


class PageError(ValueError):
    """A rule page is not as docs/writing-rules.md says; `line` is 1-based."""

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path = path
        self.line = line
        self.message = message
