"""Which assignments give a registered buffer another size, and which assign an object of `nn.Buffer`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from compilelint.inspect.members.buffers import resizes_buffer
from compilelint.source.text import SourceText
from compilelint.source.tree import SourceTree
from tests.inspect.make import events

TEXT = """
from torch import nn

class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("cache", None)

class Net(Base):
    def __init__(self):
        super().__init__()
        self.plain = None
"""


def resizes(statement: str) -> bool:
    tree = SourceTree.load(Path("p"), [SourceText("a.py", Path("p/a.py"), TEXT)], [])
    inspector = Inspector(Knowledge(tree), lambda type_, callee: False)
    module = tree.module("a.py")
    assert module is not None
    info = next(info for info in module.classes.values() if info.name == "Net")
    node = ast.parse(statement).body[0]
    assert isinstance(node, ast.Assign)
    assert isinstance(node.targets[0], ast.Attribute)
    owner = inspector.instance(kinds.ProjectClass(info.key, "Net"))
    return resizes_buffer(inspector, owner, node.targets[0], node.value)


@pytest.mark.parametrize(
    "statement",
    [
        "self.cache = torch.cat([self.cache, x])",
        "self.cache = torch.concat((x, self.cache), dim=1)",
        "self.cache = self.cache[1:]",
        "self.cache = self.cache[:-1]",
        "self.cache = F.pad(self.cache, (0, 1))",
    ],
)
def test_the_buffer_grows_or_shrinks(statement: str) -> None:
    assert resizes(statement)


@pytest.mark.parametrize(
    ("why", "statement"),
    [
        ("a window keeps its size", "self.cache = torch.cat([self.cache[n:], x])"),
        ("no buffer, so its shape becomes dynamic", "self.plain = torch.cat([self.plain, x])"),
        ("nothing of the old one", "self.cache = torch.cat([x, y])"),
        ("the same size", "self.cache = self.cache * 0.9 + x"),
        ("all of it", "self.cache = self.cache[:]"),
        ("no padding", "self.cache = F.pad(self.cache, (0, 0))"),
        ("the caller decides", "self.cache = self.cache[:n]"),
    ],
)
def test_the_buffer_keeps_its_size(why: str, statement: str) -> None:
    assert not resizes(statement)


OBJECTS = """
class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = nn.Buffer(torch.zeros(()))
        self.register_buffer("registered", torch.zeros(()))
class Net(Base):
    def forward(self, x):
        {statement}
"""


def constructs(statement: str) -> list[str]:
    found = events(OBJECTS.format(statement=statement), "Net.forward", "attribute-write")
    return [event.construct for event in found]


@pytest.mark.parametrize(
    "statement",
    [
        "self.count += 1",
        "self.count *= 0.9",
        "self.count = self.count.to(x.device)",
        "self.other = self.count.contiguous()",
        "self.last = nn.Buffer(x)",
        "self.registered = torch.nn.Buffer(x)",
    ],
)
def test_an_object_of_nn_buffer_is_assigned(statement: str) -> None:
    assert constructs(statement) == ["buffer-object"]


@pytest.mark.parametrize(
    ("imported", "made"),
    [("import torch as th", "th.nn.Buffer(x)"), ("from torch.nn import Buffer", "Buffer(x)")],
)
def test_the_class_may_have_another_name(imported: str, made: str) -> None:
    found = events(f"{imported}\n{OBJECTS.format(statement=f'self.last = {made}')}", "Net.forward", "attribute-write")
    assert [event.construct for event in found] == ["buffer-object"]


def test_a_buffer_that_only_the_first_call_makes_is_told_as_such() -> None:
    assert constructs("if not hasattr(self, 'late'): self.late = nn.Buffer(x)") == ["fill", "buffer-object"]


@pytest.mark.parametrize(
    ("why", "statement"),
    [
        ("registered by name", "self.registered += 1"),
        ("registered by name", "self.registered = self.registered.to(x.device)"),
        ("a new tensor", "self.count = self.count * 2"),
        ("a new tensor", "self.count = self.count.detach()"),
        ("in place", "self.count.add_(1)"),
        ("a part of it", "self.count[0] = 1"),
        ("a local", "count = self.count.to(x.device)"),
        ("another class", "self.last = Buffer(x)"),
        ("not where it is", "if self.count.device != x.device: self.count = self.count.to(x.device)"),
    ],
)
def test_no_object_of_nn_buffer_is_assigned(why: str, statement: str) -> None:
    assert "buffer-object" not in constructs(statement)
