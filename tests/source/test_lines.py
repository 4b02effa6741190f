"""Lines of a text that hold a word."""

from __future__ import annotations

import pytest

from compilelint.source.lines import lines_with


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import a\nb = 1\nfrom c import d\n", ["import a", "from c import d"]),
        ("import a; import b\n", ["import a; import b"]),
        ("x\n    import a", ["    import a"]),
        ("", []),
        ("impor\nt", []),
    ],
)
def test_each_line_that_holds_the_word_is_told_once(text: str, found: list[str]) -> None:
    assert list(lines_with("import", text)) == found
