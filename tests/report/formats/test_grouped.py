from __future__ import annotations

from compilelint.report.formats import Look
from compilelint.report.formats.grouped import render
from compilelint.report.model import Problem
from tests.report.make import finding, observation, report, run


def test_findings_stand_below_their_files_with_places_in_a_column_of_their_own() -> None:
    shown = report(
        finding(),
        finding(line=9, column=1),
        finding(path="a.ipynb", cell=3, line=2, column=5),
        errors=(Problem("b.py", "invalid syntax", 3),),
    )
    message = "CL101 `x.sum().item()` reads a tensor back into Python"
    assert render(shown, Look()) == (
        f"a.ipynb:\n  cell 3:2:5  {message}\n\n"
        f"src/model.py:\n  9:1    {message}\n  12:17  {message}\n\n"
        "b.py:3: error: invalid syntax\n\n"
        "Found 3 hazards (3 graph breaks) in 2 of 3 files; 12 functions in compiled regions; 1 error.\n"
    )


def test_of_a_run_the_file_with_what_to_change_first_comes_first() -> None:
    shown = report(
        observations=tuple(
            observation(path=path, compile_seconds=seconds, owner=None)
            for path, seconds in (("a.py", 1.0), ("b.py", 9.0))
        ),
        run=run(),
    )
    assert [line for line in render(shown, Look()).splitlines() if line.endswith("py:")] == ["b.py:", "a.py:"]


def test_a_report_without_findings_is_its_summary() -> None:
    assert render(report(), Look()) == "No hazards found: 3 files, 12 functions in compiled regions.\n"
