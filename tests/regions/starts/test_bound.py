"""What `functools.partial` binds before it is compiled."""

from __future__ import annotations

from textwrap import dedent

import pytest

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from compilelint.inspect.starting import Accepts, assumed
from compilelint.regions import Root, compiled_roots
from tests.source.make import tree

SCRIPT = """
from functools import partial
import torch
from torch import nn

def loss(x, train, weight=None): ...

def scaled(n, x, *, flip=True): ...

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fast = torch.compile(partial(self.step, mode="fast"))

    def step(self, x, mode="slow"): ...

"""


def roots(text: str) -> tuple[Inspector, list[Root]]:
    inspector = Inspector(Knowledge(tree({"train.py": SCRIPT + dedent(text)})), lambda type_, callee: True)
    return inspector, [root for root in compiled_roots(inspector, "train.py") if root.function.name != "Net.step"]


@pytest.mark.parametrize(
    ("target", "bound"),
    [
        ("partial(loss, train=False)", (("train", kinds.Const(False)),)),
        ("partial(loss, weight=None)", (("weight", kinds.NONE),)),
        ("partial(scaled, 2)", (("n", kinds.Const(2)),)),
        ("partial(partial(scaled, 2, flip=True), flip=False)", (("n", kinds.Const(2)), ("flip", kinds.Const(False)))),
        ("torch.func.grad(partial(loss, train=False))", (("train", kinds.Const(False)),)),
        ("partial(torch.vmap(scaled), torch.ones(3, 3))", (("n", kinds.Tensor("float", None, parameter=True)),)),
        ("partial(loss, train=unknown())", ()),
        ("partial(loss, other=1)", ()),
        ("loss", ()),
    ],
)
def test_partial(target: str, bound: Accepts) -> None:
    _, (root,) = roots(f"step = torch.compile({target})")
    assert root.accepts == bound


def test_each_of_several() -> None:
    """One function with different options is several roots."""
    _, found = roots("""
        training = torch.compile(partial(loss, train=True))
        evaluation = torch.compile(partial(loss, train=False))
    """)
    assert [root.accepts for root in found] == [(("train", kinds.Const(True)),), (("train", kinds.Const(False)),)]


def test_method() -> None:
    inspector = Inspector(Knowledge(tree({"train.py": SCRIPT})), lambda type_, callee: True)
    (root,) = compiled_roots(inspector, "train.py")
    assert root.accepts == (("mode", kinds.Const("fast")),)


def test_none_is_known() -> None:
    """What is bound to None is None: of a parameter that is None by default anything may be given."""
    inspector, (bound, free) = roots("""
        bound = torch.compile(partial(loss, weight=None))
        free = torch.compile(loss)
    """)
    given = [assumed(inspector, root.function, root.accepts) for root in (bound, free)]
    assert [arguments.args[2] for arguments in given if arguments] == [kinds.NONE, kinds.UNKNOWN]
