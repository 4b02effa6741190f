"""Dotted module names of files, found as Python's import system would from the files alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath


class ModuleNames:
    """Which file a dotted name means. Built once from the paths of all files; only its memory of answers grows."""

    def __init__(self, files: Mapping[str, Path]) -> None:
        paths = {PurePosixPath(path.as_posix()): name for name, path in files.items()}
        packages = {path.parent for path in paths if path.name == "__init__.py"}
        self._dotted: dict[str, str] = {}
        self._file: dict[str, str] = {}
        self._directory: dict[str, PurePosixPath] = {name: path.parent for path, name in paths.items()}
        self._by_path = paths
        self._package_folders = packages
        self._packages = {name for path, name in paths.items() if path.name == "__init__.py"}
        self._found: dict[tuple[str, PurePosixPath | None], str | None] = {}
        for path, name in paths.items():
            dotted = _dotted(path, packages)
            self._dotted[name] = dotted
            if path.suffix != ".ipynb":  # those can import, and not be imported
                self._file.setdefault(dotted, name)

    def dotted(self, name: str) -> str:
        """The dotted name of the file with this name."""
        return self._dotted[name]

    def is_package(self, name: str) -> bool:
        return name in self._packages

    def find(self, dotted: str, importer: str) -> str | None:
        """The file that `import dotted` means in the file `importer`, or None if it is not in the project.

        Tried are the directory from which the importer itself is imported (a script's own, the parent of a package) and
        its parents: so scripts find their neighbours, and namespace packages (no `__init__.py`) are found.
        """
        key = (dotted, self._directory.get(importer))
        if key not in self._found:
            self._found[key] = self._find(dotted, key[1])
        return self._found[key]

    def _find(self, dotted: str, directory: PurePosixPath | None) -> str | None:
        if not all(dotted.split(".")):
            return None
        if "." in dotted and dotted in self._file:
            return self._file[dotted]
        while directory in self._package_folders:
            # Inside a package, absolute imports start above it: its own `logging.py` does not hide the library's.
            directory = directory.parent
        while directory is not None:
            base = directory.joinpath(*dotted.split("."))
            for candidate in (base.with_name(base.name + ".py"), base / "__init__.py"):
                if candidate in self._by_path:
                    return self._by_path[candidate]
            directory = directory.parent if directory != directory.parent else None
        return self._file.get(dotted)


def _dotted(path: PurePosixPath, packages: set[PurePosixPath]) -> str:
    parts = [] if path.name == "__init__.py" else [path.stem]
    directory = path.parent
    while directory in packages:
        parts.append(directory.name)
        directory = directory.parent
    return ".".join(reversed(parts)) or path.stem
