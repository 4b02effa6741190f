"""`compilelint report`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from compilelint.cli.terminal import wants_color, width

if TYPE_CHECKING:
    from compilelint.run_report import RunResult


def _paths(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[Path, ...]:
    return tuple(map(Path, values))


def _path(ctx: click.Context, param: click.Parameter, value: str | None) -> Path | None:
    return Path(value) if value is not None else None


@click.command(short_help="Show recorded sessions again, joined with a check of the source.")
@click.argument("sessions", nargs=-1, required=True)
@click.option("-o", "--format", "format_", type=click.Choice(["text", "json"]), default="text", help="Output format.")
@click.option(
    "--check",
    "check_paths",
    multiple=True,
    callback=_paths,
    metavar="PATH",
    help="Join with a check of these (repeatable).  [default: the user's own files]",
)
@click.option("--no-check", is_flag=True, help="Show only what the run did.")
@click.option(
    "--own",
    multiple=True,
    metavar="PATH|PACKAGE",
    help="The user's own code, besides the project (repeatable).",
)
@click.option("--warmup", type=click.IntRange(0), metavar="N", help="Recompiles in the first N calls are free.")
@click.option("--max-breaks", type=click.IntRange(0), metavar="N", help="Allow this many places that break.")
@click.option("--max-recompiles", type=click.IntRange(0), metavar="N", help="Allow this many recompiles.")
@click.option(
    "--max-compile-seconds", type=click.FloatRange(0), metavar="SECONDS", help="Allow this much compile time."
)
@click.option("--config", "config_file", callback=_path, metavar="FILE", help="Read this pyproject.toml or TOML file.")
@click.option("--isolated", is_flag=True, help="Read no configuration file.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever the run did.")
def report(sessions: tuple[str, ...], format_: str, no_check: bool, **asked: Any) -> int:
    """Show what SESSIONS (files, or directories of them) recorded; several are joined into one report.

    Exit code: 0 nothing to report, 1 breaks, recompiles or a broken budget, 2 the run proves nothing
    (nothing was compiled, something could not be read) or cannot be shown.
    """
    from compilelint.run_options import RunError, RunOptions
    from compilelint.run_report import read_sessions, run_report

    try:
        read = read_sessions(map(Path, sessions))
        result = run_report(read, RunOptions(check=not no_check, **asked))
    except RunError as error:
        raise click.ClickException(str(error)) from error
    show(result, format_)
    return result.exit_code


def show(result: RunResult, format_: str) -> None:
    """The report of a run on standard output."""
    if format_ == "json":
        from compilelint.report import json

        sys.stdout.write(json.render(result.report))
    else:
        from compilelint.report.text_run import render_run
        from compilelint.run_report import seen_from

        report = seen_from(result, Path.cwd())
        sys.stdout.write(render_run(report, color=wants_color(sys.stdout), width=width()))
