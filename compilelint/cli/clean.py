"""`compilelint clean`."""

from __future__ import annotations

from pathlib import Path

import click

from compilelint.cli.options import cache_dir_option


@click.command(short_help="Forget what checks remember from run to run.")
@cache_dir_option
def clean(cache_dir: Path | None) -> int:
    """Remove what `compilelint check` remembers of all projects.

    Exit code: 0, also if there was nothing; 2 if it could not be removed.
    """
    from compilelint.check.memory import cache_directory
    from compilelint.check.memory import clean as remove
    from compilelint.report.words import counted

    directory = cache_dir or cache_directory()
    try:
        removed = remove(directory)
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {(error.strerror or str(error)).lower()}") from error
    click.echo(f"Removed {counted(removed, 'cache')} from {directory}")
    return 0
