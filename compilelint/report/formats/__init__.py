"""The formats that a report can have: one module each, a pure function from a report to text.

Every module has `render(report, look)`. What a format needs of the report it says here, so that nothing is read or
described for those that do not need it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

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


@dataclass(frozen=True, slots=True)
class Format:
    """A format, not yet loaded."""

    module: str
    base: Base
    rules: bool = False
    """It needs `Report.rules`."""

    def render(self, report: Report, look: Look) -> str:
        """The report in this format, ending in a newline."""
        found: Callable[[Report, Look], str] = importlib.import_module(f"{__name__}.{self.module}").render
        return found(report, look)


FORMATS: Mapping[str, Format] = {
    "full": Format("full", "here"),
    "statistics": Format("statistics", "here"),
    "json": Format("json", "project"),
}
ALIASES: Mapping[str, str] = {"text": "full"}


def format_of(name: str) -> Format:
    """The format of a name, or of another name for it; KeyError if there is none."""
    return FORMATS[ALIASES.get(name, name)]
