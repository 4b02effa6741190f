"""The garbage collector rests during a check, and only then."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from compilelint.check import CheckError, CheckOptions, run_check


def options(folder: Path) -> CheckOptions:
    (folder / "net.py").write_text("import torch\n@torch.compile\ndef f(x):\n    return x.item()\n")
    return CheckOptions(paths=(folder,), isolated=True)


def test_nothing_is_collected_during_a_check(tmp_path: Path) -> None:
    seen: list[bool] = []
    run_check(options(tmp_path), progress=lambda done, total: seen.append(gc.isenabled()))
    assert seen == [False]
    assert gc.isenabled()


def test_the_collector_is_on_again_after_a_check_that_fails(tmp_path: Path) -> None:
    with pytest.raises(CheckError):
        run_check(CheckOptions(paths=(tmp_path,), isolated=True, select=("CL000",)))
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off(tmp_path: Path) -> None:
    gc.disable()
    try:
        run_check(options(tmp_path))
        assert not gc.isenabled()
    finally:
        gc.enable()
