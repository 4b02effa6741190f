"""`[tool.compilelint.trace]`: what a project asks of its runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from compilelint.project.config import Config, ConfigError, key_place
from compilelint.spelling import nearest


@dataclass(frozen=True, slots=True)
class TraceConfig:
    """Budgets and what goes with them; None where the project says nothing."""

    max_breaks: int | None = None
    max_recompiles: int | None = None
    max_compile_seconds: float | None = None
    warmup: int | None = None
    own: tuple[str, ...] = ()
    backend: str | None = None


def trace_config(config: Config) -> TraceConfig:
    """The table of a configuration; raises ConfigError."""
    found: dict[str, Any] = {}
    for key, value in config.trace.items():
        place = key_place(config.file, key) if config.file is not None else ""
        if key not in _KEYS:
            raise ConfigError(f"{place}: unknown key {key!r} in [tool.compilelint.trace]{nearest(key, _KEYS)}")
        expected, convert = _KEYS[key]
        try:
            found[key.replace("-", "_")] = convert(value)
        except (TypeError, ValueError) as error:
            raise ConfigError(f"{place}: trace.{key} must be {expected}, not {value!r}") from error
    return replace(TraceConfig(), **found)


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError
    return value


def _seconds(value: object) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or value < 0:
        raise TypeError
    return float(value)


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise TypeError
    return tuple(value)


def _backend(value: object) -> str:
    if value not in ("eager", "aot_eager", "inductor"):
        raise ValueError
    return str(value)


_NUMBER = "a whole number that is not negative"
_KEYS: Mapping[str, tuple[str, Callable[[object], object]]] = {
    "max-breaks": (_NUMBER, _count),
    "max-recompiles": (_NUMBER, _count),
    "max-compile-seconds": ("a number of seconds", _seconds),
    "warmup": (_NUMBER, _count),
    "own": ("a list of paths and packages", _strings),
    "backend": ('"eager", "aot_eager" or "inductor"', _backend),
}
