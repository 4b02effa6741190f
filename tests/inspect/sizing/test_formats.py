"""Sizes that are made text with a format."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events, function


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ('f"{x.shape[1]:03d}"', [Confidence.MEDIUM]),
        ('f"{m:.1f} of {m:,}"', [Confidence.MEDIUM, Confidence.MEDIUM]),
        ('f"{m / 2:.2f}"', [Confidence.MEDIUM]),
        ('f"{x.shape[0]:03d}"', [Confidence.LOW]),
        ('f"{m:>5}"', []),
        ('f"{m}"', []),
        ('f"{m!r:>5}"', []),
        ('f"{x.dim():03d}"', []),
        ('"{:03d}".format(m)', []),
    ],
)
def test_a_size_that_a_format_of_numbers_is_given(text: str, confidence: list[Confidence]) -> None:
    found = events(function(f"m = x.shape[1]\nreturn {text}"), "f", "call")
    assert [event.confidence for event in found if event.construct == "of-size"] == confidence


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("'%03d' % m", [Confidence.MEDIUM]),
        ("'%d x %d' % (m, x.shape[0])", [Confidence.MEDIUM]),
        ("'%d' % x.shape[0]", [Confidence.LOW]),
        ("'%s' % name", []),
        ("'%d' % x.dim()", []),
        ("m % 8", []),
    ],
)
def test_a_size_that_a_percent_is_given(text: str, confidence: list[Confidence]) -> None:
    found = events(function(f"m = x.shape[1]\nreturn {text}"), "f", "call")
    assert [event.confidence for event in found if event.construct == "of-size"] == confidence
