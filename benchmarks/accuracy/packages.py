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
    """The package's folder under one of these, in the version that the truth was collected on. Raises PackageError."""
    seen: list[str] = []
    for folder in folders:
        package = folder / truth.package
        if not package.is_dir():
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
    for distribution in distributions(path=[str(folder)]):
        if _normal(distribution.metadata["Name"] or "") == _normal(package) or _brought(distribution, package):
            return public(distribution.version)
    return ""


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "_", name).lower()


def _brought(distribution: Distribution, package: str) -> bool:
    return any(file.parts[0] == package and len(file.parts) > 1 for file in distribution.files or ())


def read_sources(package: Path) -> Mapping[str, str]:
    """Every Python file of the package: `package/path.py` → text. What is not UTF-8 is left out, as nobody runs it."""
    texts: dict[str, str] = {}
    for path in sorted(package.rglob("*.py")):
        try:
            texts[path.relative_to(package.parent).as_posix()] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
    return texts
