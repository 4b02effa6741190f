"""Which functions need no walk as roots, once what calls them was walked."""

from __future__ import annotations

import pytest

from compilelint.inspect import covering
from compilelint.inspect.events import Mode
from compilelint.inspect.frame import Route
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.starting import run_root
from compilelint.regions import named_roots
from tests.inspect.make import inspector

MODEL = """
class Layer(nn.Module):
    def forward(self, x: Tensor{more}):
        {body}

class Other(Layer):
    pass

class Net(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.layer = Layer()

    def forward(self, x: Tensor, y, flag=False):
        {call}
"""


def is_covered(call: str, body: str = "return x.relu()", more: str = "", *, name: str = "Layer.forward") -> bool:
    """Whether `Layer.forward` is, once `Net.forward` was walked."""
    found = inspector(MODEL.format(call=call, body=body, more=more))
    found.file = "example.py"
    walk(found, "Net.forward")
    (layer,) = named_roots(found, [f"example.py::{name}"])
    return covering.is_covered(found, layer.function, Mode())


def walk(found: Inspector, name: str) -> None:
    (root,) = named_roots(found, [f"example.py::{name}"])
    run_root(found, root.function, Route((root.label,)))


@pytest.mark.parametrize(
    ("call", "body", "more"),
    [
        ("return self.layer(x)", "return x.relu()", ""),
        ("return self.layer(x=x)", "return x.relu()", ""),
        ("return self.layer(x, flag)", "return x if size else x.relu()", ", size=None"),
        ("for _ in range(3):\n            x = self.layer(x)\n        return x", "return x.relu()", ""),
        ("if flag:\n            return self.layer(x)\n        return x", "return x.relu()", ""),
    ],
)
def test_what_a_call_shows_in_full_is_covered(call: str, body: str, more: str) -> None:
    assert is_covered(call, body, more)


@pytest.mark.parametrize(
    ("why", "call", "body", "more"),
    [
        ("it is not called", "return x", "return x.relu()", ""),
        ("what is passed is not known", "return self.layer(x, y)", "return x * scale", ", scale=1"),
        ("it is less sure to be a tensor", "return self.layer(x, x if flag else 3)", "return x", ", y: Tensor = None"),
        ("an assumed tensor is something else", "return self.layer(x, 3)", "return x * scale.sum()", ", scale"),
        ("a declared tensor is something else", "return self.layer(x, 3)", "return x * scale", ", scale: Tensor"),
        ("a branch is left out", "return self.layer(x, None)", "if y is None:\n            y = x", ", y"),
        ("a choice is left out", "return self.layer(x, None)", "return x if y is None else y.item()", ", y=None"),
        ("an operand is left out", "return self.layer(x, True)", "return y or x.item()", ", y"),
        ("another operand is left out", "return self.layer(x, True)", "if y or x.item():\n            pass", ", y"),
        ("what goes wrong leads to it", "if flag:\n            raise ValueError(self.layer(x))", "return x", ""),
        ("it is a body of its own", "return torch.cond(x.sum() > 0, self.layer, self.layer, (x,))", "return x", ""),
        ("items of it are assumed", "return self.layer(x, {})", "return x + batch['y'].sum()", ", batch"),
    ],
)  # fmt: skip
def test_what_a_walk_as_a_root_may_add_to_is_not_covered(why: str, call: str, body: str, more: str) -> None:
    assert not is_covered(call, body, more), why


def test_of_a_method_that_classes_share_only_that_of_the_class_that_is_called_is_covered() -> None:
    assert is_covered("return self.layer(x)", name="Layer.forward")
    found = inspector(MODEL.format(call="return self.layer(x)", body="return x", more=""))
    found.file = "example.py"
    walk(found, "Net.forward")
    (layer,) = named_roots(found, ["example.py::Other.forward"])
    assert not covering.is_covered(found, layer.function, Mode())


def test_how_it_is_compiled_counts() -> None:
    found = inspector(MODEL.format(call="return self.layer(x)", body="return x", more=""))
    found.file = "example.py"
    walk(found, "Net.forward")
    (layer,) = named_roots(found, ["example.py::Layer.forward"])
    assert covering.is_covered(found, layer.function, Mode())
    assert not covering.is_covered(found, layer.function, Mode(fullgraph=True))


def test_what_another_file_calls_is_not_covered_there() -> None:
    found = inspector(MODEL.format(call="return self.layer(x)", body="return x", more=""))
    found.file = "other.py"
    walk(found, "Net.forward")
    (layer,) = named_roots(found, ["example.py::Layer.forward"])
    assert not covering.is_covered(found, layer.function, Mode())
