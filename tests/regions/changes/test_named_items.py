"""Texts that a loop takes from a comprehension, a `state_dict()` or a folder. Each was run with torch 2.13."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.regions.constructs import events_around

CODE = """
import glob
import os
import torch
from torch import nn

net = nn.Linear(3, 3)
SCALES = {f"layer{i}": i for i in range(10)}
names = ["layer" + str(i) for i in range(9)]
few = [f"layer{i}" for i in range(3)]
same = ["layer" for i in range(9)]

@torch.compile
def f(x, name):
    return x * len(name)

@torch.compile
def g(x, **options):
    return x * 2 if options.get("mode") == "a" else x

x = torch.randn(3)
"""


def told(loop: str) -> list[Confidence]:
    return [event.confidence for event in events_around(CODE + loop) if event.construct == "str-argument"]


@pytest.mark.parametrize(
    "loop",
    [
        "for name in names:\n    f(x, name)",
        "for i, name in enumerate(names):\n    f(x, name)",
        "for name, y in zip(names, torch.randn(9, 3)):\n    f(y, name)",
        "for name in [f'layer{i}' for i in range(9)]:\n    f(x, name)",
        "for name in SCALES:\n    f(x, name)",
        "for name, scale in SCALES.items():\n    f(x * scale, name)",
        "for name in net.state_dict():\n    f(x, name)",
        "for name, p in net.state_dict().items():\n    f(p, name)",
        "for name in 'the quick brown fox'.split(' '):\n    f(x, name)",
        "for i in range(9):\n    f(x, os.path.join('images', f'{i}.png'))",
        "for mode in ['a', 'b', 'c', 'd']:\n    g(x, mode=mode)",
    ],
)
def test_texts(loop: str) -> None:
    assert told(loop) == [Confidence.HIGH]


@pytest.mark.parametrize("files", ["glob.glob('*.png')", "sorted(os.listdir('images'))"])
def test_names_of_files(files: str) -> None:
    assert told(f"for path in {files}:\n    f(x, path)") == [Confidence.MEDIUM]


@pytest.mark.parametrize(
    ("why", "loop"),
    [
        ("there are three", "for name in few:\n    f(x, name)"),
        ("it is one text", "for name in same:\n    f(x, name)"),
        ("the values are no texts", "for name, scale in SCALES.items():\n    f(x, scale)"),
        ("nobody asks for this option", "for mode in ['a', 'b', 'c', 'd']:\n    g(x, other=mode)"),
    ],
)
def test_what_is_no_text_that_changes(why: str, loop: str) -> None:
    assert told(loop) == [], why
