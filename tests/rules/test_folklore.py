"""docs/folklore.md says of every belief what the torch that is installed does."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("torch")

from tools.judge_folklore import PAGE, Belief, contradiction, read_beliefs

TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("belief", read_beliefs(TEXT), ids=lambda belief: belief.name)
def test_dynamo_agrees(belief: Belief) -> None:
    assert contradiction(belief) is None


def test_every_block_is_read() -> None:
    assert len(read_beliefs(TEXT)) == len(re.findall("^```python", TEXT, re.MULTILINE)) > 0


@pytest.mark.parametrize(
    ("verdict", "source", "found"),
    [
        ("traces", "def f(x):\n    print(x)\n    return x + 1\n", "breaks, not traces"),
        ("breaks", "def f(x):\n    return x + 1\n", "traces, not breaks"),
        (
            "breaks",
            "def f(x):\n    print(x)\n    return x + 1  # <-\n",
            "breaks at lines [2], marked are [3]",
        ),
        ("traces", "def f(x):\n    return x.nothing\n", "broken: fails without Dynamo"),
        ("traces", "def f(x):\n    yield x\n", "not-compiled, not traces"),
    ],
)
def test_a_wrong_belief_is_contradicted(verdict: str, source: str, found: str) -> None:
    assert (contradiction(Belief("b", verdict, source)) or "").startswith(found)


@pytest.mark.parametrize("verdict", ["breaks", "brakes"])
def test_an_unknown_verdict_or_a_repeated_name_is_refused(verdict: str) -> None:
    block = f"```python {verdict} a\nx\n```\n"
    with pytest.raises(ValueError, match=r"^a: (unknown verdict|a second belief)"):
        read_beliefs(block * 2)
