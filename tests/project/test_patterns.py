"""Path patterns mean what they mean in ruff."""

from __future__ import annotations

import pytest

from compilelint.project.patterns import anchored, matcher


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


@pytest.mark.parametrize("directory", ["/home/p", "/home/[p]", "/home/{a,b}*", "/"])
def test_patterns_of_a_directory_are_about_paths_below_it(directory: str) -> None:
    below = directory.rstrip("/")
    matches = matcher(["src/gen", "build", "/opt/x/*"], directory)
    assert matches(f"{below}/src/gen")
    assert not matches("/elsewhere/src/gen")
    assert not matches(f"{below}/a/src/gen")
    assert matches("/elsewhere/build")
    assert matches("/opt/x/y.py")


def test_an_anchored_pattern_stays_where_it_is() -> None:
    assert anchored("src/*.py", "/home/p") == "/home/p/src/*.py"
    assert anchored("*.py", "/home/p") == "*.py"
    assert anchored("/opt/*", "/home/p") == "/opt/*"
