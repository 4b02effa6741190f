"""Where sessions are: the files of a run and of the processes that it started."""

from __future__ import annotations

from pathlib import Path

SUFFIX = ".jsonl"
"""Of every session file."""


def session_files(path: Path) -> tuple[Path, ...]:
    """The files of a run: all sessions in a directory; a main process's file and those of its children."""
    if path.is_dir():
        return tuple(sorted(path.glob(f"*{SUFFIX}")))
    return (path, *children_of(path))


def children_of(main: Path) -> tuple[Path, ...]:
    """The files of the processes that a main process started."""
    return tuple(sorted(main.parent.glob(f"{glob_safe(main.stem)}.child-*{SUFFIX}")))


def child_path(main: Path, pid: int) -> Path:
    """Where a child of the process that writes to `main` writes."""
    return main.with_name(f"{main.stem}.child-{pid}{SUFFIX}")


def glob_safe(text: str) -> str:
    """The pattern that matches only this text."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in text)
