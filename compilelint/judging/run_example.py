"""Runs an example in a process of its own.

Dynamo, functorch and the examples themselves leave things behind in a process: the order of examples
would decide what is measured, and one that crashes torch would end the run. Forking from a process in
which torch is imported and has done nothing yet costs milliseconds, where a new one costs seconds.
"""

from __future__ import annotations

import faulthandler
import functools
import gc
import importlib
import os
import pickle
import select
import signal
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path

import torch

from compilelint.judging.recorder import Run, record

TIMEOUT = 120.0
"""Seconds that one example may take in one mode."""


def run_example(source: str, modes: Sequence[str], timeout: float = TIMEOUT) -> dict[str, Run]:
    """What Dynamo does with an example in each of these `dynamo_recorder.MODES`.

    An example that ends its process, or runs for longer than `timeout` seconds, is broken. Where the
    system cannot fork it runs in this process.
    """
    # Of this process: one that ends anyhow leaves nothing behind.
    with tempfile.TemporaryDirectory(prefix="compilelint-judged-") as folder:
        if not hasattr(os, "fork"):
            return record(source, modes, Path(folder))
        return _run_in_fork(source, modes, Path(folder), timeout)


def _run_in_fork(source: str, modes: Sequence[str], folder: Path, timeout: float) -> dict[str, Run]:
    _warm_up()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _answer(writer, source, modes, folder)
    os.close(writer)
    with open(reader, "rb") as pipe:
        if not select.select([pipe], [], [], timeout)[0]:
            os.kill(child, signal.SIGKILL)
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    if answer:
        runs: dict[str, Run] = pickle.loads(answer)
        return runs
    return dict.fromkeys(modes, Run(broken=_death(status, timeout)))


@functools.cache
def _warm_up() -> None:
    """Import what Dynamo imports late, so that it is there after each fork: for modules, breaks, and sizes that vary.
    Starts no thread."""
    module = torch.nn.ReLU()

    def f(x: torch.Tensor) -> torch.Tensor:
        y = module(x)
        torch._dynamo.graph_break()  # compilelint: ignore[CL321] what follows a break is compiled by other code
        return y * x.size(0)

    compiled = torch.compile(f, backend="eager")
    for size in (2, 3, 4):
        compiled(torch.ones(size))
    torch._dynamo.reset()


def _answer(writer: int, source: str, modes: Sequence[str], folder: Path) -> None:
    """The child: record, answer through the pipe, and end without the parent's exit handlers."""
    torch.set_num_threads(1)  # the parent's thread pool does not outlive the fork: waiting for it would never end
    gc.freeze()  # else the first collection copies every page that was shared
    faulthandler.disable()
    importlib.reload(warnings)  # pytest has put a list's `append` in the place of one of its functions
    try:
        runs = record(source, modes, folder)
    except BaseException as error:
        runs = dict.fromkeys(modes, Run(broken=f"ends the run: {error!r}"))
    try:
        with open(writer, "wb") as pipe:
            pickle.dump(runs, pipe)
    finally:
        os._exit(0)


def _death(status: int, timeout: float) -> str:
    code = os.waitstatus_to_exitcode(status)
    if code == -signal.SIGKILL:
        return f"killed after {timeout:g} s"
    return f"the process died: {signal.Signals(-code).name}" if code < 0 else f"the process exited with {code}"
