"""The order in which Python goes through sets is another one in each process; nothing that is said depends on it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import compilelint
from tests.edits import package


@pytest.mark.slow
def test_in_each_process_the_same_is_said(tmp_path: Path) -> None:
    project = package.copy_of_package(tmp_path.resolve(), package.SMALL)
    said = {seed: _said(project, seed) for seed in ("0", "1", "2")}
    assert said["0"].count("CL1") > 50
    assert said["0"] == said["1"] == said["2"]


def _said(project: Path, seed: str) -> str:
    """What a check prints, with all that is known of each finding."""
    command = [sys.executable, "-m", "compilelint", "check", str(project), "--min-confidence=low", "--no-cache"]
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(compilelint.__file__).parents[1])}
    finished = subprocess.run(
        [*command, "--format=sarif", "--jobs=1"], capture_output=True, text=True, check=False, env=environment
    )
    assert finished.returncode == 1, finished.stderr
    return finished.stdout
