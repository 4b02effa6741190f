"""What is asked of the report of a run. Light to import: a traced program waits for it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


class RunError(Exception):
    """What was asked for cannot be done; the message is one line for the user."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What the command line says. None leaves a thing to the configuration."""

    check: bool = True
    """Join with a check of the owned files."""
    check_paths: tuple[Path, ...] = ()
    """Check these instead."""
    follow: tuple[str, ...] = ()
    """Packages that the check follows into, beside those that the configuration names."""
    own: tuple[str, ...] = ()
    """Paths and packages that are the user's own, besides the project."""
    config_file: Path | None = None
    isolated: bool = False
    warmup: int | None = None
    max_breaks: int | None = None
    max_recompiles: int | None = None
    max_compile_seconds: float | None = None
    baseline: Path | None = None
    """Its file: what it knows is not reported, and breaks no budget."""
    no_baseline: bool = False
    exit_zero: bool = False
    cache_dir: Path | None = None
    """Where the check remembers what it found out, if not where all do."""
    no_cache: bool = False
