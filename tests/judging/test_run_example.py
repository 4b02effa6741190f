from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest.importorskip("torch")

from compilelint.judging.recorder import Run
from compilelint.judging.run_example import run_example

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
CLEAN = "def f(x):\n    return x + 1\n"


def run_default(source: str, timeout: float = 60) -> Run:
    return run_example(source, ["default"], timeout)["default"]


def test_says_what_dynamo_did() -> None:
    run = run_default("def f(x):\n    print(x)\n    return x + 1\n")
    assert [found.line for found in run.breaks] == [2]


def test_an_example_that_crashes_is_broken_and_the_next_one_runs() -> None:
    assert run_default(f"import os\n{CLEAN}\nos.abort()\n").broken == "the process died: SIGABRT"
    assert run_default(CLEAN).graphs == 1


def test_an_example_that_leaves_the_process_is_broken() -> None:
    assert run_default(f"import os\n{CLEAN}\nos._exit(3)\n").broken == "the process exited with 3"
    assert "SystemExit" in (run_default(f"import sys\n{CLEAN}\nsys.exit()\n").broken or "")


def test_an_example_that_leaves_the_process_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left = run_default(f"import os\n{CLEAN}\nassert os.getcwd().startswith({str(tmp_path)!r})\nos._exit(3)\n")
    assert left.broken == "the process exited with 3"
    assert list(tmp_path.iterdir()) == []


def test_an_example_that_never_ends_is_broken() -> None:
    run = run_default(f"import time\n{CLEAN}\ntime.sleep(60)\n", timeout=0.5)
    assert run.broken == "killed after 0.5 s"


def test_nothing_that_an_example_changes_is_seen_by_the_next() -> None:
    run_default(f"import torch\n{CLEAN}\ntorch.Tensor.left_behind = 1\n")
    after = run_default(f"import torch\n{CLEAN}\nassert not hasattr(torch.Tensor, 'left_behind')\n")
    assert after.broken is None


def test_modes_are_told_apart() -> None:
    runs = run_example("def f(x):\n    print(x)\n    return x + 1\n", ["default", "fullgraph"])
    assert (runs["default"].failure, len(runs["default"].breaks)) == (None, 1)
    assert runs["fullgraph"].failure is not None
