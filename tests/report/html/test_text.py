from __future__ import annotations

import pytest
from markupsafe import Markup

from compilelint.report.html.text import moment_of_day, percent, prose, seconds, share, shown


def test_what_is_in_backticks_is_code_and_nothing_is_markup() -> None:
    assert prose("`a < b` is <b>not</b>") == Markup("<code>a &lt; b</code> is &lt;b&gt;not&lt;/b&gt;")


def test_a_backtick_without_another_stays_as_it_is() -> None:
    assert prose("a ` b") == Markup("a ` b")


def test_what_would_reorder_text_is_spelled_out() -> None:
    assert shown("a\u202eb\x1b") == "a\\u202eb\\x1b"
    assert shown(Markup("<i>\u202e")) == Markup("<i>\u202e")
    assert shown(3) == 3


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0 s"), (0.0042, "4 ms"), (0.0996, "0.10 s"), (0.456, "0.46 s"), (12.34, "12.3 s")]
)
def test_seconds_have_the_digits_that_say_something(value: float, text: str) -> None:
    assert seconds(value) == text


def test_shares() -> None:
    assert (share(1, 4), share(5, 4), share(1, 0)) == (25.0, 100.0, 0.0)
    assert (percent(0), percent(0.3), percent(27.6)) == ("0 %", "< 1 %", "28 %")


def test_the_time_of_day_is_that_of_no_zone() -> None:
    assert moment_of_day(1_700_000_000) == "2023-11-14 22:13 UTC"
