"""What torch's NumPy takes of an option, and what it refuses."""

from __future__ import annotations

import pytest

from compilelint.inspect import kinds
from compilelint.match.detectors import numpy_options
from compilelint.report.confidence import Confidence
from tests.match.make import event

ARRAY = kinds.Array()


@pytest.mark.parametrize(
    ("order", "confidence"),
    [
        (kinds.Const("F"), Confidence.HIGH),
        (kinds.Const("C"), None),
        (kinds.join(kinds.Const("C"), kinds.Const("F")), Confidence.LOW),
        (kinds.UNKNOWN, Confidence.LOW),
    ],
)
def test_an_order_by_name_and_by_place(order: kinds.Kind, confidence: Confidence | None) -> None:
    by_name = event(callee="numpy.ravel", args=(ARRAY,), keywords=(("order", order),))
    by_place = event(callee="numpy.ravel", args=(ARRAY, order))
    assert numpy_options.refused_order(by_name) == confidence
    assert numpy_options.refused_order(by_place) == confidence


def test_an_option_that_is_not_given() -> None:
    assert numpy_options.refused_order(event(callee="numpy.ravel", args=(ARRAY,))) is None
    assert numpy_options.refused_part(event(callee="numpy.sum", args=(ARRAY, kinds.Const(0)))) is None


@pytest.mark.parametrize("mask", [ARRAY, kinds.Const(value=True), kinds.TENSOR])
def test_whatever_a_reduction_is_told_to_look_at_is_refused(mask: kinds.Kind) -> None:
    masked = event(callee="numpy.ndarray.sum", receiver=ARRAY, keywords=(("where", mask),))
    assert numpy_options.refused_part(masked) == Confidence.HIGH


def test_one_refused_option_is_enough() -> None:
    row = event(callee="numpy.linspace", keywords=(("endpoint", kinds.Const(value=True)), ("axis", kinds.Const(-1))))
    assert numpy_options.refused_spacing(row) == Confidence.HIGH


@pytest.mark.parametrize(("value", "confidence"), [(False, Confidence.HIGH), (0, Confidence.HIGH), (1, None)])
def test_flags_by_their_truth(value: object, confidence: Confidence | None) -> None:
    cast = event(callee="numpy.ndarray.astype", receiver=ARRAY, keywords=(("copy", kinds.Const(value)),))
    assert numpy_options.refused_copy(cast) == confidence
