"""Which numbers of a size may be others in the next call, and how far they are followed."""

from __future__ import annotations

from textwrap import indent

import pytest

from compilelint.inspect.kinds import FLOAT, INT, SIZE, Kind, join
from compilelint.report.confidence import Confidence
from tests.inspect.make import events, kind_of


@pytest.mark.parametrize(
    ("expression", "before"),
    [
        ("x.shape[1]", ""),
        ("x.size(2)", ""),
        ("x.size(dim=1)", ""),
        ("x.size()[-2]", ""),
        ("h", "b, c, h, w = x.shape"),
        ("w", "b, c, h, w = x.size()"),
        ("t", "b, t, d = x.shape"),
        ("t", "b, t = x.shape[:2]"),
        ("h", "h, w = x.shape[-2:]"),
        ("w", "*_, h, w = x.shape"),
        ("x.size(1)", "b, t, d = x.shape"),
        ("x.size(3)", "b, c, h, w = x.shape"),
        ("math.prod(x.shape[2:])", ""),
        ("x.shape[1] // 2 + n", ""),
        ("int(x.shape[1])", ""),
        ("x.shape[1] if flag else x.shape[2]", ""),
        ("[(x.shape[1], x.shape[2])][0][1]", ""),
    ],
)
def test_differs_from_call_to_call(expression: str, before: str) -> None:
    assert kind_of(expression, before) == SIZE


@pytest.mark.parametrize(
    ("why", "expression", "before", "kind"),
    [
        ("a batch", "x.shape[0]", "", INT),
        ("a batch that is asked for", "x.size(0)", "", INT),
        ("a batch that is asked for by name", "x.size(dim=0)", "", INT),
        ("a dimension that is not known", "x.size(n)", "", INT),
        ("arguments that are not known", "x.size(*what)", "", kind_of("x.abs().size(*what)")),
        ("features", "x.shape[-1]", "", INT),
        ("features that are unpacked", "d", "b, t, d = x.shape", INT),
        ("features of three dimensions", "x.size(2)", "b, t, d = x.shape", INT),
        ("channels", "c", "b, c, h, w = x.shape", INT),
        ("dimensions of batches", "x.shape[:-1][1]", "", INT),
        ("of what has no name", "x.abs().shape[1]", "", INT),
        ("a fraction", "x.shape[1] / 2", "", FLOAT),
        ("on one path only", "x.shape[1] if flag else 4", "", INT),
        ("no size", "n", "", INT),
        ("with a tensor", "x.shape[1] if flag else x", "", join(SIZE, kind_of("x"))),
    ],
)
def test_is_the_same_in_each_call_or_not_known(why: str, expression: str, before: str, kind: Kind) -> None:
    assert kind_of(expression, before) == kind


def held(body: str, helpers: str) -> list[tuple[str, Confidence]]:
    """What makes a size a constant in functions that a forward with this body calls."""
    code = (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.weight = nn.Parameter(torch.zeros(3, 4))\n"
        f"    def forward(self, x: Tensor):\n{indent(body, ' ' * 8)}\n{helpers}\n"
    )
    return [
        (event.source, event.confidence)
        for event in events(code, "Net.forward", "call")
        if event.construct == "constant-by-size"
    ]


@pytest.mark.parametrize(
    ("body", "helpers", "source"),
    [
        ("h, w = x.shape[-2:]\nf(h)", "def f(n):\n    return torch.linspace(0, 1, n)", "torch.linspace(0, 1, n)"),
        ("f(x.size(1))", "def f(n):\n    return math.log(n)", "math.log(n)"),
        ("f(n=x.size(1))", "def f(n):\n    half = n // 2\n    return np.ceil(half / 2)", "np.ceil(half / 2)"),
        ("f(x.size(1))", "def f(n):\n    return g(n)\ndef g(n):\n    return np.sqrt(n)", "np.sqrt(n)"),
        ("f(x.size(1))", "def f(seq_len):\n    return [i for i in range(seq_len)]", "range(seq_len)"),
        (
            "shapes = []\nfor y in [x, x]:\n    b, c, h, w = y.shape\n    shapes.append((h, w))\nf(shapes)",
            "def f(shapes):\n    for i, (h, w) in enumerate(shapes):\n        torch.linspace(0.5, h, h)",
            "torch.linspace(0.5, h, h)",
        ),
        ("n = f(x)\ntorch.linspace(0, 1, n)", "def f(x):\n    return x.shape[1]", "torch.linspace(0, 1, n)"),
    ],
)
def test_a_size_is_followed(body: str, helpers: str, source: str) -> None:
    assert held(body, helpers) == [(source, Confidence.MEDIUM)]


@pytest.mark.parametrize(
    ("why", "body", "helpers"),
    [
        ("a batch", "f(x.shape[0])", "def f(n):\n    return torch.linspace(0, 1, n)"),
        ("of what the module holds", "f(self.weight.shape[1])", "def f(n):\n    return torch.linspace(0, 1, n)"),
        ("any size is traced", "f(x.shape[1])", "def f(n):\n    return torch.arange(n)"),
        ("another number", "f(x.shape[1])", "def f(n):\n    n = 4\n    return torch.linspace(0, 1, n)"),
    ],
)
def test_where_nothing_is_held(why: str, body: str, helpers: str) -> None:
    assert held(body, helpers) == []


@pytest.mark.parametrize(
    ("name", "confidence"),
    [
        ("n_bins", Confidence.LOW),
        ("num_classes", Confidence.LOW),
        ("spk_num", Confidence.LOW),
        ("num_frames", Confidence.MEDIUM),
        ("height", Confidence.MEDIUM),
        ("n", Confidence.MEDIUM),
    ],
)
def test_names_tell_what_is_the_same_in_each_call(name: str, confidence: Confidence) -> None:
    helper = f"def f({name}):\n    return torch.linspace(0, 1, {name})"
    assert held("f(x.shape[1])", helper) == [(f"torch.linspace(0, 1, {name})", confidence)]
