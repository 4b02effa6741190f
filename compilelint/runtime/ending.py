"""What a session says of the end of its process, when that could not say it itself."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path

from compilelint.runtime.events import Footer, Scalar
from compilelint.runtime.recorder import Recorder
from compilelint.runtime.session import to_line
from compilelint.runtime.session_files import children_of


def write_end(
    session: Path,
    program: tuple[str, ...],
    settings: Mapping[str, Scalar],
    *,
    started: float,
    exit_code: int | None,
    signal: int | None,
    timed_out: bool,
) -> bool:
    """Add how the process ended, if it or one that it started was recorded; whether that is so.

    `started` is in seconds since the epoch. Raises OSError if the session cannot be written.
    """
    if not session.exists():
        if not children_of(session):
            return False
        Recorder(session, program, settings, started=started)  # to say what was run
    footer = Footer(
        ended=time.time(),
        exit_code=exit_code,
        signal=signal,
        stopped="timeout" if timed_out else None,
        from_launcher=True,
    )
    data = to_line(footer).encode()
    with session.open("rb+") as file:
        size = file.seek(0, os.SEEK_END)
        if size:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                data = b"\n" + data  # the process died while it wrote its last line
        file.seek(0, os.SEEK_END)
        file.write(data)
    return True
