"""Which files only try or show a model."""

from __future__ import annotations

import pytest

from compilelint.regions.starts.demonstrations import is_demonstration


@pytest.mark.parametrize(
    "file", ["tests/a.py", "pkg/test/a.py", "test_a.py", "pkg/a_test.py", "examples/train.py", "docs/a.py", "a.ipynb"]
)
def test_tests_examples_and_pages_only_show(file: str) -> None:
    assert is_demonstration(file)


@pytest.mark.parametrize("file", ["train.py", "scripts/train.py", "pkg/testbed.py", "pkg/latest.py", "contest/a.py"])
def test_programs_use(file: str) -> None:
    assert not is_demonstration(file)
