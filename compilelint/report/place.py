"""How a place in a file is written."""

from __future__ import annotations

from typing import Protocol

from compilelint.report.model import Problem


class Placed(Protocol):
    """What stands at a place in a file, or in a cell of a notebook."""

    @property
    def path(self) -> str: ...
    @property
    def cell(self) -> int | None: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


def place(at: Placed) -> str:
    """`src/net.py:12:9`; of a notebook `net.ipynb:cell 3:2:5`, line and column within the cell."""
    return f"{file_name(at.path, at.cell)}:{at.line}:{at.column}"


def place_in_file(at: Placed) -> str:
    """The same under a heading that names the file: `12:9`, or `cell 3:2:5`."""
    return f"{'' if at.cell is None else f'cell {at.cell}:'}{at.line}:{at.column}"


def problem_place(problem: Problem) -> str:
    """`src/net.py:12`, or as much of it as is known."""
    return file_name(problem.path, problem.cell) + (f":{problem.line}" if problem.line is not None else "")


def file_name(path: str, cell: int | None) -> str:
    """`net.ipynb:cell 3`, or only the path."""
    return path if cell is None else f"{path}:cell {cell}"
