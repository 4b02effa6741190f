"""`[tool.compilelint]`: found, read, validated."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from compilelint.project.patterns import matcher
from compilelint.report.confidence import Confidence
from compilelint.spelling import nearest

DEFAULT_EXCLUDE = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".git-rewrite",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pants.d",
    ".pyenv",
    ".pytest_cache",
    ".pytype",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    ".vscode",
    "__pypackages__",
    "_build",
    "buck-out",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
)
Roots = Literal["all", "explicit"]


@dataclass(frozen=True, slots=True)
class Config:
    """What a project asks for; `file` is where it says so. Patterns are relative to the project root."""

    file: Path | None = None
    select: tuple[str, ...] = ("ALL",)
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[str, ...] = ()
    respect_gitignore: bool = True
    force_exclude: bool = False
    root: tuple[str, ...] = ()
    """`path.py::Qual.name`, the path relative to the project root."""
    roots: Roots = "all"
    target_torch: str | None = None
    min_confidence: Confidence = Confidence.MEDIUM
    extra_rules: tuple[str, ...] = ()
    """Globs of rule pages, relative to the directory of `file`."""
    follow: tuple[str, ...] = ()
    """Installed packages that regions reach into, by the names that are imported."""
    python: str | None = None
    """The environment in which they are installed, or its interpreter, relative to the directory of `file`."""
    baseline: str | None = None
    """The file of what is accepted, relative to the directory of `file`."""
    trace: Mapping[str, Any] = field(default_factory=dict)


class ConfigError(Exception):
    """The configuration is wrong; the message is one line with the file and, where known, the line."""


def find_config(start: Path) -> Path | None:
    """The nearest pyproject.toml at or above a directory that has a `[tool.compilelint]` table."""
    for directory in (start, *start.parents):
        file = directory / "pyproject.toml"
        if has_table(file):
            return file
    return None


def has_table(file: Path) -> bool:
    """Whether a pyproject.toml has `[tool.compilelint]`; a broken one counts if it names the tool."""
    try:
        text = file.read_bytes()
    except OSError:
        return False
    if b"compilelint" not in text:
        return False
    try:
        return "compilelint" in _parse(file).get("tool", {})
    except ConfigError:
        return True


def read_config(file: Path) -> Config:
    """The configuration in a pyproject.toml, or in a TOML file of our own whose keys stand at the top."""
    values = _parse(file)
    if file.name == "pyproject.toml" or "compilelint" in values.get("tool", {}):
        values = values.get("tool", {}).get("compilelint", {})
    if not isinstance(values, dict):
        raise ConfigError(f"{file}: [tool.compilelint] must be a table")
    return _validated(file, values)


def _parse(file: Path) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(file.read_bytes().decode("utf-8"))
    except OSError as error:
        raise ConfigError(f"{file}: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: is not valid UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        place = re.search(r" \(at line (\d+), column \d+\)", str(error))
        line = f":{place[1]}" if place else ""
        raise ConfigError(f"{file}{line}: {re.sub(r' [(]at .*', '', str(error))}") from error


def _validated(file: Path, values: Mapping[str, Any]) -> Config:
    found: dict[str, Any] = {}
    for key, value in values.items():
        place = _place(file, key)
        if key not in _KEYS:
            raise ConfigError(f"{place}: unknown key {key!r} in [tool.compilelint]{nearest(key, _KEYS)}")
        expected, convert = _KEYS[key]
        try:
            found[key.replace("-", "_")] = convert(value)
        except (TypeError, ValueError) as error:
            raise ConfigError(f"{place}: {key} must be {expected}{_detail(error)}") from error
    return replace(Config(file=file), **found)


def _place(file: Path, key: str) -> str:
    """File and line of a key: the TOML parser of the standard library keeps no lines."""
    pattern = re.compile(rf"""[ \t]*(?:\[tool\.compilelint\.)?["']?{re.escape(key)}["']?[ \t]*[=\].]""")
    try:
        lines = file.read_text("utf-8").split("\n")
    except OSError:
        return str(file)
    start = next((number for number, line in enumerate(lines) if "compilelint" in line), 0)
    for number, line in enumerate(lines[start:], start=start + 1):
        if pattern.match(line):
            return f"{file}:{number}"
    return str(file)


def _detail(error: Exception) -> str:
    return f", not {error}" if str(error) else ""


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError(repr(value))
    for item in value:
        _string(item)
    return tuple(value)


def _patterns(value: object) -> tuple[str, ...]:
    for pattern in (patterns := _strings(value)):
        try:
            matcher([pattern])
        except re.error as error:
            raise ValueError(repr(pattern)) from error
    return patterns


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(repr(value))
    return value


def _boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(repr(value))
    return value


def _ignores(value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    _patterns(list(_table(value)))
    return tuple((pattern, _strings(codes)) for pattern, codes in _table(value).items())


def _table(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(repr(value))
    return value


def _confidence(value: object) -> Confidence:
    return Confidence[_one_of(value, *(each.label for each in Confidence)).upper()]


def _roots(value: object) -> str:
    return _one_of(value, "all", "explicit")


def _one_of(value: object, *words: str) -> str:
    if value not in words:
        raise ValueError(repr(value))
    return str(value)


_STRINGS = "a list of strings"
_PATTERNS = "a list of path patterns"
_KEYS: dict[str, tuple[str, Callable[[object], object]]] = {
    "select": (_STRINGS, _strings),
    "ignore": (_STRINGS, _strings),
    "extend-select": (_STRINGS, _strings),
    "per-file-ignores": ("a table from patterns to lists of rule codes", _ignores),
    "exclude": (_PATTERNS, _patterns),
    "extend-exclude": (_PATTERNS, _patterns),
    "respect-gitignore": ("true or false", _boolean),
    "force-exclude": ("true or false", _boolean),
    "root": ('a list of "path.py::Qualified.name"', _strings),
    "roots": ('"all" or "explicit"', _roots),
    "target-torch": ('a version such as "2.13"', _string),
    "min-confidence": ('"low", "medium" or "high"', _confidence),
    "extra-rules": (_STRINGS, _strings),
    "follow": (_STRINGS, _strings),
    "python": ("the path of an environment or of an interpreter", _string),
    "baseline": ("the path of a baseline", _string),
    "trace": ("a table", _table),
}
