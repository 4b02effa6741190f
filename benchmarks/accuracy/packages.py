"""The installed sources of a package: where they are, of which version, and their text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path

from benchmarks.accuracy.truth import Truth


class PackageError(Exception):
    """The sources that the truth is about cannot be had; the message is one line for the user."""


def locate(truth: Truth, folders: Iterable[Path]) -> Path:
    """The package's folder under one of these, or its file if it is a single module, in the version that the truth was
    collected on. Raises PackageError."""
    seen: list[str] = []
    for folder in folders:
        package = folder / truth.package
        if not package.is_dir():
            package = folder / f"{truth.package}.py"
        if not package.is_file() and not package.is_dir():
            continue
        version = installed_version(folder, truth.package)
        if not truth.version or version == public(truth.version):
            return package
        seen.append(f"{package} is {version or 'of no known version'}")
    if seen:
        raise PackageError(f"{truth.package}: the truth is about {truth.version}, but {', '.join(seen)}")
    raise PackageError(f"{truth.package}: not found under {', '.join(map(str, folders)) or 'no folder'}")


def public(version: str) -> str:
    """The version without what a build adds to it: 2.13.0+cpu is 2.13.0."""
    return version.partition("+")[0]


def installed_version(folder: Path, package: str) -> str:
    """The version of the distribution in a folder that brought this package, without its local part; empty if none."""
    found = _distribution(folder, package)
    return public(found.version) if found is not None else ""


def pin(package: Path) -> str:
    """The line of sources.txt for an installed package: `open_clip_torch==3.3.0  # open_clip`. Raises PackageError."""
    found = _distribution(package.parent, package.stem)
    if found is None:
        raise PackageError(f"{package}: no distribution says that it brought this package")
    name = found.metadata["Name"]
    also = "" if normal(name) == normal(package.stem) else f"  # {package.stem}"
    return f"{name}=={public(found.version)}{also}"


def pinned(text: str) -> dict[str, str]:
    """The version of each package that the lines of sources.txt install, by the package's normal name."""
    lines = [re.fullmatch(r"([^\s=#]+)==([^\s#]+)(?:\s+#\s*(\S+))?", line.strip()) for line in text.splitlines()]
    return {normal(line[3] or line[1]): line[2] for line in lines if line}


def normal(name: str) -> str:
    """The name of a package or distribution without what differs between ways of writing it."""
    return re.sub(r"[-_.]+", "_", name).lower()


def _distribution(folder: Path, package: str) -> Distribution | None:
    """That of the package's own name before any other that has files in it; of several the one installed last:
    `pip install --upgrade --target` leaves the metadata of older ones behind."""
    every = list(distributions(path=[str(folder)]))
    named = [each for each in every if normal(each.metadata["Name"] or "") == normal(package)]
    top = package if (folder / package).is_dir() else f"{package}.py"
    brought = (each for each in every if any(file.parts[0] == top for file in each.files or ()))
    return max(named or brought, key=_installed_at, default=None)


def _installed_at(distribution: Distribution) -> float:
    """When the metadata was written, in seconds; 0 where nobody tells."""
    written = (Path(str(file.locate())) for file in distribution.files or () if file.name == "METADATA")
    return max((path.stat().st_mtime for path in written if path.exists()), default=0)


def read_sources(package: Path) -> Mapping[str, str]:
    """Every Python file of the package: `package/path.py` → text. What is not UTF-8 is left out, as nobody runs it."""
    texts: dict[str, str] = {}
    for path in sorted(package.rglob("*.py")) if package.is_dir() else [package]:
        try:
            texts[path.relative_to(package.parent).as_posix()] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
    return texts
