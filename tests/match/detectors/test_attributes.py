"""Which attributes are written."""

from __future__ import annotations

import pytest

from compilelint.inspect.events import Event, Mode, Place, Span
from compilelint.match.detectors.attributes import is_unknown_to_tensors


def written(name: str) -> Event:
    place = Place("example.py", "f", ("example.py:1 f", "f"), Mode())
    return Event("attribute-write", Span(2, 5, 2, 20), place, callee=name, construct="assign")


def test_an_attribute_that_tensors_do_not_have_is_the_users_own() -> None:
    assert is_unknown_to_tensors(written("torch.Tensor.layer_index"))


@pytest.mark.parametrize(
    ("why", "name"),
    [
        ("every tensor has it", "torch.Tensor.grad"),
        ("a class may always be changed, and has a rule of its own", "torch.Tensor.__class__"),
        ("a module may have any attribute", "torch.nn.Linear.layer_index"),
    ],
)
def test_the_attribute_is_not_unknown_to_tensors(why: str, name: str) -> None:
    assert not is_unknown_to_tensors(written(name))
