"""What GitHub's code scanning takes, and what it keeps of that.

Source: docs.github.com, "SARIF support for code scanning" and "SARIF results exceed one or more limits". A file beyond
a hard limit is refused; beyond what is kept, GitHub chooses what to drop. So nothing goes beyond what is kept, and we
choose.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of each there may be."""

    results: int = 5_000
    """Of a run. Beyond 25,000 the file is refused."""
    locations: int = 100
    """Of a result, related ones too. Beyond 1,000 the file is refused."""
    flow_locations: int = 1_000
    """Of a result, in all its flows. Beyond 10,000 the file is refused."""
    tags: int = 10
    """Of a rule. Beyond 20 the file is refused."""
    name: int = 255
    """Characters of a rule's name."""
    description: int = 1024
    """Characters of a rule's short and of its full description."""
    compressed: int = 10 * 1000 * 1000
    """Bytes of the whole file, as gzip."""


GITHUB = Limits()


def shortened(text: str, most: int) -> str:
    """The text, or as many of its characters as there may be, the last one an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
