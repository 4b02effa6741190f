"""The sessions of all ranks of a run, once they have ended."""

from __future__ import annotations

import time
from pathlib import Path

from compilelint.runtime.ranks import LAUNCH_SETTING, Place
from compilelint.runtime.session import Session, SessionError, read_session
from compilelint.runtime.session_files import SUFFIX

_PATIENCE = 15.0
"""Seconds that rank 0 waits for the others to end, once its own program has."""
_PAUSE = 0.1


def gather(
    folder: Path, launch: str, own: Place, *, everywhere: bool, patience: float = _PATIENCE
) -> tuple[Session, ...]:
    """The sessions of this launch in a folder, as soon as each rank has ended its own.

    Waits for the ranks of this machine, or, if the folder may be shared, `everywhere` for all, but no
    longer than `patience` seconds: what is missing then is missing. Sessions of other launches, and files
    that are no sessions (yet), are left out.
    """
    awaited = own.world_size if everywhere else own.local_world_size or own.world_size
    deadline = time.monotonic() + patience
    while True:
        sessions = tuple(each for each in _readable(folder) if each.header.settings.get(LAUNCH_SETTING) == launch)
        ended = {each.header.rank for each in sessions if _is_over(each)}
        if len(ended) >= awaited or time.monotonic() >= deadline:
            return sessions
        time.sleep(_PAUSE)


def _is_over(session: Session) -> bool:
    """The rank's launcher has written how its program ended."""
    footer = session.footer
    return session.header.parent is None and footer is not None and footer.from_launcher


def _readable(folder: Path) -> list[Session]:
    sessions: list[Session] = []
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        try:
            sessions.append(read_session(path))
        except SessionError:
            continue
    return sessions
