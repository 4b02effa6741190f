"""--strict on a torch that cannot end a run at a break; where it can, tests/cli/test_trace.py runs it."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path
from typing import Any

import pytest

from compilelint.run_options import RunError
from compilelint.runtime.dynamo import strict, torch_adapter
from compilelint.runtime.dynamo.targets import Targets
from compilelint.runtime.recorder import Recorder
from compilelint.trace import TraceOptions, run_trace


def test_the_version_decides_what_is_refused() -> None:
    assert strict.is_refused("2.5.1+cu124")
    assert strict.is_refused("2.8.0")
    assert not strict.is_refused("2.9.0")
    assert not strict.is_refused("2.13.0+cpu")
    assert not strict.is_refused("unknown"), "what is no version, the run itself decides"


def test_an_old_torch_is_refused_before_anything_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "2.7.1")
    (tmp_path / "program.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    with pytest.raises(RunError, match=r"--strict needs torch 2\.9 or newer, this is 2\.7\.1"):
        run_trace(TraceOptions((str(tmp_path / "program.py"),), session=tmp_path / "s.jsonl", strict=True))
    assert not (tmp_path / "ran").exists()


def test_a_torch_that_only_the_program_finds_is_refused_when_it_compiles(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(torch_adapter, "can_raise_on_break", lambda: False)
    monkeypatch.setattr(torch_adapter, "version", lambda: "2.6.0")
    recorder = Recorder(tmp_path / "s.jsonl", ("program.py",), {})
    called: list[Any] = []
    optimize = Targets(recorder, strict=True).contexts(lambda *args, **kwargs: called.append(args))
    with pytest.raises(SystemExit) as ended:
        optimize("eager")
    assert ended.value.code == 2
    assert "this is 2.6.0" in capsys.readouterr().err
    assert not called
