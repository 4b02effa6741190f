"""What git ignores, by the .gitignore files that apply to a directory."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

GITIGNORE = ".gitignore"


@dataclass(frozen=True, slots=True)
class Ignores:
    """The specs in force below a directory, outermost first, each with the directory it is relative to."""

    specs: tuple[tuple[str, GitIgnoreSpec], ...] = ()

    def entered(self, directory: Path) -> Ignores:
        """What is in force inside a directory that lies in the one these ignores are for."""
        return self._with(directory, directory / GITIGNORE)

    def ignored(self, path: str, is_directory: bool) -> bool:
        """Whether git ignores an absolute path, as long as no directory above it is ignored."""
        subject = f"{path}/" if is_directory else path
        for base, spec in reversed(self.specs):
            include = spec.check_file(subject[len(base) :]).include
            if include is not None:
                return include
        return False

    def _with(self, directory: Path, file: Path) -> Ignores:
        lines = _patterns(file)
        if not lines:
            return self
        return Ignores((*self.specs, (f"{directory.as_posix().rstrip('/')}/", _spec(lines))))


def ignores_above(directory: Path) -> Ignores | None:
    """What is in force in a directory itself; None outside a repository: there .gitignore means nothing."""
    above = (directory, *directory.parents)
    repository = next((each for each in above if os.path.exists(each / ".git")), None)
    if repository is None:
        return None
    ignores = Ignores()._with(repository, repository / ".git" / "info" / "exclude")
    inside = above[: above.index(repository) + 1]
    for each in reversed(inside[1:]):
        ignores = ignores.entered(each)
    # Someone who names an ignored directory wants it checked.
    if any(ignores.ignored(each.as_posix(), True) for each in inside[:-1]):
        return Ignores()
    return ignores


def _patterns(file: Path) -> list[str]:
    try:
        text = file.read_text("utf-8", "replace")
    except OSError:
        return []
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def _spec(lines: Sequence[str]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec  # slow to import, and there need not be a .gitignore

    def is_valid(line: str) -> bool:
        # git passes over a pattern that it cannot read; pathspec rejects the whole file.
        try:
            GitIgnoreSpec.from_lines([line])
        except ValueError:
            return False
        return True

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines(filter(is_valid, lines))
