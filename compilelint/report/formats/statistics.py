"""For people: how often each rule matched, instead of each finding."""

from __future__ import annotations

from compilelint.report.formats import Look
from compilelint.report.formats.check_text import render_statistics
from compilelint.report.model import Report


def render(report: Report, look: Look) -> str:
    """Counts per rule, the most frequent first, and the summary."""
    return render_statistics(report, color=look.color)
