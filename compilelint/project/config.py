"""`[tool.compilelint]`: found, read, validated."""

from __future__ import annotations

import glob
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from compilelint.project.patterns import anchored, matcher
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
    ".virtual_documents",
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
CONFIG_NAME = "pyproject.toml"
Roots = Literal["all", "explicit"]


@dataclass(frozen=True, slots=True)
class Config:
    """What a project asks for; `file` is where it says so."""

    file: Path | None = None
    base: Path | None = field(default=None, compare=False)
    """The directory, absolute, that patterns and the files of `root` are relative to; None is the project root."""
    keys: tuple[str, ...] = field(default=(), compare=False)
    """What `file` says itself, not what it extends."""
    extended: tuple[Path, ...] = field(default=(), compare=False)
    """The files that it extends, one by way of the other."""
    select: tuple[str, ...] = ("ALL",)
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[str, ...] = ()
    respect_gitignore: bool = True
    force_exclude: bool = False
    root: tuple[str, ...] = ()
    """`path.py::Qual.name`."""
    roots: Roots = "all"
    target_torch: str | None = None
    target_python: str | None = None
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
        file = directory / CONFIG_NAME
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
    """The configuration in a pyproject.toml, or in a TOML file of our own whose keys stand at the top.

    What it extends is part of it. Raises ConfigError.
    """
    return _read(file, ())


def _read(file: Path, extending: tuple[Path, ...]) -> Config:
    values = _parse(file)
    if file.name == CONFIG_NAME or "compilelint" in values.get("tool", {}):
        if extending and "compilelint" not in values.get("tool", {}):
            raise ConfigError(f"{key_place(extending[-1], 'extend')}: there is no [tool.compilelint] in {file}")
        values = values.get("tool", {}).get("compilelint", {})
    if not isinstance(values, dict):
        raise ConfigError(f"{file}: [tool.compilelint] must be a table")
    extended = values.pop("extend", None)
    own = _validated(file, values)
    if extended is None:
        return own
    place = key_place(file, "extend")
    if not isinstance(extended, str):
        raise ConfigError(f"{place}: extend must be the path of a configuration file, not {extended!r}")
    base = Path(os.path.normpath(os.path.join(file.parent, os.path.expanduser(extended))))
    if base in (chain := (*extending, file)):
        raise ConfigError(f"{place}: extend leads back to {base}")
    if not base.is_file():
        raise ConfigError(f"{place}: extend: {base}: no such file")
    return _on_top(own, _from_anywhere(_read(base, chain), base))


def _from_anywhere(config: Config, file: Path) -> Config:
    """What a file says, so that it says the same from another directory."""
    here = os.path.abspath(file.parent)
    start = Path(here).as_posix()
    return replace(
        config,
        exclude=tuple(anchored(pattern, start) for pattern in config.exclude),
        extend_exclude=tuple(anchored(pattern, start) for pattern in config.extend_exclude),
        per_file_ignores=tuple((anchored(pattern, start), codes) for pattern, codes in config.per_file_ignores),
        root=tuple(os.path.join(start, spec) for spec in config.root),
        extra_rules=tuple(os.path.join(glob.escape(here), pattern) for pattern in config.extra_rules),
        python=config.python and os.path.join(here, config.python),
        baseline=config.baseline and os.path.join(here, config.baseline),
    )


def _on_top(own: Config, base: Config) -> Config:
    """What a file says, above what the one says that it extends.

    As in ruff: `select` begins anew, without it `ignore` and `extend-select` go on from where the other ended.
    """
    said = {key: getattr(own, key) for key in own.keys}
    said["extend_exclude"] = (*base.extend_exclude, *own.extend_exclude)
    said["trace"] = {**base.trace, **own.trace}
    if "select" in own.keys:
        said |= {"ignore": own.ignore, "extend_select": own.extend_select}
    else:
        still_ignored = (selector for selector in base.ignore if selector not in own.extend_select)
        said |= {
            "ignore": (*still_ignored, *own.ignore),
            "extend_select": (*base.extend_select, *own.extend_select),
        }
    extended = (*filter(None, [base.file]), *base.extended)
    return replace(base, file=own.file, base=own.base, keys=own.keys, extended=extended, **said)


def _parse(file: Path) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(file.read_bytes().decode("utf-8-sig"))  # some editors begin a file with a byte order mark
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
        place = key_place(file, key)
        if key not in _KEYS:
            raise ConfigError(f"{place}: unknown key {key!r} in [tool.compilelint]{nearest(key, _KEYS)}")
        expected, convert = _KEYS[key]
        try:
            found[key.replace("-", "_")] = convert(value)
        except (TypeError, ValueError) as error:
            raise ConfigError(f"{place}: {key} must be {expected}{_detail(error)}") from error
    return replace(Config(file=file, base=Path(os.path.abspath(file.parent)), keys=tuple(found)), **found)


def key_place(file: Path, key: str) -> str:
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


def word_place(config: Config, keys: Iterable[str], word: str) -> str:
    """File and line of a word among the values of one of these keys, in the configuration or what it extends."""
    quoted = re.compile(rf"""(["']){re.escape(word)}\1""")
    for file in filter(None, (config.file, *config.extended)):
        for key in keys:
            _, separator, line = key_place(file, key).rpartition(":")
            if not separator or not line.isdigit():
                continue
            lines = file.read_text("utf-8").split("\n")
            for number in range(int(line), len(lines) + 1):
                if quoted.search(lines[number - 1]):
                    return f"{file}:{number}"
    return str(config.file)


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
    "target-python": ('a version such as "3.12"', _string),
    "min-confidence": ('"low", "medium" or "high"', _confidence),
    "extra-rules": (_STRINGS, _strings),
    "follow": (_STRINGS, _strings),
    "python": ("the path of an environment or of an interpreter", _string),
    "baseline": ("the path of a baseline", _string),
    "trace": ("a table", _table),
}
