"""For a browser: one file with all that is known, to be opened from disk."""

from __future__ import annotations

from compilelint.report.formats import Look
from compilelint.report.html.page import render_page
from compilelint.report.model import Report


def render(report: Report, look: Look) -> str:
    """The report of a check, or of a run if there was one, as an HTML document."""
    return render_page(report)
