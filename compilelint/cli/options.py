"""Options that several commands have, and what their values become."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import Any, TypeVar

import click

from compilelint.report.formats import ALIASES, FORMATS

FORMAT_NAMES = (*ALIASES, *FORMATS)
_Command = TypeVar("_Command", bound=Callable[..., Any])
Decorator = Callable[[_Command], _Command]


def path(ctx: click.Context, param: click.Parameter, value: str | None) -> Path | None:
    return Path(value) if value is not None else None


def paths(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[Path, ...]:
    return tuple(map(Path, values))


def listed(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """What an option names that may be repeated, or given several names at once: `a,b`."""
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def _outputs(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, Path], ...]:
    given: list[tuple[str, Path]] = []
    for value in values:
        name, separator, file = value.partition("=")
        if name not in FORMAT_NAMES or not separator or not file:
            raise click.BadParameter(f"{value!r}: FORMAT=FILE expected, FORMAT one of {', '.join(FORMAT_NAMES)}")
        given.append((name, Path(file)))
    return tuple(given)


format_option = click.option(
    "-o", "--format", "format_", type=click.Choice(FORMAT_NAMES), default="text", help="Format on standard output."
)
output_option = click.option(
    "--output",
    "outputs",
    multiple=True,
    callback=_outputs,
    metavar="FORMAT=FILE",
    help="Write the report to this file as well (repeatable).",
)
config_option = click.option(
    "--config", "config_file", callback=path, metavar="FILE", help="Read this pyproject.toml or TOML file."
)
cache_dir_option = click.option(
    "--cache-dir",
    callback=path,
    metavar="DIR",
    help="Where to remember what was found out.  [default: $COMPILELINT_CACHE_DIR, else in the user's cache directory]",
)
no_cache_option = click.option("--no-cache", is_flag=True, help="Remember nothing, and use nothing that is remembered.")
isolated_option = click.option("--isolated", is_flag=True, help="Read no configuration file.")


def baseline_options(command: _Command) -> _Command:
    """What a report is held against."""
    options = (
        click.option("--baseline", callback=path, metavar="FILE", help="Report only what this baseline does not hold."),
        click.option("--no-baseline", is_flag=True, help="Report all, also if the configuration names a baseline."),
    )
    return reduce(lambda inner, option: option(inner), reversed(options), command)


def run_options(exit_zero: str) -> Decorator[Any]:
    """What can be asked of the report of a run; `exit_zero` is the help of --exit-zero."""
    options = (
        click.option("--warmup", type=click.IntRange(0), metavar="N", help="Recompiles in the first N calls are free."),
        click.option("--max-breaks", type=click.IntRange(0), metavar="N", help="Allow this many places that break."),
        click.option("--max-recompiles", type=click.IntRange(0), metavar="N", help="Allow this many recompiles."),
        click.option(
            "--max-compile-seconds", type=click.FloatRange(0), metavar="SECONDS", help="Allow this much compile time."
        ),
        click.option(
            "--check",
            "check_paths",
            multiple=True,
            callback=paths,
            metavar="PATH",
            help="Join with a check of these (repeatable).  [default: the user's own files]",
        ),
        click.option(
            "--follow",
            multiple=True,
            callback=listed,
            metavar="PACKAGE",
            help="Let the check follow calls into this installed package (repeatable).",
        ),
        click.option("--no-check", is_flag=True, help="Show only what the run did."),
        click.option(
            "--own",
            multiple=True,
            metavar="PATH|PACKAGE",
            help="The user's own code, besides the project (repeatable).",
        ),
        baseline_options,
        config_option,
        isolated_option,
        cache_dir_option,
        no_cache_option,
        click.option("--exit-zero", is_flag=True, help=exit_zero),
    )
    return lambda command: reduce(lambda inner, option: option(inner), reversed(options), command)
