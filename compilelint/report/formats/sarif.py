"""SARIF 2.1.0: for code scanning on GitHub, and for editors and services that read it."""

from __future__ import annotations

import gzip
import json

from compilelint.report.alerts import Alert, alerts, by_gravity, in_files
from compilelint.report.formats import Look, Rendered
from compilelint.report.model import Report
from compilelint.report.sarif.limits import GITHUB, Limits
from compilelint.report.sarif.log import log


def render(report: Report, look: Look) -> Rendered:
    """One run, its results the gravest first, as many as GitHub keeps. Paths must be those of the repository."""
    return within(GITHUB, report)


def within(limits: Limits, report: Report) -> Rendered:
    """As many results as these limits allow, of all together and of the size of the file."""
    every = in_files(by_gravity(alerts(report)), report.texts)
    kept = min(len(every), limits.results)
    rendered = _rendered(report, every, kept)
    while kept and _is_longer(rendered.text, limits.compressed):
        kept //= 2
        rendered = _rendered(report, every, kept)
    return rendered


def _rendered(report: Report, every: tuple[Alert, ...], kept: int) -> Rendered:
    left_out = f"GitHub takes no more: {len(every) - kept} of {len(every)} results are left out, the gravest are here"
    said = left_out if kept < len(every) else ""
    return Rendered(json.dumps(log(report, every[:kept], said), indent=1) + "\n", said)


def _is_longer(text: str, most: int) -> bool:
    return len(text) > most and len(gzip.compress(text.encode("ascii"))) > most
