from __future__ import annotations

import pytest

from compilelint.report.model import Problem
from compilelint.report.place import place, place_in_file, problem_place
from tests.report.make import finding


def test_a_place_in_a_file_and_in_a_notebook() -> None:
    assert place(finding(path="a.py", line=3, column=5)) == "a.py:3:5"
    assert place(finding(path="a.ipynb", cell=2, line=3, column=5)) == "a.ipynb:cell 2:3:5"


@pytest.mark.parametrize(
    ("problem", "shown"),
    [
        (Problem("a.py", "bad"), "a.py"),
        (Problem("a.py", "bad", 3), "a.py:3"),
        (Problem("a.ipynb", "bad", 3, 2), "a.ipynb:cell 2:3"),
    ],
)
def test_as_much_of_a_problem_as_is_known(problem: Problem, shown: str) -> None:
    assert problem_place(problem) == shown


def test_under_the_name_of_its_file_a_place_is_short() -> None:
    assert place_in_file(finding()) == "12:17"
    assert place_in_file(finding(path="a.ipynb", cell=3)) == "cell 3:12:17"
