from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")

from compilelint.judging import __main__ as command
from compilelint.judging.recorder import Run
from tests.catalog.make import PAGE


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "CL101-tensor-item.md"
    path.write_text(PAGE, encoding="utf-8")
    return path


def answer(page: Path, run: Run, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> object:
    monkeypatch.setattr("compilelint.judging.judge.run_example", lambda source, modes: dict.fromkeys(modes, run))
    assert command.main(["--json", str(page)]) == 1
    return json.loads(capfd.readouterr().out)["evidence"]


def test_a_run_that_was_killed_is_no_evidence(
    page: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert answer(page, Run(broken="killed after 120 s"), monkeypatch, capfd) == {}


def test_an_example_that_this_torch_cannot_run_is(
    page: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    missing = Run(broken="fails without Dynamo: AttributeError at line 1", broken_at=1)
    assert set(answer(page, missing, monkeypatch, capfd)["CL101"]) == {"item", "keep-tensor"}  # type: ignore[index]
