"""Which directory is the project."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from compilelint.project.config import find_config

_PACKAGING_FILES = ("pyproject.toml", "setup.py", "setup.cfg")


@dataclass(frozen=True, slots=True)
class ProjectRoot:
    """A directory, and whether something in it says that it is a project, or only the paths meet there."""

    path: Path
    is_project: bool


def absolute(path: Path) -> Path:
    """The path made absolute and normalised; symbolic links stay, as users know files by those names."""
    return Path(os.path.abspath(path))


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

    The nearest directory at or above it that configures this tool, else the nearest repository, else
    the nearest that is packaged; else the directory itself, or what holds it if it is a package.
    """
    if config := find_config(start):
        return ProjectRoot(config.parent, True)
    above = (start, *start.parents)
    for directory in above:
        if os.path.exists(directory / ".git"):
            return ProjectRoot(directory, True)
    for directory in above:
        if any(os.path.isfile(directory / name) for name in _PACKAGING_FILES):
            return ProjectRoot(directory, True)
    while os.path.isfile(start / "__init__.py") and start.parent != start:
        start = start.parent
    return ProjectRoot(start, False)
