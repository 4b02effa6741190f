"""Files from which others are generated: what is said of them, and of their comments."""

from __future__ import annotations

from pathlib import Path

import pytest

from compilelint.check import CheckOptions, run_check
from compilelint.check.accepting import add_ignores

WRITTEN = "import torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x.sum().item()\n"
HEADER = "# This file was generated from modular_net.py. Do NOT edit it.\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.compilelint]\n")
    _write(tmp_path, WRITTEN)
    return tmp_path


def _write(project: Path, written: str) -> None:
    (project / "modular_net.py").write_text(written)
    (project / "modeling_net.py").write_text(HEADER + written)


def test_who_names_a_template_is_told_what_is_run(project: Path) -> None:
    result = run_check(CheckOptions(paths=(project / "modular_net.py",), target_torch="2.13"))
    assert result.report.findings == ()
    assert result.warnings == ("modular_net.py is not run, modeling_net.py is, which is generated from it: check that",)
    assert run_check(CheckOptions(paths=(project,), target_torch="2.13")).warnings == ()


def test_a_comment_that_accepts_what_is_generated_is_in_use(project: Path) -> None:
    _write(project, WRITTEN.replace("item()", "item()  # compilelint: ignore[CL101] once"))
    result = run_check(CheckOptions(paths=(project,), target_torch="2.13"))
    assert result.report.findings == ()
    assert result.report.suppressed == 1


def test_comments_are_not_written_into_what_is_generated(project: Path) -> None:
    before = (project / "modeling_net.py").read_text()
    found = run_check(CheckOptions(paths=(project,), target_torch="2.13")).report.findings
    accepted = add_ignores(found, project, "")
    assert (accepted.accepted, [problem.path for problem in accepted.failures]) == (0, ["modeling_net.py"])
    assert "generated from modular_net.py" in accepted.failures[0].message
    assert (project / "modeling_net.py").read_text() == before
