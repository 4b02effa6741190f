from __future__ import annotations

import sys
from pathlib import Path

import pytest

from compilelint.catalog import parse_page
from compilelint.catalog.evidence import RawExample, source_hash
from tests.catalog.make import PAGE, PATH
from tools import measure_evidence
from tools.measure_evidence import alone_in, in_order, interpreter_with, is_measured

RULE = parse_page(PAGE, PATH)
SOURCES = {example.name: source_hash(example) for example in RULE.examples}


def example(source: str, **measured: int) -> RawExample:
    outcomes = {version: {"default": found} for version, found in measured.items()}
    return {"source": source, "proofs": {}, "measured": outcomes}


def test_the_installed_version_is_measured_last_and_decides() -> None:
    assert in_order(["2.15.0", "2.13.0", "2.5.1"], "2.13.0") == ["2.5.1", "2.15.0", "2.13.0"]
    assert in_order(["2.15.0", "2.9.1", "2.10.0"], None) == ["2.9.1", "2.10.0", "2.15.0"]


def test_the_running_interpreter_serves_the_torch_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure_evidence, "installed_torch", lambda: "2.13.0+cpu")
    assert interpreter_with("2.13.0", tmp_path) == Path(sys.executable)


def test_an_environment_that_is_ready_is_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure_evidence, "installed_torch", lambda: None)
    (tmp_path / "torch-2.9.1").mkdir()
    (tmp_path / "torch-2.9.1" / "ready").touch()
    assert interpreter_with("2.9.1", tmp_path).parent.parent == tmp_path / "torch-2.9.1"


def test_an_environment_is_used_by_one_process_at_a_time(tmp_path: Path) -> None:
    folder, other = tmp_path / "cache" / "torch-2.9.1", tmp_path / "cache" / "torch-2.9.0"
    with pytest.raises(SystemExit, match="another process"), alone_in(folder), alone_in(other), alone_in(folder):
        pass
    with alone_in(folder):
        pass


def test_a_page_is_measured_when_all_of_its_present_text_is() -> None:
    measured = {name: example(source, **{"2.13.0": 1}) for name, source in SOURCES.items()}
    assert is_measured(RULE, {"CL101": measured}, "2.13.0")
    assert not is_measured(RULE, {"CL101": measured}, "2.9.1")
    assert not is_measured(RULE, {"CL101": {"item": measured["item"]}}, "2.13.0")
    assert not is_measured(RULE, {"CL101": {**measured, "item": example("older", **{"2.13.0": 1})}}, "2.13.0")
    assert not is_measured(RULE, {}, "2.13.0")


def test_a_version_that_evidence_is_not_kept_for_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        measure_evidence.main(["--torch", "2.12.0"])
    assert "2.12.0" in capsys.readouterr().err
