"""Options that say what is checked, and for what: `check` and `baseline` have them."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from compilelint.cli.options import cache_dir_option, config_option, isolated_option, listed, no_cache_option, path

if TYPE_CHECKING:
    from compilelint.check import CheckOptions


_OPTIONS = (
    click.option(
        "--select",
        multiple=True,
        callback=listed,
        metavar="RULES",
        help="Look only for these (CL101, CL1, names, ALL).",
    ),
    click.option("--ignore", multiple=True, callback=listed, metavar="RULES", help="Do not look for these."),
    click.option("--extend-select", multiple=True, callback=listed, metavar="RULES", help="Look for these as well."),
    click.option(
        "--min-confidence",
        type=click.Choice(["low", "medium", "high"]),
        help="Show findings at least this sure.  [default: medium]",
    ),
    click.option(
        "--target-torch",
        metavar="VERSION",
        help="Judge for this torch.  [default: the installed one, else the newest known]",
    ),
    click.option(
        "--target-python",
        metavar="VERSION",
        help="Judge for this Python.  [default: the one that runs compilelint]",
    ),
    click.option(
        "--root",
        multiple=True,
        metavar="FILE.py::NAME",
        help="Take exactly this function as compiled (repeatable).",
    ),
    click.option(
        "--roots",
        type=click.Choice(["all", "explicit"]),
        help="explicit: only what calls torch.compile, not every nn.Module and tensor function.  [default: all]",
    ),
    click.option(
        "--follow",
        multiple=True,
        callback=listed,
        metavar="PACKAGE",
        help="Follow calls into this installed package; its hazards show at your lines (repeatable).",
    ),
    click.option(
        "--python",
        callback=path,
        metavar="PATH",
        help="The environment, or its interpreter, where followed packages are installed.  "
        "[default: the active one, .venv, this one]",
    ),
    click.option(
        "--exclude",
        multiple=True,
        metavar="PATTERN",
        help="Leave out these files and directories as well (repeatable).",
    ),
    click.option(
        "--respect-gitignore/--no-respect-gitignore",
        default=None,
        help="Leave out what git ignores.  [default: respect]",
    ),
    click.option("--force-exclude/--no-force-exclude", default=None, help="Apply exclusions to files named here too."),
    config_option,
    isolated_option,
    click.option(
        "--jobs",
        "-j",
        type=click.IntRange(1),
        metavar="N",
        help="Work in N processes.  [default: one for each processor]",
    ),
    cache_dir_option,
    no_cache_option,
)


def check_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command all of them."""
    return reduce(lambda inner, option: option(inner), reversed(_OPTIONS), command)


def asked(
    paths: tuple[str, ...],
    min_confidence: str | None,
    jobs: int | None,
    cache_dir: Path | None,
    no_cache: bool,
    **values: Any,
) -> CheckOptions:
    """What the command line says. Raises click.UsageError."""
    from compilelint.analysis.workers import processors
    from compilelint.check import CheckOptions
    from compilelint.check.memory import cache_directory
    from compilelint.report.confidence import Confidence

    if "-" in paths and len(paths) > 1:
        raise click.UsageError("- (standard input) cannot be combined with other paths")
    return CheckOptions(
        paths=tuple(map(Path, paths or (".",))),
        min_confidence=Confidence[min_confidence.upper()] if min_confidence else None,
        jobs=jobs or processors(),
        cache=None if no_cache else cache_dir or cache_directory(),
        **values,
    )
