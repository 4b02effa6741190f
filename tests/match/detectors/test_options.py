"""What is passed for options."""

from __future__ import annotations

from compilelint.inspect import kinds
from compilelint.match.detectors import options
from tests.match.make import event


def test_a_number_that_is_known_while_tracing() -> None:
    known, read = kinds.Tensor(ndim=0, foreseen=True), kinds.Tensor(ndim=0)
    assert options.not_foreseen(event(args=(kinds.Tensor(), kinds.INT, read)))
    assert not options.not_foreseen(event(args=(kinds.Tensor(), kinds.INT, known)))
    assert not options.not_foreseen(event(args=(kinds.Tensor(),), keywords=(("max", known),)))
