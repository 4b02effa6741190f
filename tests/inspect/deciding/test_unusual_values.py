"""What names are that get a tensor only under an option of a library that is off by default."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from compilelint.inspect import kinds
from compilelint.inspect.frame import Route
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from compilelint.inspect.starting import run_root
from compilelint.regions import named_roots
from compilelint.report.confidence import Confidence
from tests.inspect.make import returned
from tests.source.make import following, installed

LIBRARY = """\
import random
from torch import nn, Tensor

class Layer(nn.Module):
    def __init__(self, off=False, on=True):
        self.off, self.on = off, on
    def forward(self, x: Tensor):
{body}
        if value is not None and value > 2:
            return x
"""
PROGRAM = "import lib\nfrom torch import Tensor\ndef f(x: Tensor, layer: lib.Layer):\n    layer(x)\n"


def decided(folder: Path, body: str) -> list[Confidence]:
    """How sure the branches are that the `forward` of a library's class takes on `value`, after this code."""
    library = installed(folder, {"lib.py": LIBRARY.format(body=indent(body, "        "))})
    found = Inspector(Knowledge(following({"a.py": PROGRAM}, library)), lambda type_, callee: type_ == "branch")
    (root,) = named_roots(found, ["a.py::f"])
    run_root(found, root.function, Route((root.label,)))
    return [event.confidence for event in found.events]


@pytest.mark.parametrize(
    ("body", "sureness"),
    [
        ("value = None\nif self.off:\n    value = x > 0", [Confidence.LOW]),
        ("value = 3\nif self.off:\n    value = x.sum()", [Confidence.LOW]),
        ("value = 3\nif not self.on:\n    value = x.sum() if x.ndim > 2 else None", [Confidence.LOW]),
        ("value = what()\nif self.off:\n    value = x.sum()", [Confidence.LOW]),
        ("if self.off:\n    value = x.sum()\nelse:\n    value = what()", [Confidence.LOW]),
        ("value = 3\nif self.off:\n    value = x.sum().item()", []),
        ("value = 3\nif self.off:\n    value = random.random()", []),
    ],
)
def test_a_tensor_of_the_unusual_branch_is_unlikely_later(
    tmp_path: Path, body: str, sureness: list[Confidence]
) -> None:
    assert decided(tmp_path, body) == sureness


@pytest.mark.parametrize(
    ("why", "body", "sureness"),
    [
        ("it is on", "value = None\nif self.on:\n    value = x > 0", Confidence.HIGH),
        ("the other branch", "value = None\nif not self.off:\n    value = x > 0", Confidence.HIGH),
        ("no option", "value = None\nif x.ndim > 2:\n    value = x > 0", Confidence.HIGH),
        ("a tensor either way", "value = x + 1\nif self.off:\n    value = x.sum()", Confidence.HIGH),
    ],
)
def test_all_else_is_as_it_was(tmp_path: Path, why: str, body: str, sureness: Confidence) -> None:
    assert decided(tmp_path, body) == [sureness]


_CONTIGUOUS = """
def contiguous(v):
    return v.contiguous() if isinstance(v, Tensor) else v

def returned_early(v):
    if torch.is_tensor(v):
        return v.contiguous()
    return v

def made_so(v):
    if isinstance(v, Tensor):
        v = v.contiguous()
    return v

def refused(v):
    if isinstance(v, Tensor):
        return v.contiguous()
    raise TypeError
"""


@pytest.mark.parametrize("call", ["contiguous(what)", "returned_early(what)", "made_so(what)"])
def test_what_is_a_tensor_only_if_something_unknown_is_one_is_hardly_one(call: str) -> None:
    tensor = kinds.tensor_part(returned(f"{_CONTIGUOUS}\ndef f(what):\n    what = outside()\n    return {call}\n"))
    assert tensor is None or tensor.confidence == Confidence.LOW


@pytest.mark.parametrize(
    ("why", "call", "given"),
    [
        ("it is declared to be one, or a list", "made_so(what)", "what: Tensor | list"),
        ("nothing else is let through", "refused(what)", "what: object"),
        ("it is one", "returned_early(what)", "what: Tensor"),
    ],
)
def test_what_is_known_to_be_a_tensor_at_times_is_one_as_before(why: str, call: str, given: str) -> None:
    tensor = kinds.tensor_part(returned(f"{_CONTIGUOUS}\ndef f({given}):\n    return {call}\n"))
    assert tensor is not None
    assert tensor.confidence > Confidence.LOW


def test_what_a_handler_supposes_says_nothing_of_what_is_returned_later() -> None:
    handler = "    except ValueError:\n        if torch.is_tensor(what):\n            return what\n"
    later = "    if n:\n        return x.clone()\n    return what\n"
    code = f"def f(x: Tensor, n: int):\n    what = outside()\n    try:\n        return x\n{handler}{later}"
    (tensor,) = (each for each in kinds.options(returned(code)) if isinstance(each, kinds.Tensor))
    assert tensor.confidence == Confidence.HIGH
