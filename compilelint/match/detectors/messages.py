"""What a program logs."""

from __future__ import annotations

from compilelint.inspect.events import Event
from compilelint.report.confidence import Confidence


def shown_by_default(event: Event) -> Confidence:
    """A message for developers, which programs in production often leave out."""
    return Confidence.MEDIUM
