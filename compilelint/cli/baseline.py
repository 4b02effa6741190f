"""`compilelint baseline`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from compilelint.cli.check_options import asked, check_options
from compilelint.cli.options import path, paths
from compilelint.cli.terminal import progress_bar


@click.command(short_help="Accept all that is there now, so that only what is new is reported.")
@click.argument("paths_", nargs=-1, metavar="[PATHS]...")
@click.option(
    "--output",
    callback=path,
    metavar="FILE",
    help="Write it here.  [default: what the configuration names, else compilelint-baseline.json beside it, or in the "
    "project's root]",
)
@click.option(
    "--from",
    "sessions",
    multiple=True,
    callback=paths,
    metavar="SESSION",
    help="Accept what these recorded sessions did, too (repeatable).",
)
@check_options
def baseline(paths_: tuple[str, ...], output: Path | None, sessions: tuple[Path, ...], **values: Any) -> int:
    """Check PATHS (default: the current directory), and write down all that is found as accepted.

    The file is written anew; what only a run shows stays in it, unless --from gives runs to take it from.
    `compilelint check --baseline FILE`, and `baseline = "FILE"` in the configuration, report what is not in it.

    Exit code: 0 written, 1 written, but there were files that could not be read, 2 it could not be written.
    """
    from compilelint.check import CheckError
    from compilelint.new_baseline import write_new
    from compilelint.project.root import from_here
    from compilelint.report.place import problem_place
    from compilelint.run_options import RunError

    if "-" in paths_:
        raise click.UsageError("a baseline is of files, not of standard input")
    try:
        with progress_bar("checking") as progress:
            written = write_new(asked(paths_, **values), sessions, output, progress)
    except (CheckError, RunError) as error:
        raise click.ClickException(str(error)) from error
    for problem in written.errors:
        click.echo(f"error: {problem_place(problem)}: {problem.message}", err=True)
    file = from_here(written.file)
    before = "" if written.before is None else f" ({written.before} before)"
    kept = f"; {written.kept} of them are of runs" if written.kept else ""
    unread = f"; {written.unread} of them are of files that could not be read, as before" if written.unread else ""
    entries = "entry" if written.entries == 1 else "entries"
    click.echo(f"Wrote {written.entries} {entries} to {file}{before}{kept}{unread}.")
    if not written.is_configured:
        click.echo(
            f"Report only what is new: `compilelint check --baseline {file}`, or baseline = … in [tool.compilelint]"
        )
    return written.exit_code
