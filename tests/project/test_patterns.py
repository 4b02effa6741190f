"""Path patterns mean what they mean in ruff."""

from __future__ import annotations

import pytest

from compilelint.project.patterns import matcher, with_parents


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("build", "build"),
        ("build", "a/b/build"),
        ("build/", "build"),
        ("./src/gen", "src/gen"),
        ("*.egg-info", "a/x.egg-info"),
        ("src/gen", "src/gen"),
        ("tests/*", "tests/deep/er/test_x.py"),
        ("**/gen/*.py", "gen/a.py"),
        ("**/gen/*.py", "a/b/gen/a.py"),
        ("src/**/conftest.py", "src/conftest.py"),
        ("src/**/conftest.py", "src/a/b/conftest.py"),
        ("test_?.py", "a/test_b.py"),
        ("test_[a-c].py", "test_b.py"),
        ("test_[!a-c].py", "test_d.py"),
        ("{setup,conf}.py", "docs/conf.py"),
        ("/opt/x/*", "/opt/x/y.py"),
    ],
)
def test_matches(pattern: str, name: str) -> None:
    assert matcher([pattern])(name)


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("build", "rebuild"),
        ("build", "build/a.py"),
        ("src/gen", "other/src/gen"),
        ("test_[a-c].py", "test_d.py"),
        ("a.py", "axpy"),
        ("{a.py", "a.py"),
        ("src/*", "/else/src/a.py"),
    ],
)
def test_does_not_match(pattern: str, name: str) -> None:
    assert not matcher([pattern])(name)


def test_no_pattern_matches_nothing() -> None:
    assert not matcher([])("a.py")


def test_any_of_several_patterns_is_enough() -> None:
    matches = matcher(["a", "b/c"])
    assert (matches("x/a"), matches("b/c"), matches("c")) == (True, True, False)


def test_parents_come_outermost_first() -> None:
    assert with_parents("a/b/c.py") == ["a", "a/b", "a/b/c.py"]
    assert with_parents("/a/b.py") == ["/a", "/a/b.py"]
