"""Projects in which compilation starts somewhere."""

from __future__ import annotations

from textwrap import dedent

from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from compilelint.regions import Root
from tests.source.make import tree

PRELUDE = """
import torch, functools
from torch import nn

def f(x):
    return x

class Net(nn.Module):
    def forward(self, x):
        return x

"""
"""What `train.py` begins with: a function and a module to compile."""


def inspector(code: str, prelude: str = PRELUDE, **others: str) -> Inspector:
    files = {"train.py": prelude + dedent(code), **{f"{name}.py": dedent(text) for name, text in others.items()}}
    return Inspector(Knowledge(tree(files)), lambda type_, callee: True)


def names(roots: list[Root]) -> list[str]:
    return [root.function.name for root in roots]
