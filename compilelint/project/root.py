"""Which directory is the project."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from compilelint.project.config import CONFIG_NAME, find_config, has_table

_PACKAGING_FILES = ("pyproject.toml", "setup.py", "setup.cfg")


@dataclass(frozen=True, slots=True)
class ProjectRoot:
    """Where a project begins."""

    path: Path
    """What names of files are relative to."""
    scope: Path
    """The directory at or below `path` whose files belong together: the outermost that configures this tool, if any."""
    is_project: bool
    """Something there says so; else only the paths that the user named meet there."""


def absolute(path: Path) -> Path:
    """The path made absolute and normalised; symbolic links stay, as users know files by those names."""
    return Path(os.path.abspath(path))


def from_here(path: Path) -> Path:
    """The path as one names it in the current directory, if it is below."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def meeting_point(paths: Sequence[Path]) -> Path:
    """The directory that all paths lie in; the current one if there are none."""
    directories = [str(path if os.path.isdir(path) else path.parent) for path in map(absolute, paths)]
    try:
        return Path(os.path.commonpath(directories)) if directories else Path.cwd()
    except ValueError:
        # Windows: paths on two drives.
        return Path.cwd()


def find_root(start: Path) -> ProjectRoot:
    """The project that a directory belongs to.

    Files are named from the repository, whatever is configured in it and whatever the user names. Without one that is
    the outermost directory at or above that configures this tool, else the nearest that is packaged; else the directory
    itself, or what holds it if it is a package.
    """
    repository = _repository(start)
    configured = _configured(start, repository)
    if repository is not None:
        return ProjectRoot(repository, configured[-1] if configured else repository, True)
    if configured:
        return ProjectRoot(configured[-1], configured[-1], True)
    for directory in (start, *start.parents):
        if any(os.path.isfile(directory / name) for name in _PACKAGING_FILES):
            return ProjectRoot(directory, directory, True)
    package = outermost_package(start)
    home = start if package is None else package.parent
    return ProjectRoot(home, home, False)


def outermost_package(directory: Path) -> Path | None:
    """The regular package that a directory is part of, with all that hold it; None if it is none itself."""
    packages = itertools.takewhile(lambda each: os.path.isfile(each / "__init__.py"), (directory, *directory.parents))
    return next(reversed(list(packages)), None)


def run_config(start: Path) -> Path | None:
    """The configuration that holds for a run which starts at a directory: the outermost of its repository.

    What lies further in says something of the files there. A repository that has none may be configured from outside,
    by the nearest.
    """
    configured = _configured(start, _repository(start))
    return configured[-1] / CONFIG_NAME if configured else find_config(start)


def _repository(start: Path) -> Path | None:
    return next((each for each in (start, *start.parents) if os.path.exists(each / ".git")), None)


def _configured(start: Path, repository: Path | None) -> list[Path]:
    """The directories of a repository, from one outwards, that configure this tool."""
    above = [start, *start.parents]
    inside = above if repository is None else above[: above.index(repository) + 1]
    return [each for each in inside if has_table(each / CONFIG_NAME)]
