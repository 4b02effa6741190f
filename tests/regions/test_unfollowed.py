"""Which packages compiled code calls."""

from __future__ import annotations

import pytest

from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from compilelint.regions.unfollowed import packages_called
from tests.source.make import tree

CODE = """
import torch, numpy as np, os
import solvers.ode as ode
from graphs.nn import Conv as Layer
from . import helpers
import project_code

class Net(torch.nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.layer = {made}

    def forward(self, x):
        return {called}
"""


def called(made: str, called: str) -> frozenset[str]:
    files = {"net.py": CODE.format(made=made, called=called), "project_code.py": "def f(x): ...", "helpers.py": ""}
    inspector = Inspector(Knowledge(tree(files)), lambda *_: False)
    module = inspector.tree.module("net.py")
    assert module is not None
    return packages_called(
        inspector, [key for key, info in module.functions.items() if info.qualname.endswith(".forward")]
    )


@pytest.mark.parametrize(
    ("made", "line", "packages"),
    [
        ("None", "ode.solve(x)", {"solvers"}),
        ("Layer(4)", "self.layer(x)", {"graphs"}),
        ("[each(4) for each in (Layer,)]", "self.layer[0](x)", {"graphs"}),
        ("torch.nn.Sequential(Layer(4))", "ode.fixed.solve(self.layer(x))", {"graphs", "solvers"}),
    ],
)
def test_what_is_called_or_named_where_layers_are_made(made: str, line: str, packages: set[str]) -> None:
    assert called(made, line) == packages


@pytest.mark.parametrize(
    ("why", "line"),
    [
        ("torch and numpy are known", "torch.relu(x) + np.ones(3)"),
        ("the standard library runs no tensors", "os.path.join(x)"),
        ("it is of the project", "project_code.f(x)"),
        ("it is not called", "x + ode.order"),
    ],
)
def test_nothing_that_could_be_followed(why: str, line: str) -> None:
    assert called("None", line) == frozenset()
