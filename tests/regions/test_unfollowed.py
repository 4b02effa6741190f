"""Which packages compiled code calls."""

from __future__ import annotations

import pytest

from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from compilelint.regions.unfollowed import packages_called, packages_compiled
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


@pytest.mark.parametrize(
    ("lines", "packages"),
    [
        ("torch.compile(Layer(4))", {"graphs"}),
        ("net = Layer(4)\nmodel = torch.compile(net)", {"graphs"}),
        ("net = Layer(4)\nmodel = torch.compile(net.decode, mode='max-autotune')", {"graphs"}),
        ("def main():\n    net = Layer(torch.ones(3))\n    return torch.compile(net)", {"graphs"}),
        ("net = Layer(4)\nnet.compile(dynamic=True)", {"graphs"}),
        ("pipe = Layer.from_pretrained('a')\npipe.unet.compile_repeated_blocks(fullgraph=True)", {"graphs"}),
        ("net = Layer(4)\nnet.compile('a')", set()),
        ("net = Layer(4)\nmodel = torch.jit.script(net)", set()),
        ("net = project_code.f(4)\nmodel = torch.compile(net)", set()),
        ("net = torch.nn.Linear(4, 4)\nother = Layer(4)\nmodel = torch.compile(net)", set()),
    ],
)
def test_what_is_compiled_as_it_is_is_called_too(lines: str, packages: set[str]) -> None:
    code = f"import torch, project_code\nfrom graphs.nn import Conv as Layer\n{lines}\n"
    inspector = Inspector(Knowledge(tree({"net.py": code, "project_code.py": "def f(x): ..."})), lambda *_: False)
    module = inspector.tree.module("net.py")
    assert module is not None
    assert packages_compiled(inspector, module) == packages
