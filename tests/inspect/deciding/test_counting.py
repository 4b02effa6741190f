"""What depends on the round of a loop happens in some of its rounds, in a followed package too."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.deciding.test_expectations import printed

HIGH, LOW = Confidence.HIGH, Confidence.LOW


@pytest.mark.parametrize(
    ("test", "usual"),
    [
        ("i == 0", HIGH),
        ("i > 0", HIGH),
        ("i + 1 < self.unknown", HIGH),
        ("i % 2 == 1", HIGH),
        ("i % 2", HIGH),
        ("not i", HIGH),
        ("i in (1, 3)", HIGH),
        ("i != self.width", HIGH),
        ("i not in ()", HIGH),
        ("i == self.width", LOW),
        ("i == -1", LOW),
        ("i < -1", LOW),
        ("i in ()", LOW),
        ("i == 0 and self.cached", LOW),
        ("z == 0", LOW),
        ("layer == 0", LOW),
    ],
)
@pytest.mark.parametrize("loop", ["for i in range(what()):\n    layer = mask[i]", "for i, layer in enumerate(mask):"])
def test_each_round_of_a_loop_is_usual(tmp_path: Path, loop: str, test: str, usual: Confidence) -> None:
    body = f"z = what()\n{loop}\n    if {test}:\n        print(x)"
    assert printed(tmp_path, body) == usual


def test_what_is_no_count_is_as_usual_as_before(tmp_path: Path) -> None:
    loop = indent("if i == 0:\n    print(x)", "    ")
    assert printed(tmp_path, f"for i in what():\n{loop}") == LOW
