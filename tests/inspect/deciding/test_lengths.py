"""How many there are: `len(args) > 1`, `if found:`."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events, function

_TOLD = "x.item()"


def _told(body: str, before: str = "") -> bool:
    code = before + function(body)
    return any(event.source == _TOLD for event in events(code, "f", "call"))


@pytest.mark.parametrize(
    ("body", "is_told"),
    [
        (f"sizes = (1, 2)\nif len(sizes) > 2:\n    {_TOLD}", False),
        (f"sizes = (1, 2)\nif len(sizes) == 2:\n    {_TOLD}", True),
        (f"found = []\nif len(found) > 0:\n    {_TOLD}", False),
        (f"found = []\nif found:\n    {_TOLD}", False),
    ],
)
def test_what_is_under_a_length_that_nothing_has_is_not_told(body: str, is_told: bool) -> None:
    assert _told(body) is is_told


@pytest.mark.parametrize(("given", "is_told"), [("x", False), ("x, 1", False), ("x, 1, 2", True)])
def test_what_a_call_gives_more_is_counted(given: str, is_told: bool) -> None:
    helper = f"def helper(x, *more):\n    if len(more) > 1:\n        {_TOLD}\n\n"
    assert _told(f"helper({given})", helper) is is_told


@pytest.mark.parametrize("question", ["found", "len(found) > 0"])
@pytest.mark.parametrize(
    "filling",
    [
        "found.append(x)",
        "helper(found, x)",
        "other = found\nother.append(x)",
        "def add(part):\n    found.append(part)\nadd(x)",
        "found += [x]",
        "kept = {'found': found}\nkept['found'].append(x)",
    ],
)
def test_a_list_that_somebody_may_have_filled_is_not_empty(filling: str, question: str) -> None:
    helper = "def helper(held, x):\n    held.append(x)\n\n"
    assert _told(f"found = []\n{filling}\nif {question}:\n    {_TOLD}", helper)


def test_a_loop_hands_a_list_on_for_its_next_round() -> None:
    helper = "def helper(held, x):\n    held.append(x)\n\n"
    assert _told(f"found = []\nfor i in range(3):\n    if found:\n        {_TOLD}\n    helper(found, x)", helper)


def test_how_many_dimensions_are_in_a_part_of_a_shape_is_only_assumed() -> None:
    assert _told(f"b, c = x.shape\nif len(x.shape[:-2]) > 0:\n    {_TOLD}")


@pytest.mark.parametrize(
    ("given", "confidence"), [("x, x.size(0)", Confidence.LOW), ("x", Confidence.HIGH), ("x, None", Confidence.HIGH)]
)
def test_a_number_that_is_given_is_seldom_0(given: str, confidence: Confidence) -> None:
    helper = "def helper(x, size=None):\n    return size or int(x.abs().max())\n\n"
    found = [event for event in events(helper + function(f"helper({given})"), "f", "call") if "int(" in event.source]
    assert {event.confidence for event in found} == {confidence}
