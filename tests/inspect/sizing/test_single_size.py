"""What is called only where a length is one."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events

SCANS = """
def scan(q):
    for t in range(q.shape[1]):
        pass
    for row in q.unbind(1):
        pass

def step(q):
    return scan(q)
"""


def sureness(body: str) -> set[Confidence]:
    """How surely the loops of `scan` hold a size, in a function with this body."""
    code = f"{SCANS}\ndef f(hidden, state=None):\n    batch, seq_len, width = hidden.shape\n{body}"
    return {event.confidence for event in events(code, "f") if event.construct == "constant-by-size"}


@pytest.mark.parametrize(
    "test",
    [
        "seq_len == 1",
        "state is not None and seq_len == 1",
        "decodes",
    ],
)
def test_the_one_round_of_a_step_is_the_same_in_each_call(test: str) -> None:
    named = "    decodes = state is not None and seq_len == 1\n"
    assert sureness(f"{named}    if {test}:\n        return step(hidden)\n") == {Confidence.LOW}


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("another length", "    if seq_len == 2:\n        return step(hidden)\n"),
        ("no length", "    if width == 1:\n        return step(hidden)\n"),
        ("the other branch", "    if seq_len == 1:\n        return hidden\n    else:\n        return step(hidden)\n"),
        ("one of two conditions", "    if state is None or seq_len == 1:\n        return step(hidden)\n"),
        ("both ways", "    if seq_len == 1:\n        return step(hidden)\n    return step(hidden)\n"),
    ],
)
def test_the_rounds_of_a_loop_may_differ(why: str, body: str) -> None:
    assert Confidence.MEDIUM in sureness(body), why
