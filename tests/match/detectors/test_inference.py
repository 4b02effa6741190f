"""What is a view under an `inference_mode` inside of compiled code."""

from __future__ import annotations

import pytest

from compilelint.inspect.events import Event, Mode
from compilelint.match.detectors.inference import is_inside, is_view_inside
from tests.inspect.make import events


def read(index: str, mode: str = "torch.inference_mode()") -> Event:
    code = f"def f(x: Tensor, y: Tensor, i: int, rows: list[int], what):\n    with {mode}:\n        return x[{index}]\n"
    (event,) = events(code, "f", "index")
    return event


@pytest.mark.parametrize("index", ["0", "-1", "i", ":, 1:", "..., None", ":, i"])
def test_numbers_and_slices_give_a_view(index: str) -> None:
    assert is_view_inside(read(index))


@pytest.mark.parametrize("index", ["y", "y > 0", ":, y.long()", "rows", "what"])
def test_tensors_lists_and_what_is_unknown_give_a_copy_or_may(index: str) -> None:
    assert not is_view_inside(read(index))


def test_outside_of_the_mode_nothing_is_told() -> None:
    event = read("0", "torch.no_grad()")
    assert not is_view_inside(event)
    assert not is_inside(event)
    assert event.place.mode == Mode()
