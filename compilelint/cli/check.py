"""`compilelint check`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from compilelint.cli.check_options import asked, check_options
from compilelint.cli.options import baseline_options, format_option, output_option, path
from compilelint.cli.output import deliver, warn
from compilelint.cli.terminal import progress_bar


@click.command(short_help="Find hazards in source files, without importing them or torch.")
@click.argument("paths", nargs=-1)
@format_option
@output_option
@check_options
@click.option("--stdin-filename", callback=path, metavar="FILE", help="What the file given as - is called.")
@click.option("--statistics", is_flag=True, help="Show counts per rule: -o statistics.")
@baseline_options
@click.option("--update-baseline", is_flag=True, help="Take out of the baseline what is gone; nothing is added.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if there are findings.")
def check(
    paths: tuple[str, ...],
    format_: str,
    outputs: tuple[tuple[str, Path], ...],
    statistics: bool,
    update_baseline: bool,
    **values: Any,
) -> int:
    """Find what makes torch.compile break, recompile or give up in PATHS (default: the current directory).

    Nothing is imported or run. `-` reads one file from standard input.

    Exit code: 0 nothing to report, 1 findings, 2 the check could not be done.
    """
    from compilelint.check import CheckError, run_check, update

    options = asked(paths, **values)
    stdin = sys.stdin.buffer.read() if paths == ("-",) else None
    try:
        with progress_bar("checking") as progress:
            result = run_check(options, stdin=stdin, progress=progress)
        updated = update(result.baseline) if update_baseline else None
    except CheckError as error:
        raise click.ClickException(str(error)) from error

    deliver(result, "statistics" if statistics else format_, outputs)
    warn(result.warnings)
    if updated is not None:
        click.echo(updated, err=True)
    elif result.baseline is not None and result.baseline.out_of_date:
        click.echo(f"note: {result.baseline.out_of_date}: --update-baseline mends it", err=True)
    if not result.report.files and not result.report.errors:
        click.echo("warning: no Python files found under the given paths", err=True)
    return result.exit_code
