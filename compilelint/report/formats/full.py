"""For people: everything, one block per finding, or per cause of what a run showed."""

from __future__ import annotations

from compilelint.report.formats import Look, check_text, run_text
from compilelint.report.model import Report


def render(report: Report, look: Look) -> str:
    """The report of a check, or of a run if there was one."""
    show = check_text.render if report.run is None else run_text.render_run
    return show(report, color=look.color, width=look.width)
