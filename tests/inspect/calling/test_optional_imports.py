"""What a followed package imports only where something else is installed is not what most of its users run."""

from __future__ import annotations

from pathlib import Path

import pytest

from compilelint.inspect.frame import Route
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from compilelint.inspect.starting import run_root
from compilelint.regions import named_roots
from compilelint.report.confidence import Confidence
from tests.source.make import following, installed, tree

KERNELS = "def fast(x):\n    print(x)\n"
LAYER = "{imports}\ndef layer(x):\n    return fast(x)\n"


def printed(inspector: Inspector) -> Confidence:
    (root,) = named_roots(inspector, ["a.py::f"])
    run_root(inspector, root.function, Route((root.label,)))
    (event,) = inspector.events
    return event.confidence


def of_package(folder: Path, imports: str) -> Confidence:
    files = {"lib/__init__.py": "", "lib/kernels.py": KERNELS, "lib/layers.py": LAYER.format(imports=imports)}
    code = "from torch import Tensor\nfrom lib.layers import layer\ndef f(x: Tensor):\n    layer(x)\n"
    followed = following({"a.py": code}, installed(folder, files))
    return printed(Inspector(Knowledge(followed), lambda type_, callee: callee == "builtins.print"))


def test_it_is_hidden(tmp_path: Path) -> None:
    condition = "from lib.tools import is_flash_attn_available\nif is_flash_attn_available(fallback=True):\n"
    assert of_package(tmp_path, condition + "    from lib.kernels import fast") == Confidence.LOW


@pytest.mark.parametrize(
    "imports",
    [
        "from lib.kernels import fast",
        "if is_torch_available():\n    from lib.kernels import fast",
        "if checks():\n    from lib.kernels import fast",
        "from lib.kernels import fast\nif is_flash_attn_available():\n    from lib.kernels import fast",
    ],
)
def test_what_is_there_for_all_is_not(tmp_path: Path, imports: str) -> None:
    assert of_package(tmp_path, imports) == Confidence.HIGH


def test_in_the_project_it_counts() -> None:
    code = "if is_flash_attn_available():\n    from kernels import fast\ndef f(x):\n    return fast(x)\n"
    files = tree({"a.py": code, "kernels.py": KERNELS})
    assert printed(Inspector(Knowledge(files), lambda type_, callee: callee == "builtins.print")) == Confidence.HIGH


LAYERS = """
import torch
from torch import nn
if is_flash_attn_available():
    from kernels import fast
class Plain(nn.Module):
    def forward(self, x: torch.Tensor):
        return x * 2
class Fast(nn.Module):
    def forward(self, x: torch.Tensor):
        {body}
        return y
KINDS = {{"plain": Plain, "fast": Fast}}
class Net(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.layer = KINDS[kind]()
    def forward(self, x: torch.Tensor):
        return self.layer(x)
"""


def of_layers(body: str, home: str) -> Confidence:
    """How surely one of two layers prints, where the question is about one root or not."""
    files = tree({"a.py": LAYERS.format(body=body), "kernels.py": KERNELS})
    inspector = Inspector(Knowledge(files), lambda type_, callee: callee == "builtins.print")
    (root,) = named_roots(inspector, ["a.py::Net.forward"])
    run_root(inspector, root.function, Route((root.label,), home=home))
    return max(event.confidence for event in inspector.events)


def test_of_two_layers_the_one_that_needs_it_is_rare() -> None:
    assert of_layers("y = fast(x)", "a.py") == Confidence.LOW


@pytest.mark.parametrize(
    ("why", "body", "home"),
    [
        ("either is usual in a project", "y = fast(x)", ""),
        ("it does without", "y = fast(x) if x.is_cuda else x\n        print(y)", "a.py"),
        ("nothing is called of it", "y = x\n        print(y)", "a.py"),
    ],
)
def test_of_two_layers_that_all_have_either_is_usual(why: str, body: str, home: str) -> None:
    assert of_layers(body, home) == Confidence.MEDIUM, why
