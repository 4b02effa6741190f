"""Which files are the user's own: what breaks there is theirs to change."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from compilelint.project.root import absolute

_OTHERS = frozenset({"site-packages", "dist-packages", ".venv", "venv", ".tox", ".nox", "node_modules"})


def owner_test(root: Path, own: Sequence[str], base: Path) -> Callable[[str], bool]:
    """A function that says of an absolute path whether it is the user's own.

    Own is what lies below `root`, but not in an environment there; and what `own` names: a path
    (relative to `base`), or a package by its dotted name, wherever it is installed.
    """
    folders = [absolute(base / each) for each in own if _is_path(each, base)]
    packages = [tuple(each.split(".")) for each in own if not _is_path(each, base)]
    real_root = Path(os.path.realpath(root))

    @cache
    def owned(path: str) -> bool:
        if not os.path.isabs(path):  # "<stdin>", "<string>": nobody's
            return False
        here = absolute(Path(path))
        if any(here == folder or folder in here.parents for folder in folders):
            return True
        if any(_in_package(here, package) for package in packages):
            return True
        for top, seen in ((root, here), (real_root, Path(os.path.realpath(here)))):
            if top in seen.parents:
                return _OTHERS.isdisjoint(seen.relative_to(top).parts)
        return False

    return owned


def _is_path(named: str, base: Path) -> bool:
    return os.sep in named or "/" in named or named.endswith(".py") or (base / named).exists()


def _in_package(path: Path, package: tuple[str, ...]) -> bool:
    """Whether the file lies in a directory, or is the module, of that dotted name."""
    parts = (*path.parent.parts, path.stem)
    return any(parts[start : start + len(package)] == package for start in range(len(parts)))
