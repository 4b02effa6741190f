"""Sources that Python warns of."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from compilelint.check import CheckOptions, run_check
from compilelint.source.quiet import parser_warnings_ignored

SOURCE = 'import torch\nPATTERN = "\\d"\n@torch.compile\ndef f(x: torch.Tensor):\n    return x.item()\n'
REPOSITORY = Path(__file__).parents[2]


def test_only_what_the_parser_says_is_ignored() -> None:
    with warnings.catch_warnings(record=True) as said, parser_warnings_ignored():
        warnings.simplefilter("always", append=True)
        warnings.warn_explicit("invalid escape sequence", SyntaxWarning, "<unknown>", 2)
        warnings.warn("another", SyntaxWarning, stacklevel=1)
    assert [str(each.message) for each in said] == ["another"]


def test_what_the_parser_warns_of_is_checked_where_warnings_are_errors(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = run_check(CheckOptions(paths=(tmp_path,), isolated=True)).report
    assert [each.code for each in report.findings] == ["CL101"]
    assert not report.errors


@pytest.mark.slow
def test_the_command_says_nothing_that_the_parser_says(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "compilelint",
            "check",
            "--no-cache",
            "--isolated",
            "--format",
            "concise",
            str(tmp_path),
        ],
        env={**os.environ, "PYTHONWARNINGS": "always", "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
