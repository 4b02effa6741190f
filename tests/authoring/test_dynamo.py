from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from compilelint.authoring import dynamo
from compilelint.authoring.dynamo import DynamoError, ask
from compilelint.catalog import Outcome


def child(monkeypatch: pytest.MonkeyPatch, stdout: str, stderr: str = "", code: int = 0) -> list[list[str]]:
    """The process that runs the examples is one that ends like this; the commands that it is started with."""
    commands: list[list[str]] = []

    def run(command: list[str], **_options: Any) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        return subprocess.CompletedProcess(command, code, stdout, stderr)

    monkeypatch.setattr(dynamo.importlib.util, "find_spec", lambda name: object())
    monkeypatch.setattr(dynamo.subprocess, "run", run)
    return commands


def test_the_answer_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {
        "torch": "2.13.0",
        "evidence": {"ACME101": {"item": {"default": {"hazard": True, "lines": [4]}, "fullgraph": {"hazard": False}}}},
        "disagreements": {"ACME101": {"item": {"fullgraph": ["no"]}}},
    }
    commands = child(monkeypatch, json.dumps(told), "some warning\n", code=1)
    answer = ask([Path("a.md"), Path("b.md")])
    assert answer.torch == "2.13.0"
    assert answer.outcomes["ACME101"]["item"]["default"] == Outcome(True, (4,))
    assert answer.disagreements == {"ACME101": {"item": {"fullgraph": ["no"]}}}
    assert commands[0][1:] == ["-m", "compilelint.judging", "--json", "a.md", "b.md"]


def test_without_torch_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dynamo.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(DynamoError, match=r"torch is not installed here.*pip install 'compilelint\[trace\]'"):
        ask([Path("a.md")])


def test_what_libraries_print_before_the_answer_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {"torch": "2.13.0", "evidence": {}, "disagreements": {}}
    child(monkeypatch, "a library {says}\n" + json.dumps(told))
    assert ask([Path("a.md")]).torch == "2.13.0"


def test_evidence_that_cannot_be_read_is_told_and_nothing_is_taken_for_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {"torch": "2.13.0", "evidence": {}, "disagreements": {}}
    child(monkeypatch, json.dumps(told), "evidence.json is not of its form\n", code=2)
    with pytest.raises(DynamoError, match=r"evidence\.json is not of its form"):
        ask([Path("a.md")])


@pytest.mark.parametrize(
    ("stderr", "said"),
    [("Traceback …\nOSError: libtorch.so: no such file\n", r"exit code 1\): OSError: libtorch\.so"), ("", "no word")],
)
def test_a_process_that_dies_is_told_with_its_last_word(
    stderr: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    child(monkeypatch, "", stderr, code=1)
    with pytest.raises(DynamoError, match=said):
        ask([Path("a.md")])
