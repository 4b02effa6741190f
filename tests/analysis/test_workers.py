"""Units walked in other processes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from compilelint.analysis import workers
from compilelint.analysis.store import Store
from compilelint.analysis.workers import WorkerError
from tests.analysis.make import analysis, places, write

NET = "import torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        x.mul({0}).item()\n"
PROJECT = {f"net{number}.py": NET.format(number) for number in range(8)}


@pytest.fixture(autouse=True)
def _every_unit_is_worth_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_WORTH_A_WORKER", 1)


def test_two_processes_find_what_one_finds(tmp_path: Path) -> None:
    folder = write(tmp_path / "project", {**PROJECT, "broken.py": "import torch\n("})
    alone = analysis(folder, Store(None))
    assert places(alone) == [*(f"net{number}.py:4 CL101" for number in range(8)), "broken.py:2"]
    assert analysis(folder, Store(None), jobs=2) == alone
    assert analysis(folder, Store(None), jobs=3) == alone


def test_a_worker_that_dies_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "project", PROJECT)
    monkeypatch.setattr(workers, "_PROGRAM", "import sys; sys.exit(7)  # {0}")
    with pytest.raises(WorkerError, match=r"ended early \(exit code 7\)"):
        analysis(folder, Store(None), jobs=2)


def test_a_worker_imports_nothing_from_the_current_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "project", {**PROJECT, "pickle.py": "raise SystemExit('imported')\n"})
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    assert len(places(analysis(folder, Store(None), jobs=2))) == 8
