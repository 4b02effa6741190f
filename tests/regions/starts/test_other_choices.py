"""What a class keeps in an attribute where it does not compile it."""

from __future__ import annotations

import pytest

from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from compilelint.regions.roots import compiled_roots
from tests.source.make import tree

CODE = """
import torch
from torch import nn

class Fast(nn.Module):
    def forward(self, x):
        return x

class Runner:
    def __init__(self, settings):
        self.settings = settings

    def load(self):
        {load}

    def _load_fast(self):
        self.model = Fast()

    def prepare(self):
        {prepare}
"""
LOADS = "if self.settings.fast: self._load_fast()"
COMPILES = "self.model = torch.compile(self.model)"


def roots(load: str, prepare: str) -> list[str]:
    code = CODE.format(load=load, prepare=prepare)
    inspector = Inspector(Knowledge(tree({"run.py": code})), lambda *_: False)
    return [root.function.name for root in compiled_roots(inspector, "run.py")]


@pytest.mark.parametrize(
    ("load", "prepare"),
    [
        (LOADS, f"if not self.settings.fast: {COMPILES}"),
        (LOADS, f"if self.settings.compile and not self.settings.fast: {COMPILES}"),
        (
            f"if self.settings.fast:\n            with torch.no_grad(): {LOADS.partition(': ')[2]}",
            f"if self.settings.fast: pass\n        else: {COMPILES}",
        ),
        ("if self.settings.kind == 'fast': self._load_fast()", f"if self.settings.kind != 'fast': {COMPILES}"),
    ],
)
def test_what_is_made_under_the_opposite_condition_is_not_compiled(load: str, prepare: str) -> None:
    assert roots(load, prepare) == []


@pytest.mark.parametrize(
    ("load", "prepare"),
    [
        ("self._load_fast()", f"if not self.settings.fast: {COMPILES}"),
        (f"{LOADS}\n        self._load_fast()", f"if not self.settings.fast: {COMPILES}"),
        (f"{LOADS}\n        else: self.model = Fast()", f"if not self.settings.fast: {COMPILES}"),
        (LOADS, f"if not self.settings.slow: {COMPILES}"),
        (LOADS, f"if self.settings.fast: {COMPILES}"),
        (LOADS, f"if self.settings.slow or not self.settings.fast: {COMPILES}"),
        (LOADS, COMPILES),
    ],
)
def test_what_may_be_there_is_compiled(load: str, prepare: str) -> None:
    assert roots(load, prepare) == ["Fast.forward"]
