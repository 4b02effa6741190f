"""The formats that a report can have: one module each, a pure function from a report to text.

Every module has `render(report, look)`, which returns text that ends in a newline, or, where a service takes only so
much, text with what was left out. What a format needs of the report it says here, so that nothing is read or described
for those that do not need it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from compilelint.report.model import Report

Base = Literal["here", "project", "repository"]
"""What paths are relative to: the current directory, for people who click on them; the project; the repository, for
services that show its files."""


@dataclass(frozen=True, slots=True)
class Look:
    """How text is laid out."""

    color: bool = False
    width: int = 100
    """In terminal cells."""


class Rendered(NamedTuple):
    """A report in some format."""

    text: str
    left_out: str = ""
    """What is not in it, for the format's limits, in one sentence without a full stop; empty if all is."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format, not yet loaded."""

    module: str
    base: Base
    rules: bool = False
    """It needs `Report.rules`."""
    texts: bool = False
    """It needs `Report.texts`."""
    sources: bool = False
    """It needs `Report.sources`."""
    timed: str = ""
    """Where it tells how long the work took, what stands before that where this comes first; else empty."""

    def load(self) -> Callable[[Report, Look], str | Rendered]:
        """Import what renders it."""
        render: Callable[[Report, Look], str | Rendered] = importlib.import_module(f"{__name__}.{self.module}").render
        return render

    def render(self, report: Report, look: Look) -> Rendered:
        """The report in this format, ending in a newline."""
        found = self.load()(report, look)
        return found if isinstance(found, Rendered) else Rendered(found)


FORMATS: Mapping[str, Format] = {
    "full": Format("full", "here"),
    "concise": Format("concise", "here"),
    "grouped": Format("grouped", "here"),
    "statistics": Format("statistics", "here"),
    "json": Format("json", "project", timed='"duration_s": '),
    "json-lines": Format("json_lines", "project", timed='"duration_s": '),
    "sarif": Format("sarif", "repository", rules=True, texts=True),
    "github": Format("github", "repository", texts=True),
    "gitlab": Format("gitlab", "repository", texts=True),
    "junit": Format("junit", "repository", timed=' time="'),
    "markdown": Format("markdown", "repository"),
    "html": Format("html", "project", rules=True, sources=True),
}
ALIASES: Mapping[str, str] = {"text": "full"}


def format_of(name: str) -> Format:
    """The format of a name, or of another name for it; KeyError if there is none."""
    return FORMATS[ALIASES.get(name, name)]
