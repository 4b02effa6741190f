"""The made programs: what the check says of each way is what Dynamo did, as far as it was so before."""

from __future__ import annotations

import re

from benchmarks.ways.programs import HERE, programs
from benchmarks.ways.score import Score, scores, told, truth


def test_every_program_was_run() -> None:
    assert [name for name, _ in programs()] == list(truth()[1])


def test_a_score_is_of_one_sort_of_program() -> None:
    reached = {"model/a": True, "model/b": True, "model/c": False, "model/d": False, "files/a": True}
    told_of = {"model/a": True, "model/b": False, "model/c": True, "model/d": False, "files/a": True}
    assert scores(told_of, reached) == {
        "model": Score(("model/b",), ("model/c",), 2, 2),
        "files": Score((), (), 1, 0),
    }


def test_no_taken_way_is_missed_and_no_more_are_told_than_the_page_says() -> None:
    torch, reached = truth()
    page = (HERE / "README.md").read_text()
    for sort, score in scores(dict(told(torch)), reached).items():
        assert score.missed == ()
        said = re.search(rf"^\| {sort} \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", page, re.MULTILINE)
        assert said is not None
        assert list(map(int, said.groups())) == [score.taken, score.taken, score.others, len(score.false)]
