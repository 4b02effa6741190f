"""A report in one of its formats, with all that the format needs of files and rules."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from compilelint.catalog import Rule
from compilelint.report.formats import Base, Look, Rendered, format_of
from compilelint.report.model import Report
from compilelint.report.views import seen_from


def rendered(report: Report, root: Path, rules: Iterable[Rule], name: str, look: Look) -> Rendered:
    """The report in the format of this name; KeyError if there is none.

    The report's paths are relative to `root`; `rules` are those that it may name.
    """
    wanted = format_of(name)
    base = _base(wanted.base, root)
    shown = seen_from(report, root, base)
    # Most formats need none of these.
    if wanted.rules:
        from compilelint.catalog.describe import described

        shown = described(shown, rules)
    if wanted.texts:
        from compilelint.project.texts import with_texts

        shown = with_texts(shown, base)
    if wanted.sources:
        from compilelint.project.sources import with_sources

        shown = with_sources(shown, base)
    return wanted.render(shown, look)


def _base(base: Base, root: Path) -> Path:
    if base == "here":
        return Path.cwd()
    above = (root, *root.parents) if base == "repository" else ()
    return next((directory for directory in above if (directory / ".git").exists()), root)
