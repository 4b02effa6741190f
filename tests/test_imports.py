"""What is not imported: start-up is quick, and the check never loads torch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEAVY = {"torch", "numpy", "libcst", "rich", "click", "pathspec", "packaging", "tomli", "tomllib"}


def _imported_by(*arguments: str) -> set[str]:
    """The modules that a Python started like this imports, by `-X importtime`."""
    command = [sys.executable, "-X", "importtime", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr[-800:]
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if "|" in line}


def test_the_package_imports_nothing() -> None:
    added = _imported_by("-c", "import compilelint") - _imported_by("-c", "pass")
    assert added == {"compilelint"}


def test_help_imports_neither_the_engine_nor_what_it_needs() -> None:
    imported = _imported_by("-m", "compilelint", "--help")
    assert "compilelint.cli" in imported
    assert imported.isdisjoint(HEAVY - {"click"})
    assert imported.isdisjoint({"compilelint.match", "compilelint.source.tree", "compilelint.catalog"})


@pytest.mark.slow
def test_a_page_is_tested_without_torch_in_this_process() -> None:
    imported = _imported_by("-m", "compilelint", "rule", "--test", "rules/CL321-explicit-graph-break.md")
    assert "compilelint.authoring.trial" in imported
    assert imported.isdisjoint({"torch", "numpy", "compilelint.judging"})


@pytest.mark.slow
@pytest.mark.parametrize("style", ["text", "json"])
def test_a_check_imports_no_torch_and_nothing_that_only_colours(style: str, tmp_path: Path) -> None:
    # What another test's check has remembered would be told, and nothing imported for it.
    memory = ("--cache-dir", str(tmp_path))
    imported = _imported_by("-m", "compilelint", "check", *memory, "--format", style, "examples/train.py")
    assert "compilelint.match.analysis" in imported
    assert imported.isdisjoint({"torch", "numpy", "libcst", "rich", "nbformat", "pygls", "lsprotocol"})
