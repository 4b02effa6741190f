"""What is asked of a check: the command line joined with the configuration."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from compilelint.project.config import Config, ConfigError, Roots
from compilelint.project.configs import Configs, find_configs
from compilelint.project.files import project_name
from compilelint.project.patterns import anchored, matcher
from compilelint.project.root import absolute, meeting_point
from compilelint.report.confidence import Confidence
from compilelint.source.imports import MAX_IMPORTERS

_T = TypeVar("_T")


class CheckError(Exception):
    """What was asked for cannot be done; the message is one line for the user."""


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What the command line says. None and () leave a thing to the configuration."""

    paths: tuple[Path, ...] = (Path("."),)
    stdin_filename: Path | None = None
    config_file: Path | None = None
    isolated: bool = False
    """Read no configuration file."""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    respect_gitignore: bool | None = None
    force_exclude: bool | None = None
    root: tuple[str, ...] = ()
    """`path.py::Qual.name`, the path relative to the current directory."""
    roots: Roots | None = None
    target_torch: str | None = None
    target_python: str | None = None
    min_confidence: Confidence | None = None
    follow: tuple[str, ...] = ()
    """Packages to follow into, beside those that the configuration names."""
    python: Path | None = None
    """The environment in which they are installed, or its interpreter."""
    importers: int = MAX_IMPORTERS
    """How many files that import a checked one are looked at for what they compile of it; an editor asks for none
    while somebody types."""
    baseline: Path | None = None
    """Its file: what it knows is not reported."""
    no_baseline: bool = False
    """Report all, also if the configuration names a baseline."""
    since: str | None = None
    """A git revision: only what is on lines that changed since is reported."""
    exit_zero: bool = False
    cache: Path | None = None
    """The directory in which what was found out is remembered; nothing is, without one."""
    jobs: int = 1
    """How many processes may work at it."""


def configured(options: CheckOptions) -> Configs:
    """The configuration files' word, and the command line's above it. Raises CheckError."""
    try:
        matcher(options.exclude)
        configs = find_configs(options.config_file, options.isolated, meeting_point(_anchors(options)))
    except ConfigError as error:
        raise CheckError(str(error)) from error
    except re.error as error:
        raise CheckError(f"--exclude: not a path pattern: {error}") from error
    here = Path.cwd().as_posix()
    # Ruff's `--exclude` replaces the list; here .venv stays excluded whatever else is.
    excluded = tuple(anchored(pattern, here) for pattern in options.exclude)

    def adapted(config: Config) -> Config:
        return replace(
            config,
            extend_exclude=(*config.extend_exclude, *excluded),
            respect_gitignore=chosen(options.respect_gitignore, config.respect_gitignore),
            force_exclude=chosen(options.force_exclude, config.force_exclude),
            roots=chosen(options.roots, config.roots),
            min_confidence=chosen(options.min_confidence, config.min_confidence),
        )

    return Configs(adapted(configs.top), configs.nested, adapted)


def chosen(asked: _T | None, configured: _T) -> _T:
    return configured if asked is None else asked


def _anchors(options: CheckOptions) -> tuple[Path, ...]:
    """The paths that say which project this is."""
    return (options.stdin_filename,) if options.stdin_filename else options.paths


def named_roots(options: CheckOptions, config: Config, root: Path) -> tuple[str, ...]:
    """`path.py::Qual.name`, relative to the project root; the command line's replace the configured."""
    if options.root:
        return tuple(_relative_to_root(spec, root) for spec in options.root)
    return tuple(project_name(absolute((config.base or root) / spec), root) for spec in config.root)


def _relative_to_root(spec: str, root: Path) -> str:
    path, separator, function = spec.partition("::")
    here = absolute(Path(path))
    is_here = here.exists() or not (root / path).exists()
    return f"{project_name(here, root) if is_here and path != '-' else path}{separator}{function}"
