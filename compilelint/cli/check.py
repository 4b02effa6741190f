"""`compilelint check`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from compilelint.cli.options import config_option, format_option, isolated_option, output_option, path
from compilelint.cli.output import deliver
from compilelint.cli.terminal import progress_bar


def _listed(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


@click.command(short_help="Find hazards in source files, without importing them or torch.")
@click.argument("paths", nargs=-1)
@format_option
@output_option
@click.option(
    "--select",
    multiple=True,
    callback=_listed,
    metavar="RULES",
    help="Look only for these (CL101, CL1, names, ALL).",
)
@click.option("--ignore", multiple=True, callback=_listed, metavar="RULES", help="Do not look for these.")
@click.option("--extend-select", multiple=True, callback=_listed, metavar="RULES", help="Look for these as well.")
@click.option(
    "--min-confidence",
    type=click.Choice(["low", "medium", "high"]),
    help="Show findings at least this sure.  [default: medium]",
)
@click.option(
    "--target-torch",
    metavar="VERSION",
    help="Judge for this torch.  [default: the installed one, else the newest known]",
)
@click.option(
    "--root",
    multiple=True,
    metavar="FILE.py::NAME",
    help="Take exactly this function as compiled (repeatable).",
)
@click.option(
    "--roots",
    type=click.Choice(["all", "explicit"]),
    help="explicit: only what calls torch.compile, not every nn.Module and tensor function.  [default: all]",
)
@click.option(
    "--follow",
    multiple=True,
    callback=_listed,
    metavar="PACKAGE",
    help="Follow calls into this installed package; its hazards show at your lines (repeatable).",
)
@click.option(
    "--python",
    callback=path,
    metavar="PATH",
    help="The environment, or its interpreter, where followed packages are installed.  "
    "[default: the active one, .venv, this one]",
)
@click.option(
    "--exclude",
    multiple=True,
    metavar="PATTERN",
    help="Leave out these files and directories as well (repeatable).",
)
@click.option(
    "--respect-gitignore/--no-respect-gitignore",
    default=None,
    help="Leave out what git ignores.  [default: respect]",
)
@click.option("--force-exclude/--no-force-exclude", default=None, help="Apply exclusions to files named here too.")
@config_option
@isolated_option
@click.option("--stdin-filename", callback=path, metavar="FILE", help="What the file given as - is called.")
@click.option("--statistics", is_flag=True, help="Show counts per rule: -o statistics.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if there are findings.")
def check(
    paths: tuple[str, ...], format_: str, outputs: tuple[tuple[str, Path], ...], statistics: bool, **asked: Any
) -> int:
    """Find what makes torch.compile break, recompile or give up in PATHS (default: the current directory).

    Nothing is imported or run. `-` reads one file from standard input.

    Exit code: 0 nothing to report, 1 findings, 2 the check could not be done.
    """
    from compilelint.check import CheckError, CheckOptions, run_check
    from compilelint.report.confidence import Confidence

    if "-" in paths and len(paths) > 1:
        raise click.UsageError("- (standard input) cannot be combined with other paths")
    confidence = asked.pop("min_confidence")
    options = CheckOptions(
        paths=tuple(map(Path, paths or (".",))),
        min_confidence=Confidence[confidence.upper()] if confidence else None,
        **asked,
    )
    stdin = sys.stdin.buffer.read() if paths == ("-",) else None
    try:
        with progress_bar("checking") as progress:
            result = run_check(options, stdin=stdin, progress=progress)
    except CheckError as error:
        raise click.ClickException(str(error)) from error

    deliver(result, "statistics" if statistics else format_, outputs)
    for warning in result.warnings:
        click.echo(f"warning: {warning}", err=True)
    if not result.report.files and not result.report.errors:
        click.echo("warning: no Python files found under the given paths", err=True)
    return result.exit_code
