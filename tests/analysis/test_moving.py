"""What holds of a unit whose files changed where nobody looked, and where its lines are now."""

from __future__ import annotations

import dataclasses

import pytest
from msgspec.structs import replace

from compilelint.analysis.files import digest_of
from compilelint.analysis.job import Walked
from compilelint.analysis.moving import Change, moved
from compilelint.analysis.outlines import Outline, outline_to_keep
from compilelint.match.sightings import Sighting
from compilelint.match.units import UnitResult
from compilelint.report.model import Problem
from compilelint.source.outline import watch
from tests.report.make import ITEM
from tests.source.make import index, text

FIRST, SECOND = 0, 1
CODE = """\
import torch
def first(x):
    a = 1
    return x.item()
class C:
    width = 1
    def second(self, x):
        # why
        return x.tolist()
    height = 2
"""
LONGER = CODE.replace("    a = 1\n", "    a = 1\n\n    b = 2\n")
SHORTER = CODE.replace("    a = 1\n", "")
LONGER_BELOW = CODE.replace("        # why\n", "        # why\n        # indeed\n")
OTHER_REST = CODE.replace("height = 2", "height = 3")


def outline(code: str) -> Outline:
    return outline_to_keep(text("m.py", code), watch(index(code), lambda body: None))


def change(code: str) -> Change:
    return Change(outline(CODE), outline(code), "new")


def sighting(line: int, path: str = "m.py", reached_from: tuple[str, ...] = ("net.py:1 f", "second")) -> Sighting:
    finding = dataclasses.replace(ITEM, path=path, line=line, end_line=line + 1, reached_from=reached_from)
    return Sighting(finding, (path, "second"), False, False, (), False, False)


def walked(*bodies: int, result: UnitResult = UnitResult()) -> Walked:  # noqa: B008
    return Walked(result, {"net.py": "net", "m.py": "old"}, {}, {"m.py": digest_of("net.py")}, {}, "", {"m.py": bodies})


def lines(line: int, code: str) -> int:
    """Where a line of the code is in another one, of which nobody looked into what changed."""
    again = moved(walked(result=UnitResult(entered=frozenset({("m.py", line, 4)}))), {"m.py": change(code)})
    assert again is not None
    ((_, now, column),) = again.result.entered
    assert column == 4
    return now


def test_it_holds_if_nobody_looked_into_what_changed() -> None:
    again = moved(walked(SECOND), {"m.py": change(LONGER)})
    assert again == replace(walked(SECOND), texts={"net.py": "net", "m.py": "new"})


@pytest.mark.parametrize("code", [LONGER, SHORTER])
def test_it_does_not_hold_if_somebody_did(code: str) -> None:
    assert moved(walked(FIRST, SECOND), {"m.py": change(code)}) is None


def test_what_is_outside_of_functions_matters_to_everybody() -> None:
    assert moved(walked(), {"m.py": change(OTHER_REST)}) is None


def test_who_asked_for_the_whole_text_has_to_look_again() -> None:
    assert moved(replace(walked(), bodies={}), {"m.py": change(LONGER)}) is None


def test_all_that_changed_counts() -> None:
    both = replace(walked(SECOND), bodies={"m.py": (SECOND,), "net.py": (SECOND,)})
    assert moved(both, {"m.py": change(LONGER), "net.py": change(LONGER)}) is not None
    assert moved(both, {"m.py": change(LONGER), "net.py": change(LONGER_BELOW)}) is None
    assert moved(walked(SECOND), {"m.py": change(LONGER), "net.py": change(LONGER)}) is None


@pytest.mark.parametrize(
    ("code", "line", "expected"),
    [
        (LONGER, 1, 1),
        (LONGER, 2, 2),
        (LONGER, 5, 7),
        (LONGER, 6, 8),
        (LONGER, 7, 9),
        (LONGER, 8, 10),
        (LONGER, 9, 11),
        (LONGER, 10, 12),
        (SHORTER, 2, 2),
        (SHORTER, 5, 4),
        (SHORTER, 9, 8),
        (SHORTER, 10, 9),
        (LONGER_BELOW, 4, 4),
        (LONGER_BELOW, 7, 7),
        (LONGER_BELOW, 10, 11),
    ],
)
def test_lines_are_where_their_text_is(code: str, line: int, expected: int) -> None:
    assert CODE.split("\n")[line - 1] == code.split("\n")[expected - 1]
    assert lines(line, code) == expected


def test_findings_move_with_their_lines() -> None:
    result = UnitResult((sighting(9), sighting(9, "other.py")), entered=frozenset({("other.py", 9, 0)}))
    again = moved(walked(SECOND, result=result), {"m.py": change(LONGER)})
    assert again is not None
    assert [(each.finding.path, each.finding.line, each.finding.end_line) for each in again.result.sightings] == [
        ("m.py", 11, 12),
        ("other.py", 9, 10),
    ]
    assert again.result.entered == {("other.py", 9, 0)}


@pytest.mark.parametrize(
    "result",
    [
        UnitResult((sighting(9, reached_from=("m.py:2 first", "second")),)),
        UnitResult(problems=(Problem("m.py", "nests too deep", 2),)),
    ],
    ids=["reached from", "problem"],
)
def test_what_says_its_line_in_words_is_walked_again(result: UnitResult) -> None:
    assert moved(walked(SECOND, result=result), {"m.py": change(LONGER)}) is None
    same_lines = CODE.replace("a = 1", "a = 2")
    assert moved(walked(SECOND, result=result), {"m.py": change(same_lines)}) is not None
