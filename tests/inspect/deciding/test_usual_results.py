"""What functions of a followed package mostly give: None, where nobody asked for what they are about."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest

from compilelint.inspect.frame import Route
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from compilelint.inspect.starting import run_root
from compilelint.regions import named_roots
from tests.source.make import following, installed

LAYER = """\
from torch import nn, Tensor

class Layer(nn.Module):
    def __init__(self, key=None, scale=True):
        self.key = key
        self.scale = scale
    def groups(self, x: Tensor, what) -> Tensor | None:
{body}
    def forward(self, x: Tensor, what):
        groups = self.groups(x, what)
        if groups is not None:
            print(groups)
"""


def prints(folder: Path, body: str) -> bool:
    """Whether what a layer does with `groups`, if there are any, is seen where a script calls it."""
    library = installed(folder, {"lib.py": LAYER.format(body=indent(dedent(body), "        "))})
    code = "import lib\nfrom torch import Tensor\ndef f(x: Tensor, layer: lib.Layer, what):\n    layer(x, what)\n"
    found = Inspector(Knowledge(following({"a.py": code}, library)), lambda type_, callee: callee == "builtins.print")
    (root,) = named_roots(found, ["a.py::f"])
    run_root(found, root.function, Route((root.label,)))
    return bool(found.events)


@pytest.mark.parametrize(
    "body",
    [
        "if self.key is None:\n    return None\nreturn x * 2",
        "if self.key is None:\n    return\nif what:\n    return x\nreturn x * 2",
        "if self.key is not None:\n    return x * 2",
        "if self.key is not None:\n    return x * 2\nelse:\n    return None",
        "if self.scale:\n    if self.key is not None:\n        return x\nreturn None",
        "if what:\n    x = x + 1\nif self.key is None:\n    return None\nreturn x",
    ],
)
def test_what_no_option_asks_for_is_not_there(tmp_path: Path, body: str) -> None:
    assert not prints(tmp_path, body)


@pytest.mark.parametrize(
    "body",
    [
        "if not self.scale:\n    return None\nreturn x * 2",
        "if what:\n    return None\nreturn x * 2",
        "if what is None:\n    return None\nreturn x * 2",
        "if self.scale:\n    return x\nreturn None",
        "if self.scale:\n    if self.key is not None:\n        return None\nreturn x",
        "if self.scale:\n    if self.key is None:\n        x = x * 2\n    return x\nreturn None",
        "for each in what:\n    return x\nif self.key is None:\n    return None\nreturn x",
    ],
)
def test_what_may_well_be_there_is(tmp_path: Path, body: str) -> None:
    assert prints(tmp_path, body)
