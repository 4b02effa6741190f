"""Runs the program, in a Python of its own, with the recorder in it.

The program is started exactly as python itself would start it: `python SCRIPT ARGS…`, the interpreter's
own options passed on. The recorder reaches it, and every Python process that it starts, through two
environment variables: PYTHONPATH finds `site/sitecustomize.py`, COMPILELINT_TRACE says what to do. So a
crash of the program, a kill or a timeout leaves this process to tell what was seen.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from compilelint.runtime.bootstrap import VARIABLE
from compilelint.runtime.session_files import SUFFIX, session_files

if TYPE_CHECKING:
    from compilelint.runtime.events import Scalar

_PATIENCE = 5.0
"""Seconds between asking a program to end and killing it."""
_SITE = Path(__file__).parent / "site"


@dataclass(frozen=True, slots=True)
class Ended:
    """How the program ended: with an exit code, or by a signal."""

    exit_code: int | None
    signal: int | None
    timed_out: bool
    recorded: bool
    """There is a session file: the program imported torch, or a process that it started did."""


class LaunchError(Exception):
    """The program could not be started or recorded. The message says why."""


def new_session_path(program: Sequence[str], launch: int | None = None) -> Path:
    """A file for a session that nobody named: it outlives this process, if that is killed.

    Processes that give the same `launch`, the id of the process that started them, get the same.
    """
    name = program[1] if program[0] == "-m" else Path(program[0]).stem.lstrip("-") or "stdin"
    folder = Path(tempfile.gettempdir()) / f"compilelint-{_user()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    which = time.strftime("%Y%m%d-%H%M%S") + f"-{os.getpid()}" if launch is None else f"launch-{launch}"
    return folder / f"{name}-{which}{SUFFIX}"


def run(
    program: Sequence[str],
    session: Path,
    settings: Mapping[str, Scalar],
    *,
    timeout: float | None = None,
    called: Sequence[str] | None = None,
    meanwhile: Callable[[], None] = lambda: None,
) -> Ended:
    """Run `SCRIPT ARGS…`, `-m MODULE ARGS…` or `-c CODE ARGS…` to its end, and record it in `session`.

    The session calls the program so, or `called` if that is given. `meanwhile` is called once it runs.

    `settings` are those of `recording.begin`. After `timeout` seconds the program is asked to end
    (SIGTERM), and killed if it does not. Raises LaunchError if it cannot be started, or if the options
    with which this Python was started (-I, -E, -S) keep the recorder out, or it was not installed whole.
    """
    if sys.flags.ignore_environment or sys.flags.no_site:
        raise LaunchError("the recorder cannot reach a Python that was started with -I, -E or -S")
    if not (_SITE / "sitecustomize.py").is_file():  # the program would run to its end, and nothing be recorded
        raise LaunchError(f"{_SITE}: sitecustomize.py is missing, without which nothing is recorded: install it again")
    session = session.absolute()
    if session.is_dir():
        raise LaunchError(f"{session}: a folder; a session is a file, and a folder only under a launcher of ranks")
    if session.exists() and not session.is_file():
        raise LaunchError(f"{session}: not a file; a session is one, which the report reads when the program has ended")
    try:
        session.parent.mkdir(parents=True, exist_ok=True)
        session.touch()  # can it be written at all?
        for left_behind in session_files(session):
            left_behind.unlink(missing_ok=True)
    except OSError as error:
        raise LaunchError(f"{session}: {(error.strerror or str(error)).lower()}") from error
    command = [sys.executable, *_interpreter_options(), *program]
    try:
        process = subprocess.Popen(command, env=_environment(called or program, session, settings))
    except OSError as error:
        raise LaunchError(f"{sys.executable}: {(error.strerror or str(error)).lower()}") from error
    started = time.time()
    with _signals_passed_on(process):
        meanwhile()
        code, timed_out = _wait(process, timeout)
    from compilelint.runtime.ending import write_end  # the program did not wait for what that needs

    exit_code, number = (code, None) if code >= 0 else (None, -code)
    recorded = write_end(
        session,
        tuple(called or program),
        settings,
        started=started,
        exit_code=exit_code,
        signal=number,
        timed_out=timed_out,
    )
    return Ended(exit_code, number, timed_out, recorded)


def end_like(ended: Ended) -> None:
    """End this process by the signal that ended the program; does nothing if there was none."""
    if ended.signal is None:
        return
    sys.stdout.flush()
    sys.stderr.flush()
    with _no_core_dump():
        if ended.signal != signal.SIGKILL:
            signal.signal(ended.signal, signal.SIG_DFL)
        os.kill(os.getpid(), ended.signal)


def _environment(program: Sequence[str], session: Path, settings: Mapping[str, Scalar]) -> dict[str, str]:
    asked = {
        "path": str(session),
        "program": list(program),
        "settings": dict(settings),
        "launcher": os.getpid(),
    }
    paths = [str(_SITE), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, VARIABLE: json.dumps(asked), "PYTHONPATH": os.pathsep.join(paths)}


def _interpreter_options() -> list[str]:
    """-X, -W, -O … as multiprocessing hands them on to its children."""
    options: list[str] = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
    if sys.flags.unbuffered if hasattr(sys.flags, "unbuffered") else False:
        options.append("-u")
    return options


def _wait(process: subprocess.Popen[bytes], timeout: float | None) -> tuple[int, bool]:
    try:
        return process.wait(timeout), False
    except subprocess.TimeoutExpired:
        process.terminate()
    try:
        return process.wait(_PATIENCE), True
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait(), True


@contextmanager
def _signals_passed_on(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """What is sent to this process is meant for the program.

    Ctrl-C and Ctrl-\\ reach the program from the terminal already, as it is in the same process group;
    it may take a second one for an order to hurry.
    """

    def pass_on(number: int, frame: FrameType | None) -> None:
        if not (number in _FROM_KEYBOARD and _in_foreground()):
            process.send_signal(number)

    before: dict[int, Callable[[int, FrameType | None], object] | int | None] = {}
    for name in _PASSED_ON:
        if (number := getattr(signal, name, None)) is not None and signal.getsignal(number) is not signal.SIG_IGN:
            before[number] = signal.signal(number, pass_on)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)


_PASSED_ON = ("SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGBREAK")
_FROM_KEYBOARD = {number for name in ("SIGINT", "SIGQUIT") if (number := getattr(signal, name, None))}


def _in_foreground() -> bool:
    """Whether this process group is the one that the terminal's keys are for."""
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)


@contextmanager
def _no_core_dump() -> Iterator[None]:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    except (ImportError, ValueError, OSError):
        pass
    yield


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
