"""Where a check looks: the files it is of, those around them, and packages that are followed."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from compilelint.check.asked import CheckError, CheckOptions, chosen
from compilelint.project.config import Config, ConfigError
from compilelint.project.configs import Configs
from compilelint.project.discovery import Selection, discover, discover_stdin
from compilelint.project.packages import Environment, PackageError, find_environments, find_packages
from compilelint.project.root import absolute


def find_files(options: CheckOptions, configs: Configs, from_stdin: bool) -> Selection:
    """The files that are asked for, and those around them. Raises CheckError."""
    try:
        return discover_stdin(options.stdin_filename, configs) if from_stdin else discover(options.paths, configs)
    except ConfigError as error:
        raise CheckError(str(error)) from error


def followed(options: CheckOptions, config: Config, root: Path) -> dict[str, Path]:
    """The packages to follow into, by the names that are imported. Raises CheckError."""
    names = tuple(dict.fromkeys((*config.follow, *options.follow)))
    if not names:
        return {}
    try:
        packages = find_packages(names, _environments(options, config, root))
    except PackageError as error:
        raise CheckError(f"follow: {error}") from error
    return {name: absolute(path) for name, path in packages.items()}


def environments_asked(
    options: CheckOptions, config: Config, root: Path, names: Collection[str]
) -> tuple[Environment, ...]:
    """Where packages of these names would be installed; none if there are no names, or where no such place is found."""
    try:
        return tuple(_environments(options, config, root)) if names else ()
    except PackageError:
        return ()


def _environments(options: CheckOptions, config: Config, root: Path) -> Sequence[Environment]:
    configured = config.file.parent / config.python if config.file is not None and config.python is not None else None
    return find_environments(chosen(options.python, configured), config.base or root, os.environ)
