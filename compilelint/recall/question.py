"""What is asked of the program, as far as it can be known before the program is imported."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

_CACHE_DIR = "--cache-dir"
_SHOWN_BY = ("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS", "LINES")
"""The environment's word on how text is laid out."""


@dataclass(frozen=True, slots=True)
class Question:
    """The words of a command line, and all around them that may change what they mean."""

    arguments: tuple[str, ...]
    directory: str
    """The current one."""
    around: tuple[object, ...]
    cache: str
    """The directory in which answers are remembered."""
    asked_ns: int
    """When it was asked, by the clock of the files."""

    @property
    def file(self) -> str:
        """Where its answer is."""
        digest = blake2b(repr(self.told).encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
        return os.path.join(self.cache, f"{os.path.basename(self.directory) or 'root'}-{digest}.answer.json")

    @property
    def told(self) -> tuple[object, ...]:
        """All that tells it from other questions."""
        return self.arguments, self.directory, self.around


def asked(arguments: Sequence[str]) -> Question:
    """The question that a command line is here and now."""
    try:
        directory = os.getcwd()
    except OSError:  # it is gone
        directory = ""
    environment = tuple(os.environ.get(name) for name in _SHOWN_BY)
    # What one user may read another may not.
    user = os.geteuid() if hasattr(os, "geteuid") else None
    around = (environment, _terminal(), os.path.expanduser("~"), user, sys.version_info[:2])
    return Question(tuple(arguments), directory, around, _cache_in(arguments), time.time_ns())


def asks_for_memory() -> bool:
    """Whether the environment says where what is remembered is to be."""
    return bool(os.environ.get("COMPILELINT_CACHE_DIR"))


def cache_directory() -> str:
    """Where what is remembered of all projects is, if the command line does not say."""
    if asked := os.environ.get("COMPILELINT_CACHE_DIR"):
        return asked
    if os.name == "nt":
        return os.path.join(os.path.expanduser(os.environ.get("LOCALAPPDATA", "~")), "compilelint", "cache")
    return os.path.join(os.path.expanduser(os.environ.get("XDG_CACHE_HOME") or "~/.cache"), "compilelint")


def _cache_in(arguments: Sequence[str]) -> str:
    """The directory that a command line names, else the usual one.

    Where a word only looks like the option it is another directory, in which there is no answer, or a true one.
    """
    found = ""
    for position, word in enumerate(arguments):
        if word == _CACHE_DIR:
            found = "".join(arguments[position + 1 : position + 2])
        elif word.startswith(f"{_CACHE_DIR}="):
            found = word.partition("=")[2]
    return found or cache_directory()


def _terminal() -> tuple[int, int] | None:
    """Of a terminal that is written to, its size."""
    try:
        return tuple(os.get_terminal_size(sys.__stdout__.fileno())) if sys.stdout.isatty() else None  # type: ignore
    except (AttributeError, ValueError, OSError):
        return None
