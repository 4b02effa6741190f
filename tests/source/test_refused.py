import ast
import sys

import pytest

from compilelint.source.refused import refusal


def test_which_python_reads_is_told_as_a_newer_one_may_know_the_syntax() -> None:
    with pytest.raises(SyntaxError) as refused:
        ast.parse("f(")
    read_as = f"(read as Python {sys.version_info.major}.{sys.version_info.minor})"
    assert refusal(refused.value) == f"syntax error: '(' was never closed {read_as}"


def test_a_text_that_cannot_be_encoded_is_so_for_each_version() -> None:
    with pytest.raises(ValueError, match="surrogates") as refused:
        ast.parse("x = '\ud800'")
    assert "(read as" not in refusal(refused.value)
