"""What a base class compiles of the classes below it."""

from __future__ import annotations

from textwrap import dedent

import pytest

from compilelint.regions import compiled_roots
from tests.regions.project import inspector

BASE = """
import torch

class Base:
    def __init__(self, cfg):
        self.update = self._update
        self.setup(cfg)
    def setup(self, cfg):
        if cfg.compile:
            self.step = torch.compile(self.step, mode=cfg.mode)
            self.fast = torch.compile(self.loss)
            self.update = torch.compile(self.update, fullgraph=True)
            self.pattern = re.compile(self.text)
    def step(self, x):
        return self.part(x)
    def loss(self, x):
        raise NotImplementedError
    def part(self, x):
        return x
    def _update(self, x):
        return x
    def text(self): ...
"""


def roots(code: str) -> list[tuple[str, str]]:
    """What compiled roots a file has that imports a class which compiles methods of its own, and where it is said."""
    found = inspector("", base=BASE, agent="from base import Base\n" + dedent(code))
    return [(root.function.name, root.label) for root in compiled_roots(found, "agent.py") if root.explicit]


@pytest.mark.parametrize(
    ("method", "label"),
    [
        ("step", "base.py:10 torch.compile(self.step, mode=cfg.mode)"),
        ("loss", "base.py:11 torch.compile(self.loss)"),
        ("_update", "base.py:12 torch.compile(self.update, fullgraph=True)"),
    ],
)
def test_the_own_method_of_a_class_below_is_a_root(method: str, label: str) -> None:
    assert roots(f"class Agent(Base):\n    def {method}(self, x): return x") == [(f"Agent.{method}", label)]


def test_the_mode_is_that_of_the_base() -> None:
    found = inspector("", base=BASE, agent="from base import Base\nclass Agent(Base):\n    def _update(self, x): ...")
    assert [root.mode.fullgraph for root in compiled_roots(found, "agent.py")] == [True]


@pytest.mark.parametrize(
    "body",
    [
        "pass",
        "def part(self, x): return x  # a step of what is compiled: a base offers it, nobody asks for this class",
        "def text(self): ...",
        "def other(self, x): return x",
        "def setup(self, cfg): ...\n    def step(self, x): return x  # what compiles does not run",
    ],
)
def test_what_the_base_does_not_compile(body: str) -> None:
    assert roots(f"class Agent(Base):\n    {body}") == []


def test_a_method_between_may_call_that_of_the_base() -> None:
    code = """
        class Between(Base):
            def setup(self, cfg):
                super().setup(cfg)

        class Agent(Between):
            def step(self, x): return x
    """
    assert [name for name, _ in roots(code)] == ["Agent.step"]


def test_classes_of_the_same_file() -> None:
    code = BASE + "\nclass Agent(Base):\n    def loss(self, x): return x"
    found = inspector("", agent=code)
    names = [root.function.name for root in compiled_roots(found, "agent.py")]
    assert names.count("Agent.loss") == 1
    assert names.count("Base.loss") == 1
