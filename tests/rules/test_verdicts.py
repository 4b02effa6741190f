"""What the checker finds in a page's example, and Dynamo does there, the report of a run must confirm."""

from __future__ import annotations

import contextlib
import importlib.util
import os
from pathlib import Path

import pytest

import compilelint
from compilelint.catalog import load_rules
from compilelint.catalog.example_source import defines_root
from compilelint.catalog.model import Example, Rule
from compilelint.report.model import Report

pytestmark = pytest.mark.slow

RULES = [rule for rule in load_rules() if rule.effect == "graph-break"]
CALLED = """
import torch as _torch

for _arguments in inputs() if "inputs" in globals() else [(_torch.randn(4, 4),)]:
    try:
        _torch.compile(f, backend="eager")(*_arguments)
    except Exception:
        pass
"""


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_a_run_confirms_what_the_checker_finds(rule: Rule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    example = next((each for each in rule.examples if each.hazard and defines_root(each.source)), None)
    if example is None:
        pytest.skip("no example that defines f")
    monkeypatch.chdir(tmp_path)
    report = _run(example, tmp_path)
    marked = {line for line, _, mode in example.marks if mode in (None, "default")}
    found = [each for each in report.findings if each.code == rule.code and each.line in marked]
    assert [(each.line, each.verdict) for each in found if each.verdict != "confirmed"] == []


def _run(example: Example, folder: Path) -> Report:
    import torch

    torch._dynamo.reset()
    (folder / "pyproject.toml").write_text("[tool.compilelint]\n")
    file = folder / "example.py"
    file.write_text(example.source + CALLED)
    spec = importlib.util.spec_from_file_location("example", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with open(os.devnull, "w", encoding="utf-8") as null, contextlib.redirect_stdout(null):
        with compilelint.record(own=[str(folder)]) as run:
            spec.loader.exec_module(module)
        return run.report
