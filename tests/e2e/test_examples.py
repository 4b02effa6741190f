"""examples/train.py has the hazards that the checker finds in it, and train_clean.py has none."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
import torch

from compilelint.judging.recorder import Run
from compilelint.judging.run_example import run_example

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
STEPS = 8


def _run(name: str) -> Run:
    """What Dynamo did while the example trained for a few steps."""
    source = (EXAMPLES / name).read_text(encoding="utf-8")
    return run_example(f"{source}\n\ntrain({STEPS}, 'eager')\n", ["default"])["default"]


@pytest.fixture(scope="module")
def hazardous() -> Run:
    return _run("train.py")


def _losses(name: str) -> list[float]:
    torch._dynamo.reset()
    spec = importlib.util.spec_from_file_location(f"example_{Path(name).stem}", EXAMPLES / name)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    losses: list[float] = module.train(STEPS, "eager")
    return losses


def _findings(name: str) -> dict[str, set[int]]:
    """The lines that the checker flags in an example, by effect."""
    command = [sys.executable, "-m", "compilelint", "check", "--format", "json", f"examples/{name}"]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode in (0, 1), checked.stderr
    lines: dict[str, set[int]] = defaultdict(set)
    for finding in json.loads(checked.stdout)["findings"]:
        lines[finding["effect"]].add(finding["line"])
    return lines


def test_the_clean_twin_is_one_graph_compiled_once() -> None:
    run = _run("train_clean.py")
    assert run.failure is None
    assert run.breaks == ()
    assert run.recompiles == ()
    assert run.graphs == 1


def test_the_checker_finds_nothing_in_the_clean_twin() -> None:
    assert not _findings("train_clean.py")


def test_every_break_that_dynamo_sees_is_found_and_no_other(hazardous: Run) -> None:
    assert hazardous.failure is None
    limit_hit = "GB0039"  # follows from the recompiles, stands at the head of the function
    broken = {found.line for found in hazardous.breaks if found.line is not None and found.gb_id != limit_hit}
    assert len(broken) >= 12
    assert _findings("train.py")["graph-break"] == broken


def test_the_recompiles_are_found_and_real(hazardous: Run) -> None:
    source = (EXAMPLES / "train.py").read_text(encoding="utf-8").splitlines()
    counter = source.index("        self.calls += 1") + 1
    guards = hazardous.recompiles
    assert sum("self.calls ==" in guard for guard in guards) >= 5
    assert sum("self.index ==" in guard for guard in guards) >= 2
    assert counter in _findings("train.py")["recompile"]


@pytest.mark.filterwarnings("ignore:a batch this small")
def test_both_train_alike() -> None:
    assert _losses("train_clean.py") == pytest.approx(_losses("train.py"), abs=1e-4)
