"""Places in notebooks: what is found in the lines of a program is told in those of its cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from compilelint.project.notebooks import CellMap
from compilelint.report.model import Finding, Problem

_STEP = re.compile(r"(?P<path>.+?\.ipynb):(?P<line>\d+)(?!\S)")


def in_cells(findings: Iterable[Finding], notebooks: Mapping[str, CellMap]) -> tuple[Finding, ...]:
    """The findings, those in notebooks at their cells; so are the steps of all on the way to them."""
    if not notebooks:
        return tuple(findings)
    return tuple(_in_cell(each, notebooks) for each in findings)


def problems_in_cells(problems: Iterable[Problem], notebooks: Mapping[str, CellMap]) -> tuple[Problem, ...]:
    """The same of problems whose lines are those of a program."""
    return tuple(_problem_in_cell(each, notebooks) for each in problems)


def _in_cell(finding: Finding, notebooks: Mapping[str, CellMap]) -> Finding:
    finding = replace(finding, reached_from=tuple(_step(each, notebooks) for each in finding.reached_from))
    cells = notebooks.get(finding.path)
    if cells is None:
        return finding
    number, line = cells.find(finding.line)
    _, end_line = cells.find(finding.end_line)
    return replace(finding, cell=number, line=line, end_line=end_line)


def _problem_in_cell(problem: Problem, notebooks: Mapping[str, CellMap]) -> Problem:
    cells = notebooks.get(problem.path)
    if cells is None or problem.line is None:
        return problem
    number, line = cells.find(problem.line)
    return replace(problem, cell=number, line=line)


def _step(step: str, notebooks: Mapping[str, CellMap]) -> str:
    """`train.ipynb:40 torch.compile(model)` → `train.ipynb:cell 7:2 torch.compile(model)`."""
    place = _STEP.match(step)
    cells = notebooks.get(place["path"]) if place else None
    if place is None or cells is None:
        return step
    number, line = cells.find(int(place["line"]))
    return f"{place['path']}:cell {number}:{line}{step[place.end() :]}"
