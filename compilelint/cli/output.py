"""Where a report goes: to standard output in one format, and to files."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import click

from compilelint.cli.terminal import wants_color, width
from compilelint.report.formats import Look, Rendered, format_of

if TYPE_CHECKING:
    from compilelint.catalog import Rule
    from compilelint.report.model import Report

Outputs = tuple[tuple[str, Path], ...]
"""Formats, and the files that they go to."""


class Result(Protocol):
    """What a command comes to."""

    @property
    def report(self) -> Report: ...

    @property
    def root(self) -> Path:
        """The directory that the report's paths are relative to."""

    @property
    def rules(self) -> Sequence[Rule]:
        """Those that may be named in it."""


class Delivered(NamedTuple):
    """What was printed."""

    output: str
    warnings: tuple[str, ...]
    """Of what formats leave out."""


def load(names: Iterable[str]) -> None:
    """Import what `deliver` needs for these formats, so that it need not then."""
    from compilelint import rendering  # noqa: F401

    for name in names:
        format_of(name).load()


def deliver(result: Result, shown: str, files: Outputs) -> Delivered:
    """Print the report in the format `shown`, and write it to files. What a format leaves out, standard error says.

    Raises click.ClickException if a file cannot be written, once all else is delivered.
    """
    printed = _rendered(result, shown, Look(wants_color(sys.stdout), width()))
    sys.stdout.write(printed.text)
    left_out = [(shown, printed.left_out)]
    failures: list[str] = []
    for name, file in files:
        written = _rendered(result, name, Look())
        left_out.append((name, written.left_out))
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(written.text, encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            failures.append(f"{file}: {(error.strerror or str(error)).lower()}")
    warnings = tuple(f"{name}: {what}" for name, what in left_out if what)
    warn(warnings)
    if failures:
        raise click.ClickException("; ".join(failures))
    return Delivered(printed.text, warnings)


def warn(warnings: Iterable[str]) -> None:
    """Say what the user should know and no report says."""
    for warning in warnings:
        click.echo(f"warning: {warning}", err=True)


def _rendered(result: Result, name: str, look: Look) -> Rendered:
    from compilelint.rendering import rendered  # a traced program waits for what is imported before it runs

    return rendered(result.report, result.root, result.rules, name, look)
