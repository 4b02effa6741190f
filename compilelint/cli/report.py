"""`compilelint report`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from compilelint.cli.options import format_option, output_option, run_options
from compilelint.cli.output import deliver, warn


@click.command(short_help="Show recorded sessions again, joined with a check of the source.")
@click.argument("sessions", nargs=-1, required=True)
@format_option
@output_option
@run_options("Exit with 0 whatever the run did.")
def report(
    sessions: tuple[str, ...], format_: str, outputs: tuple[tuple[str, Path], ...], no_check: bool, **asked: Any
) -> int:
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
    deliver(result, format_, outputs)
    warn(result.warnings)
    return result.exit_code
