"""What a tensor is indexed by."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import INT, Kind, Tensor, join
from compilelint.match.detectors.indices import by_given_scalar
from tests.match.make import event

GIVEN = Tensor("int", 0, parameter=True)


@pytest.mark.parametrize("index", [GIVEN, Tensor(None, 0, parameter=True), join(INT, GIVEN)])
def test_a_number_in_a_tensor_that_the_graph_is_given(index: Kind) -> None:
    assert by_given_scalar(event(type="index", args=(INT, index)))
    assert by_given_scalar(event(type="index-write", args=(index, INT)))


@pytest.mark.parametrize(
    "index", [INT, Tensor("int", 0), Tensor("int", 1, parameter=True), Tensor("bool", 0, parameter=True)]
)
def test_other_indices_are_data_or_computed(index: Kind) -> None:
    assert not by_given_scalar(event(type="index", args=(index,)))


def test_what_is_written_is_no_index() -> None:
    assert not by_given_scalar(event(type="index-write", args=(INT, GIVEN)))


def test_what_is_kept_stays_the_same() -> None:
    assert not by_given_scalar(event(type="index", args=(GIVEN,), outside=True))
