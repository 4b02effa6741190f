"""What is left of a module without comments and docstrings."""

from __future__ import annotations

from pathlib import Path

import pytest

from compilelint.regions.starts.prose import without_prose
from compilelint.source.index import index_module
from compilelint.source.text import SourceText

SOURCE = '''\
"""About torch.compile.

More of it."""
# torch.compile
import torch


class Net:
    """Compiled."""

    def f(self):
        """Ärger; é"""
        # with torch.compile
        return "torch.compile"  # as a word
'''
LEFT = """\
import torch


class Net:

    def f(self):
        return "torch.compile"  # as a word
"""


def left_of(source: str) -> str:
    return without_prose(index_module(SourceText("a.py", Path("a.py"), source), "a", False))


def test_comments_and_docstrings_go() -> None:
    assert left_of(SOURCE) == LEFT


@pytest.mark.parametrize(
    "source",
    [
        'def f(): "compiled"; torch.compile(f)\n',
        '"compiled"; torch.compile(f)\n',
        'x = 1; "é"; """\n"""; torch.compile(f)\n',
        'x = """\ntorch.compile\n"""\n',
    ],
)
def test_code_stays(source: str) -> None:
    assert left_of(source) == source
