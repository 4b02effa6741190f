"""Where a report goes: to standard output in one format, and to files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from compilelint.cli.terminal import wants_color, width

if TYPE_CHECKING:
    from compilelint.run_report import RunResult

_FILE_WIDTH = 100
"""Columns of a text report in a file."""

Render = Callable[[bool, int], str]
"""With color? How wide?"""


def deliver(renders: Mapping[str, Render], shown: str, files: Sequence[tuple[str, Path]]) -> None:
    """Print the report in the format `shown`, and write it to files.

    Raises click.ClickException if a file cannot be written, once all else is delivered.
    """
    sys.stdout.write(renders[shown](wants_color(sys.stdout), width()))
    failures: list[str] = []
    for name, file in files:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(renders[name](False, _FILE_WIDTH), encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            failures.append(f"{file}: {error.strerror or error}")
    if failures:
        raise click.ClickException("; ".join(failures))


def deliver_run(result: RunResult, shown: str, files: Sequence[tuple[str, Path]]) -> None:
    """`deliver` the report of a run."""
    deliver(
        {"text": lambda color, columns: _text(result, color, columns), "json": lambda *_: _json(result)}, shown, files
    )


def _text(result: RunResult, color: bool, columns: int) -> str:
    from compilelint.report.text_run import render_run
    from compilelint.run_report import seen_from

    return render_run(seen_from(result, Path.cwd()), color=color, width=columns)


def _json(result: RunResult) -> str:
    from compilelint.report import json

    return json.render(result.report)
