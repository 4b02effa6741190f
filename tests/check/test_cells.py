"""A notebook is checked as one program, and what is found is told by its cells."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from compilelint.check import CheckOptions, CheckResult, run_check
from compilelint.report.model import Finding
from compilelint.report.place import place, problem_place

MODEL = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x.relu().item()
"""


def _notebook(file: Path, *cells: str, language: str = "python") -> None:
    node = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_markdown_cell("Text"), *map(nbformat.v4.new_code_cell, cells)],
        metadata={"language_info": {"name": language}},
    )
    nbformat.write(node, file)


def _check(*paths: Path) -> CheckResult:
    return run_check(CheckOptions(paths=paths, isolated=True))


def _only(result: CheckResult) -> Finding:
    (finding,) = result.report.findings
    return finding


def test_names_flow_from_cell_to_cell(tmp_path: Path) -> None:
    _notebook(
        tmp_path / "n.ipynb", "%pip install torch\n" + MODEL, "model = Net()", "%time fast = torch.compile(model)"
    )
    finding = _only(_check(tmp_path))
    assert (finding.code, place(finding)) == ("CL101", "n.ipynb:cell 2:8:16")
    assert finding.source_line == "        return x.relu().item()"
    assert finding.reached_from[0] == "n.ipynb:cell 4:1 torch.compile(model)"


def test_code_behind_a_magic_is_found_and_shown_as_it_was_written(tmp_path: Path) -> None:
    _notebook(tmp_path / "n.ipynb", "import torch", "%time torch.compile(lambda x: x.tolist())(torch.ones(3))")
    finding = _only(_check(tmp_path))
    assert place(finding) == "n.ipynb:cell 3:1:31"
    assert finding.source_line.startswith("%time torch.compile")


def test_what_is_remembered_of_a_notebook_is_forgotten_with_its_magics(tmp_path: Path) -> None:
    code = "torch.compile(lambda x: x.tolist())(torch.ones(3))"
    options = CheckOptions(paths=(tmp_path / "n.ipynb",), isolated=True, cache=tmp_path / "cache")
    for magic in ("%time ", "%prun "):
        _notebook(tmp_path / "n.ipynb", "import torch", magic + code)
        assert _only(run_check(options)).source_line == magic + code


def test_a_cell_that_is_no_python_is_a_problem_of_that_cell(tmp_path: Path) -> None:
    _notebook(tmp_path / "n.ipynb", MODEL, "\nx = (", "%%bash\nls (")
    result = _check(tmp_path)
    assert _only(result).cell == 2
    assert [problem_place(each) for each in result.report.errors] == ["n.ipynb:cell 3:2"]
    assert result.exit_code == 1
    assert _check(tmp_path / "n.ipynb").exit_code == 2


def test_comments_accept_within_their_cell(tmp_path: Path) -> None:
    accepting = MODEL.replace("item()", "item()  # compilelint: ignore[CL101] once")
    _notebook(tmp_path / "n.ipynb", accepting, "x = 1  # compilelint: ignore[CL101]")
    result = _check(tmp_path)
    assert [place(each) for each in result.accepted] == ["n.ipynb:cell 2:7:16"]
    unused = _only(result)
    assert (unused.code, place(unused)) == ("CL001", "n.ipynb:cell 3:1:8")


def test_ignore_file_holds_from_the_top_of_the_first_code_cell(tmp_path: Path) -> None:
    _notebook(tmp_path / "n.ipynb", "# compilelint: ignore-file\n%matplotlib inline", MODEL)
    assert _check(tmp_path).report.findings == ()


def test_a_fingerprint_does_not_know_the_cell(tmp_path: Path) -> None:
    _notebook(tmp_path / "n.ipynb", MODEL)
    before = _only(_check(tmp_path)).fingerprint
    _notebook(tmp_path / "n.ipynb", "import os", "print()\n" + MODEL)
    assert _only(_check(tmp_path)).fingerprint == before


def test_what_a_notebook_compiles_of_the_project_is_checked_there(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.compilelint]\nroots = 'explicit'\n")
    (tmp_path / "net.py").write_text(MODEL)
    _notebook(tmp_path / "net.ipynb", "import torch", "from net import Net\ntorch.compile(Net())")
    alone = run_check(CheckOptions(paths=(tmp_path / "net.py",)))
    assert _only(alone).path == "net.py"
    assert _only(alone).reached_from[0] == "net.ipynb:cell 3:2 torch.compile(Net())"


def test_a_notebook_of_another_language_is_passed_over_and_told_if_named(tmp_path: Path) -> None:
    _notebook(tmp_path / "r.ipynb", "x <- c(1, 2)", language="R")
    below, named = _check(tmp_path), _check(tmp_path / "r.ipynb")
    assert (below.warnings, below.report.errors, below.exit_code) == ((), (), 0)
    assert named.warnings == ("r.ipynb is not checked: a notebook of r, not of Python",)
    assert named.exit_code == 0


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{", "is no notebook: not valid JSON"),
        (b'{"a": "\xff"}', "byte 0xff is not valid utf-8"),
    ],
)
def test_a_broken_file_is_told(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "n.ipynb").write_bytes(data)
    (error,) = _check(tmp_path).report.errors
    assert (error.path, error.line) == ("n.ipynb", 1)
    assert error.message.startswith(message)


def test_unsaved_texts_win_over_files(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.compilelint]\n")
    (tmp_path / "net.py").write_text(MODEL)
    (tmp_path / "base.py").write_text("")
    options = CheckOptions(paths=(tmp_path / "net.py",))
    assert run_check(options, unsaved={tmp_path / "net.py": "x = 1\r\n"}).report.findings == ()
    calling = "from base import read\n" + MODEL.replace("x.relu().item()", "read(x)")
    unsaved = {tmp_path / "net.py": calling, tmp_path / "base.py": "def read(t):\n    return t.item()\n"}
    result = run_check(CheckOptions(paths=(tmp_path / "base.py",)), unsaved=unsaved)
    assert [place(each) for each in result.report.findings] == ["base.py:2:12"]
