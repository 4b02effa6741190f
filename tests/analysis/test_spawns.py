"""Units walked by processes that are started for it."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from compilelint.analysis import forks, spawns, workers
from compilelint.analysis.answers import WorkerError, WorkerTraceback
from compilelint.analysis.job import Job, walker
from compilelint.analysis.store import Store
from compilelint.analysis.workers import walk_all
from compilelint.match.units import Program, Unit
from compilelint.regions import RootError
from tests.analysis.make import RULES, analysis, files, places, write

NET = "import torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        x.mul({0}).item()\n"
PROJECT = {f"net{number}.py": NET.format(number) for number in range(8)}


@pytest.fixture(autouse=True)
def _every_unit_is_worth_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_WORTH_A_START", 1)
    monkeypatch.setattr(forks, "are_safe", lambda: False)


def test_two_processes_find_what_one_finds(tmp_path: Path) -> None:
    folder = write(tmp_path / "project", {**PROJECT, "broken.py": "import torch\n("})
    alone = analysis(folder, Store(None))
    assert places(alone) == [*(f"net{number}.py:4 CL101" for number in range(8)), "broken.py:2"]
    assert analysis(folder, Store(None), jobs=2) == alone
    assert analysis(folder, Store(None), jobs=3) == alone


def test_a_worker_that_dies_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "project", PROJECT)
    monkeypatch.setattr(spawns, "_PROGRAM", "import sys; sys.exit(7)  # {0}")
    with pytest.raises(WorkerError, match=r"ended early \(exit code 7\)"):
        analysis(folder, Store(None), jobs=2)


@pytest.mark.parametrize("answer", ["b'cnowhere\\nthing\\n.'", "b'no pickle'"])
def test_an_answer_that_cannot_be_read_is_told(answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "project", PROJECT)
    program = f"import sys; sys.stdout.buffer.write({answer}); sys.stdout.flush(); sys.stdin.buffer.read()  # {{0}}"
    monkeypatch.setattr(spawns, "_PROGRAM", program)
    with pytest.raises(WorkerError, match="gave no answer"):
        analysis(folder, Store(None), jobs=2)


def test_where_no_process_can_be_started_this_one_does_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*arguments: object, **options: object) -> None:
        raise BlockingIOError("too many processes")

    folder = write(tmp_path / "project", PROJECT)
    monkeypatch.setattr(spawns.subprocess, "Popen", refused)
    assert len(places(analysis(folder, Store(None), jobs=3))) == 8


def test_no_thread_is_left_behind(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    analysis(write(tmp_path / "project", PROJECT), Store(None), jobs=2)
    deadline = time.monotonic() + 5
    while (left := set(threading.enumerate()) - before) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not left


@pytest.mark.skipif(os.name == "nt", reason="sends a signal as a terminal does")
def test_ctrl_c_is_left_to_the_process_that_started_it(tmp_path: Path) -> None:
    folder = write(tmp_path / "project", PROJECT)
    command = [sys.executable, "-I", "-c", spawns._PROGRAM.format(spawns.__name__)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        for request in (sys.path, Job(files(folder, Store(None)), RULES, Program()), (0, Unit("net0.py"))):
            pickle.dump(request, process.stdin)
        process.stdin.flush()
        assert pickle.load(process.stdout)[0] == 0
        process.send_signal(signal.SIGINT)
        pickle.dump((1, Unit("net1.py")), process.stdin)
        process.stdin.close()
        assert pickle.load(process.stdout)[0] == 1
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_what_a_worker_raises_is_told_with_its_traceback(tmp_path: Path) -> None:
    every = files(write(tmp_path / "project", PROJECT), Store(None))
    units = [Unit("", ("gone.py::f",)), Unit("net0.py")]
    job = Job(every, RULES, Program())
    with pytest.raises(RootError) as raised:
        list(walk_all(job, walker(job, every.tree()), units, [2, 1], 2, lambda done: None))
    assert isinstance(raised.value.__cause__, WorkerTraceback)
    assert "in named_roots" in str(raised.value.__cause__)


def test_a_worker_imports_nothing_from_the_current_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "project", {**PROJECT, "pickle.py": "raise SystemExit('imported')\n"})
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    assert len(places(analysis(folder, Store(None), jobs=2))) == 8
