"""What is passed for options."""

from __future__ import annotations

import pytest

from compilelint.inspect import kinds
from compilelint.match.detectors import options
from tests.match.make import event


def test_a_number_that_is_known_while_tracing() -> None:
    known, read = kinds.Tensor(ndim=0, foreseen=True), kinds.Tensor(ndim=0)
    assert options.not_foreseen(event(args=(kinds.Tensor(), kinds.INT, read)))
    assert not options.not_foreseen(event(args=(kinds.Tensor(), kinds.INT, known)))
    assert not options.not_foreseen(event(args=(kinds.Tensor(),), keywords=(("max", known),)))


def test_limits_of_which_source_knows_neither_are_of_one_kind() -> None:
    read = kinds.Tensor(ndim=0)
    assert options.limits_differ(event(args=(kinds.INT, read)))
    assert options.limits_differ(event(args=(kinds.UNKNOWN, read)))
    assert options.limits_differ(event(args=(kinds.FLOAT, kinds.UNKNOWN)))
    assert not options.limits_differ(event(args=(kinds.UNKNOWN, kinds.UNKNOWN)))
    assert not options.limits_differ(event(args=(kinds.TENSOR, kinds.UNKNOWN), keywords=(("max", kinds.UNKNOWN),)))
    assert not options.limits_differ(event(args=(kinds.INT, kinds.Tensor(ndim=0, foreseen=True))))


@pytest.mark.parametrize(
    ("scale", "is_numpy"),
    [
        (kinds.Array(number=True, kept=True), True),
        (kinds.NUMPY_FLOAT, True),
        (kinds.join(kinds.Array(number=True), kinds.NONE), True),
        (kinds.FLOAT, False),
        (kinds.UNKNOWN, False),
    ],
)
def test_a_scale_that_numpy_computed_is_known_to_be_one(scale: kinds.Kind, is_numpy: bool) -> None:
    assert options.scales_by_numpy(event(args=(kinds.TENSOR,), keywords=(("scale_factor", scale),))) == is_numpy
    assert options.scales_by_numpy(event(args=(kinds.TENSOR, kinds.NONE, scale))) == is_numpy
    assert not options.scales_by_numpy(event(args=(scale,)))
