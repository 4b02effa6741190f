"""Classes each of whose objects is compiled as it is made, though the script only makes and calls one."""

from __future__ import annotations

from textwrap import dedent

import pytest

from compilelint.regions import offered_roots
from tests.regions.project import inspector

SCRIPT = """
import torch, functools
from torch import nn

class Wrapper:
    def __init__(self):
        self.compiled = torch.compile(self.forward)

class Other(nn.Module):
    def forward(self, x):
        return x

def around(cls):
    old = cls.__init__
    def __init__(self, *args):
        old(self, *args)
        Wrapper.__init__(self)
    cls.__init__ = __init__
    cls.__call__ = lambda self, *args: self.compiled(*args)
    return cls

def support(cls=None, *, dims=None):
    def helper(cls):
        return around(cls)
    return helper if cls is None else helper(cls)

def register(cls):
    TABLE[cls.__name__] = cls
    return cls

class Meta(type):
    def __call__(cls, *args):
        return torch.compile(super().__call__(*args))

class Counting(type):
    def __call__(cls, *args):
        return super().__call__(*args)

class Compiles(nn.Module):
    def __init__(self):
        super().__init__()
        self.compile(dynamic=True)

class CompilesLater(nn.Module):
    def optimize(self):
        self.forward = torch.compile(self.forward)

class OwnCompile(nn.Module):
    def __init__(self):
        super().__init__()
        self.compile("adam")
    def compile(self, optimizer):
        self.optimizer = optimizer

class CompilesPart(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = torch.compile(self.part)
"""
USE = """
model = Model()
y = model(torch.ones(3))
other = Other()
z = other(torch.ones(3))
"""


def offered(head: str, **modules: str) -> list[str]:
    code = f"{SCRIPT}\n{dedent(head)}\n    def forward(self, x):\n        return x\n{USE}"
    names = [root.function.name for root in offered_roots(inspector(code, "", **modules), "train.py")]
    assert "Other.forward" not in names
    return [name for name in names if name.startswith("Model")]


@pytest.mark.parametrize(
    "head",
    [
        "@around\nclass Model(nn.Module):",
        "@support\nclass Model(nn.Module):",
        "@support(dims=3)\nclass Model(nn.Module):",
        "@functools.partial(around)\nclass Model(nn.Module):",
        "class Model(nn.Module, metaclass=Meta):",
        "class Model(Compiles):",
        "class Model(Wrapper, nn.Module):",
        "from vllm.compilation import support_torch_compile\n@support_torch_compile\nclass Model(nn.Module):",
    ],
)
def test_a_class_whose_objects_are_compiled_as_they_are_made_is_not_left_alone(head: str) -> None:
    assert offered(head) == ["Model.forward"]


def test_so_does_a_decorator_of_another_file() -> None:
    elsewhere = "import torch\ndef whole(cls):\n    cls.forward = torch.compile(cls.forward)\n    return cls"
    assert offered("from lib import whole\n@whole\nclass Model(nn.Module):", lib=elsewhere) == ["Model.forward"]


@pytest.mark.parametrize(
    "head",
    [
        "class Model(nn.Module):",
        "@register\nclass Model(nn.Module):",
        "class Model(nn.Module, metaclass=Counting):",
        "class Model(CompilesPart):",
        "class Model(CompilesLater):",
        "class Model(OwnCompile):",
    ],
)
def test_what_makes_others_leaves_it_alone(head: str) -> None:
    assert offered(head) == []
