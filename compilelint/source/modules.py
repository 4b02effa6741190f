"""Dotted module names of files, found as Python's import system would from the files alone."""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

_INSTALLED = ("torch", "numpy", "scipy")
"""What the rules are about: what they say of it holds in its own project, too (Dynamo does not look into
`torch.compile` there either), and a folder of that name (`validators/torch/`) is not what `import torch` means."""


class ModuleNames:
    """Which file a dotted name means. Built once from the paths of all files; only its memory of answers grows.

    It does not matter in which order they come. Of several files that a name may mean the one whose path sorts first
    is taken, if none is nearer.
    """

    def __init__(self, files: Mapping[str, Path]) -> None:
        self._by_path = dict(sorted((path.as_posix(), name) for name, path in files.items()))
        inits = [path for path in self._by_path if posixpath.basename(path) == "__init__.py"]
        self._package_folders = {posixpath.dirname(path) for path in inits}
        self._packages = {self._by_path[path] for path in inits}
        self._directory = {name: posixpath.dirname(path) for path, name in self._by_path.items()}
        self._dotted = dict(_dotted_names(self._by_path, self._package_folders))
        self._file: dict[str, str] = {}
        for path, name in self._by_path.items():
            if not path.endswith(".ipynb"):  # those can import, and not be imported
                self._file.setdefault(self._dotted[name], name)
        self._words = {word for path in self._by_path for word in posixpath.splitext(path)[0].split("/")}
        """What any file or folder is called: what begins, or ends, with another word is nowhere in the project."""
        self._found: dict[tuple[str, str | None], str | None] = {}

    def dotted(self, name: str) -> str:
        """The dotted name of the file with this name."""
        return self._dotted[name]

    def is_package(self, name: str) -> bool:
        return name in self._packages

    def find(self, dotted: str, importer: str) -> str | None:
        """The file that `import dotted` means in the file `importer`, or None if it is not in the project.

        Tried are the directory from which the importer itself is imported (a script's own, the parent of a package) and
        its parents: so scripts find their neighbours, and namespace packages (no `__init__.py`) are found. What is not
        found there may lie in a directory that a program adds to its path, unless Python has a module of the name.
        """
        key = (dotted, self._directory.get(importer))
        if key not in self._found:
            self._found[key] = self._find(dotted, key[1])
        return self._found[key]

    def _find(self, dotted: str, directory: str | None) -> str | None:
        parts = dotted.split(".")
        if not all(parts) or parts[0] not in self._words or parts[-1] not in self._words or parts[0] in _INSTALLED:
            return None
        if len(parts) > 1 and dotted in self._file:
            return self._file[dotted]
        while directory in self._package_folders:
            # Inside a package, absolute imports start above it: its own `logging.py` does not hide the library's.
            directory = posixpath.dirname(directory)
        tail = "/".join(parts)
        while directory is not None:
            base = posixpath.join(directory, tail)
            found = next((path for path in (f"{base}.py", f"{base}/__init__.py") if path in self._by_path), None)
            if found:
                return self._by_path[found]
            parent = posixpath.dirname(directory)
            directory = parent if parent != directory else None
        return None if parts[0] in sys.stdlib_module_names else self._file.get(dotted)


def _dotted_names(files: Mapping[str, str], package_folders: set[str]) -> Iterator[tuple[str, str]]:
    """Of each file, by its path, its name with the dotted one."""
    of_folders: dict[str, str] = {}
    for path, name in files.items():
        folder, _, file = path.rpartition("/")
        if folder not in of_folders:
            of_folders[folder] = _dotted_folder(folder, package_folders)
        package, stem = of_folders[folder], posixpath.splitext(file)[0]
        if file == "__init__.py":
            yield name, package or stem
        else:
            yield name, f"{package}.{stem}" if package else stem


def _dotted_folder(folder: str, package_folders: set[str]) -> str:
    """The dotted name of a package; empty for a folder that is none."""
    parts = []
    while folder in package_folders:
        folder, _, name = folder.rpartition("/")
        parts.append(name)
    return ".".join(reversed(parts))
