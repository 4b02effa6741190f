from __future__ import annotations

import pytest

from compilelint.report.line_hash import line_hashes

GREETINGS = (
    "e9496ae3ebfced30:1",
    "fb7c023a8b9ccb3f:1",
    "ce8ba1a563dcdaca:1",
    "e20e36e16fcb0cc8:1",
    "b3edc88f2938467e:1",
    "c8e28b0b4002a3a0:1",
    "c129715d7a2bc9a3:1",
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ("c129715d7a2bc9a3:1",)),
        (
            " a\nb\n  \t\tc\n d",
            ("271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"),
        ),
        (" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n", GREETINGS),
        (" hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r", GREETINGS),
        (" hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n", GREETINGS),
        (" hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n", GREETINGS),
        (
            "Lorem ipsum dolor sit amet.\n" * 10,
            (
                *(f"a7f2ff13bc495cf2:{number}" for number in range(1, 7)),
                "a7f2ff1481e87703:1",
                "a9cf91f7bbf1862b:1",
                "55ec222b86bcae53:1",
                "cc97dc7b1d7d8f7b:1",
                "c129715d7a2bc9a3:1",
            ),
        ),
    ],
)
def test_hashes_are_those_that_githubs_own_tests_expect(text: str, expected: tuple[str, ...]) -> None:
    """The values are those of github/codeql-action, src/fingerprints.test.ts."""
    assert tuple(line_hashes(text, range(1, 20)).values()) == expected


def test_characters_count_as_javascript_counts_them() -> None:
    """Beyond the basic plane a character is two: the hundred that count end earlier."""
    plain, wide = ("é" * 100 + "x", "🙂" * 50 + "x")
    assert line_hashes(plain, {1}) == line_hashes(plain[:-1] + "y", {1})
    assert line_hashes(wide, {1}) == line_hashes(wide[:-1] + "y", {1})
    assert line_hashes(wide, {1}) != line_hashes(wide[1:], {1})


def test_what_stands_before_a_line_does_not_change_its_hash() -> None:
    line = "    return x.item()\n"
    assert line_hashes(line, {1})[1] == line_hashes(f"import torch\n\n\n{line}", {4})[4]


def test_a_line_that_the_file_does_not_have_is_left_out() -> None:
    assert line_hashes("a\n", {7}) == {}
