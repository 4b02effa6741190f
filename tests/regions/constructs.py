"""What a file's code around its regions is seen to do, as constructs in order."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from compilelint.inspect.events import Event
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from compilelint.regions.wrapping import wrapping_events
from compilelint.source.text import SourceText
from compilelint.source.tree import SourceTree

NET = """
import copy
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        return self.linear(x)

"""
"""What the programs of these tests begin with: a module to compile."""


def constructs_around(code: str, **others: str) -> list[str]:
    """The constructs of the events of `example.py`, which holds `code`; `others` are files beside it."""
    return [event.construct for event in events_around(code, **others)]


def events_around(code: str, **others: str) -> list[Event]:
    """The events themselves."""
    texts = {"example.py": dedent(code), **{f"{name}.py": dedent(text) for name, text in others.items()}}
    folder = Path("project")
    sources = [SourceText(name, folder / name, text) for name, text in texts.items()]
    tree = SourceTree.load(folder, sources, [])
    module = tree.module("example.py")
    assert module is not None
    return list(wrapping_events(Inspector(Knowledge(tree), lambda type_, callee: False), module))
