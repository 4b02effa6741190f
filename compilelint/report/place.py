"""How a place in a file is written."""

from __future__ import annotations

from compilelint.report.model import Finding, Problem


def place(finding: Finding) -> str:
    """`src/net.py:12:9`; of a notebook `net.ipynb:cell 3:2:5`, line and column within the cell."""
    return f"{_file(finding)}:{finding.line}:{finding.column}"


def problem_place(problem: Problem) -> str:
    """`src/net.py:12`, or as much of it as is known."""
    return _file(problem) + (f":{problem.line}" if problem.line is not None else "")


def _file(at: Finding | Problem) -> str:
    return at.path if at.cell is None else f"{at.path}:cell {at.cell}"
