from __future__ import annotations

import pytest

from compilelint.report.words import amount, counted_hits, sentence


@pytest.mark.parametrize(
    ("value", "told"), [(3, "3"), (3.0, "3"), (1.26, "1.3"), (1_500_000, "1500000"), (0, "0"), (0.04, "0.0")]
)
def test_amounts_are_told_without_exponents(value: float, told: str) -> None:
    assert amount(value) == told


@pytest.mark.parametrize(
    ("text", "told"), [("it breaks", "It breaks."), ("`x` breaks.", "`x` breaks."), ("and so on …", "And so on …")]
)
def test_a_sentence_begins_and_ends_as_one(text: str, told: str) -> None:
    assert sentence(text) == told


def test_hits_are_counted_in_words_of_their_own() -> None:
    assert counted_hits(1, "recompile") == "1 recompile"
    assert counted_hits(2, "frame-skipped") == "2 functions given up"
