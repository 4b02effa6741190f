"""What a process recorded before it put another program in its own place, as `os.execv` does: a script that starts
itself again with other variables of the environment."""

from __future__ import annotations

import itertools
import json
import time
from dataclasses import replace
from pathlib import Path

from compilelint.runtime.events import Footer, Header
from compilelint.runtime.session import from_json, to_line
from compilelint.runtime.session_files import child_path


def keep_earlier(main: Path, path: Path, pid: int) -> None:
    """Keep what this process has written to `path`, its session file, as that of a child; nothing if it wrote nothing.

    `main` is the file of the run, beside which those of children lie. Raises OSError, and leaves the file as it is, if
    that cannot be.
    """
    if not path.exists() or not (lines := path.read_text(encoding="ascii", errors="replace").splitlines()):
        return
    try:
        header, last = (from_json(json.loads(line)) for line in (lines[0], lines[-1]))
    except ValueError:
        return
    if not isinstance(header, Header) or header.pid != pid or isinstance(last, Footer):
        return  # of another process, or of a recording that came to its end: it is to be written over
    parent = pid if header.parent is None else header.parent
    free = next(each for number in itertools.count(1) if not (each := _numbered(main, pid, number)).exists())
    kept = [to_line(replace(header, parent=parent)), *(f"{line}\n" for line in lines[1:])]
    free.write_text("".join([*kept, to_line(Footer(ended=time.time()))]), encoding="ascii")


def _numbered(main: Path, pid: int, number: int) -> Path:
    child = child_path(main, pid)
    return child.with_name(f"{child.stem}-{number}{child.suffix}")
