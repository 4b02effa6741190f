"""Runs first in a traced process: waits for torch, then starts the recorder.

What to do is in the environment variable COMPILELINT_TRACE, as JSON, so that it reaches every Python
process that the program starts: spawned workers, torchrun's ranks. Until the program imports torch,
nothing but this module and `imports` is loaded.
"""

from __future__ import annotations

import atexit
import json
import os
import sys
import time
from typing import Any

from compilelint.runtime.imports import when_imported

VARIABLE = "COMPILELINT_TRACE"


def start() -> None:
    """Prepare this process as COMPILELINT_TRACE asks; does nothing if it asks nothing."""
    text = os.environ.get(VARIABLE)
    if not text:
        return
    started, begun = time.time(), time.perf_counter()
    try:
        asked: dict[str, Any] = json.loads(text)
    except ValueError:
        return
    if os.getppid() == asked.get("launcher"):
        _die_with_parent()
    when_imported("torch._logging", lambda module: _record(asked, started, begun))


def _record(asked: dict[str, Any], started: float, begun: float) -> None:
    """torch is being imported: everything of the recorder's may be, too."""
    from pathlib import Path

    from compilelint.runtime import recording

    listener = None
    if asked["settings"].get("live"):
        from compilelint.runtime.live import print_event

        listener = print_event
    main = os.getppid() == asked.get("launcher")
    recording.begin(
        path=Path(asked["path"]),
        program=tuple(asked["program"]),
        settings=asked["settings"],
        parent=None if main else os.getppid(),
        started=started,
        begun=begun,
        listener=listener,
        at_exit=atexit.register,
    )


def _die_with_parent() -> None:
    """If `compilelint trace` is killed so hard that it cannot pass it on, the program is to end as well."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes
    import signal

    set_parent_death_signal = 1  # PR_SET_PDEATHSIG of <linux/prctl.h>
    ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)
