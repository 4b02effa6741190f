"""Installed packages that a check follows into: files are found by their modules' names and read when asked for."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from compilelint.source.text import SourceText

_LAZY = re.compile(r"^def __getattr__\b|^[ \t]*sys\.modules\[__name__\][ \t]*=|\blazy\.attach", re.MULTILINE)


class Library:
    """The followed packages. Built once; only its memory of what was found and read grows.

    `packages` maps dotted names to a package's directory or a module's file (absolute), `read` gives the text of a
    file, or None if it cannot be had. Files are known by their absolute path with `/`.
    """

    def __init__(
        self, packages: Mapping[str, Path] | None = None, read: Callable[[Path], str | None] = lambda path: None
    ) -> None:
        self._packages = dict(packages or {})
        self._read = read
        self._dotted: dict[str, str] = {}
        self._found: dict[str, str | None] = {}
        self._texts: dict[str, SourceText | None] = {}

    @property
    def packages(self) -> tuple[str, ...]:
        """The dotted names of what is followed."""
        return tuple(self._packages)

    @property
    def installed(self) -> tuple[Path, ...]:
        """The directories that the packages are installed in, each once: names given by `shown` are relative to one."""
        return tuple(dict.fromkeys(path.parents[name.count(".")] for name, path in self._packages.items()))

    def owns(self, name: str) -> bool:
        """Whether the file is one of a followed package, and was found by its module's name."""
        return name in self._dotted

    def package_of(self, dotted: str) -> str | None:
        """The followed package that a module of this name belongs to."""
        return next((each for each in self._packages if f"{dotted}.".startswith(f"{each}.")), None)

    def find(self, dotted: str) -> str | None:
        """The file of a module of a followed package, None if there is none."""
        if dotted not in self._found:
            self._found[dotted] = self._find(dotted)
        return self._found[dotted]

    def _find(self, dotted: str) -> str | None:
        package = self.package_of(dotted)
        parts = dotted.split(".")
        if package is None or not all(parts):
            return None
        top = self._packages[package]
        inside = parts[package.count(".") + 1 :]
        if top.suffix == ".py":
            return None if inside else self._known(top, dotted)
        base = top.joinpath(*inside)
        candidates = (base / "__init__.py", *([base.with_name(f"{base.name}.py")] if inside else []))
        return next((self._known(path, dotted) for path in candidates if os.path.isfile(path)), None)

    def _known(self, path: Path, dotted: str) -> str:
        name = path.as_posix()
        self._dotted[name] = dotted
        return name

    def dotted(self, name: str) -> str:
        """The dotted name of a file that was found."""
        return self._dotted[name]

    def text(self, name: str) -> SourceText | None:
        """A file that was found, read the first time; None if it cannot be read."""
        if name not in self._dotted:
            return None
        if name not in self._texts:
            path = Path(name)
            text = self._read(path)
            self._texts[name] = SourceText(name, path, text) if text is not None else None
        return self._texts[name]

    def files(self) -> Iterator[str]:
        """The paths of all files that modules of the packages may be found in."""
        pending = [str(top) for top in self._packages.values()]
        while pending:
            path = pending.pop()
            if path.endswith(".py"):
                yield path
                continue
            with suppress(OSError), os.scandir(path) as entries:
                pending += (
                    entry.path for entry in entries if entry.name.endswith(".py") or entry.is_dir(follow_symlinks=False)
                )

    def read(self, name: str) -> str | None:
        """The text of a file of a followed package that need not have been found yet; None if there is none."""
        path = Path(name)
        inside = any(path == top or top in path.parents for top in self._packages.values())
        return self._read(path) if inside else None

    def shown(self, name: str) -> str:
        """How a file is called wherever the package is installed: `package/module.py`."""
        dotted = self._dotted[name]
        package = self.package_of(dotted) or dotted
        top = self._packages[package]
        above = package.replace(".", "/").rpartition("/")[0]
        inside = Path(name).relative_to(top.parent).as_posix()
        return f"{above}/{inside}" if above else inside

    def definers(self, name: str, wanted: str, text_of: Callable[[str], SourceText | None]) -> Iterator[str]:
        """The files below a package that makes its names when they are asked for, in which one is a class or function.

        Such a package (a module-level `__getattr__`, another object in `sys.modules`) imports nothing that a reader
        could follow. The file `name` is that of the package.
        """
        text = text_of(name)
        if text is None or not name.endswith("/__init__.py") or not _LAZY.search(text.text):
            return
        definition = re.compile(rf"^(?:class|def)[ \t]+{re.escape(wanted)}\b", re.MULTILINE)
        for path in sorted(Path(name).parent.rglob("*.py")):
            dotted = ".".join((self._dotted[name], *path.relative_to(Path(name).parent).with_suffix("").parts))
            found = self.find(dotted.removesuffix(".__init__"))
            below = text_of(found) if found is not None else None
            if found is not None and below is not None and wanted in below.text and definition.search(below.text):
                yield found
