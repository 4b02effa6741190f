"""How rows of the table over torch versions are judged; whole runs are what the tool itself is for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.trace_capabilities import JUDGED, MORE, PROGRAMS, RANKS, breaks, compare, report_in, worst

A, B = ("/p/a.py", 1), ("/p/b.py", 2)


def test_breaks_are_those_of_the_log_or_the_row_is_no() -> None:
    assert compare(frozenset({A, B}), frozenset({A, B}), (2, 13, 0)) is True
    assert compare(frozenset({A}), frozenset({A, B}), (2, 13, 0)) is False
    assert compare(frozenset({A, B}), frozenset({A}), (2, 13, 0)) is False


def test_more_than_the_log_has_is_said_only_of_a_torch_whose_log_leaves_some_out() -> None:
    assert compare(frozenset({A, B}), frozenset({A}), (2, 5, 1)) == MORE
    assert compare(frozenset({B}), frozenset({A}), (2, 5, 1)) is False


def test_of_several_programs_the_worst_counts() -> None:
    assert worst([True, True]) is True
    assert worst([True, MORE]) == MORE
    assert worst([MORE, False]) is False


def test_the_report_is_the_last_thing_that_is_printed() -> None:
    report = json.dumps({"schema_version": 1, "observations": []}, indent=2)
    assert report_in(f"the program's own {{\n{report}\n") == {"schema_version": 1, "observations": []}
    with pytest.raises(ValueError, match="no report"):
        report_in("the program's own")


def test_places_of_a_report_begin_in_its_project(tmp_path: Path) -> None:
    observations = [
        {"type": "graph-break", "path": "src/a.py", "line": 3},
        {"type": "graph-break", "path": "/lib/b.py", "line": 4},
        {"type": "recompile", "path": "src/a.py", "line": 5},
    ]
    expected = {(str((tmp_path / "src/a.py").resolve()), 3), (str(Path("/lib/b.py").resolve()), 4)}
    assert breaks({"observations": observations}, tmp_path) == expected


def test_the_judged_programs_exist() -> None:
    assert all((PROGRAMS / f"{name}.py").is_file() for name in (*JUDGED, RANKS))
