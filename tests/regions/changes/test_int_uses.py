"""What a compiled function does with an `int` that changes: uses that take its value as a constant."""

from __future__ import annotations

import pytest

from tests.regions.constructs import constructs_around, events_around

PRELUDE = """
import torch
import torch.nn.functional as F
x = torch.ones(9, 9)

class Table:
    def select(self, n):
        return n

CHOOSER = Table()

def passed_on(x, at):
    return x[:, at]

@torch.compile
def step(x, n, offsets=None):
    {body}

for i in range(9):
    step(x, i)
"""


def constructs(body: str) -> list[str]:
    return constructs_around(PRELUDE.format(body=body))


@pytest.mark.parametrize(
    "body",
    [
        "return x[:, n]",
        "return x[..., n - 1]",
        "return x[-n, 0]",
        "return passed_on(x, n)",
        "x[:, n] = 0",
        "x[n, :] += 1",
        "return x.unfold(1, n, 1)",
        "return x.unfold(1, 2, step=n)",
        "return torch.tensor_split(x, n + 1, 1)",
        "return x.diagonal(n)",
        "return torch.diagonal(x, offset=n)",
        "return F.avg_pool2d(x, n)",
        "return F.max_pool1d(x, kernel_size=n)",
        "return torch.nn.functional.max_pool1d(x, n)",
        "return F.adaptive_avg_pool1d(x, 2 * n)",
        "return x.sum(n)",
        "return torch.cat([x, x], dim=n)",
        "return x.transpose(0, n)",
        "return x.size(n) * x",
        "return F.softmax(x, dim=n)",
    ],
)
def test_one_graph_for_each_value(body: str) -> None:
    assert constructs(body) == ["int-argument"]


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("the only index", "return x[n]"),
        ("a slice", "return x[:, n : n + 1]"),
        ("an operator that takes one", "return x.select(1, n)"),
        ("a tensor of indices", "return x[:, offsets + n]"),
        ("another number", "return x[:, 0] * n"),
        ("the tensor itself", "return F.avg_pool2d(x * n, 2)"),
        ("the method is that of an object of the project", "return CHOOSER.select(n) * x"),
    ],
)
def test_the_number_stays_open(why: str, body: str) -> None:
    """Dynamo 2.13.0 compiles these twice, and no more."""
    assert constructs(body) == [], why


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return x * RATES[n]", ["array"]),
        ("return x * float(RATES[n - 1])", ["array"]),
        ("return x * RATES[n : n + 1]", []),
        ("return x * torch.as_tensor(RATES)[n]", []),
    ],
)
def test_an_array_is_indexed_by_a_number(body: str, found: list[str]) -> None:
    """Dynamo 2.13.0 splits the graph at the index once the number is open, and takes a slice as it is."""
    code = PRELUDE.format(body=body).replace("x = torch.ones", "import numpy as np\nRATES = np.ones(9)\nx = torch.ones")
    assert [event.callee for event in events_around(code)] == found


@pytest.mark.parametrize(
    ("sliced", "found"),
    [
        ("LAYERS[:n]", ["range"]),
        ("LAYERS[n:]", ["range"]),
        ("LAYERS[: n + 1]", ["range"]),
        ("LAYERS[::n]", ["range"]),
        ("WEIGHTS[n : n + 2]", ["index"]),
        ("NAMES[-n:]", ["index"]),
        ("LAYERS[:2]", []),
        ("x[:n]", []),
        ("RATES[:n]", []),
    ],
)
def test_a_part_of_a_container_is_taken_by_a_number(sliced: str, found: list[str]) -> None:
    """Dynamo 2.13.0 makes one graph for each of these numbers, and for a tensor or an array two."""
    code = PRELUDE.format(body=f"return x, {sliced}").replace("x = torch.ones", f"{CONTAINERS}x = torch.ones")
    assert [event.callee for event in events_around(code)] == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return TABLE[str(n)] * x", ["str"]),
        ("if x.requires_grad: report('step ' + str(n))", []),
        ("if n > 4: report('step ' + str(n))", ["str"]),
        ("if x.requires_grad: return TABLE[str(n)] * x", ["str"]),
        ("if x.requires_grad: return getattr(x, 'a' + str(n)) * x", ["str"]),
        ("whole, rest = divmod(n, 4); return x * whole", ["divmod"]),
        ("return x * math.gcd(n, 4)", ["math.gcd"]),
        ("if x.shape[0] > 9: raise ValueError(str(n))", []),
        ("return x * 2, '{}'.format(n)", []),
        ("return x * (1 - math.pow(0.9, n))", ["math.pow"]),
        ("return x * math.log(n, 2)", ["math.log"]),
        ("return x * math.sqrt(n) * math.log2(n) * math.cos(n)", []),
        ("return x * 2 if n in range(2, 5) else x", ["sought"]),
        ("return x * 2 if n in PHASE else x", ["sought"]),
        ("return x * 2 if n in TABLE else x", ["set"]),
        ("return x * 2 if n in {1: 2, 3: 4} else x", ["set"]),
        ("return x * 2 if n in [1, 2, 3] else x", []),
        ("TABLE[n] = x", ["index"]),
        ("return x.unbind(0)[n]", ["index"]),
        ("parts = x.chunk(9)\n    return parts[n]", ["index"]),
        ("parts = [x * k for k in range(9)]\n    return parts[n]", ["index"]),
        ("parts = torch.stack([x * k for k in range(9)])\n    return parts[n]", []),
        ("for k, layer in enumerate(LAYERS):\n        if k == n: break", ["rounds"]),
        ("for k in range(9):\n        if k >= n - 1: return x", ["rounds"]),
        ("for k in range(3):\n        if k >= n: return x", []),
        ("for k, w in enumerate((1, 2)):\n        if k == n: return x * w", []),
        ("for row in x:\n        if n > 2: return row", []),
        ("k = 0\n    while k < n:\n        k += 1", ["rounds"]),
        ("k = 0\n    while k < n:\n        k = k + 1", ["rounds"]),
        ("k = x.shape[0]\n    while k < n:\n        k = int(x.sum())", []),
        ("while x.shape[0] < n:\n        x = torch.cat([x, x])", []),
    ],
)
def test_what_needs_the_number_itself(body: str, found: list[str]) -> None:
    """Dynamo 2.13.0 compiles the former for each number, or splits the graph at it from the second number on."""
    made = "LAYERS = nn.ModuleList([nn.Linear(9, 9)])\nTABLE = {'1': 1.0}\nPHASE = range(3)"
    imports = f"import math\nfrom torch import nn\n{made}\n"
    code = PRELUDE.format(body=body).replace("x = torch.ones", f"{imports}x = torch.ones")
    assert [event.callee for event in events_around(code)] == found


CONTAINERS = """
import numpy as np
from torch import nn
LAYERS = nn.ModuleList(nn.Linear(9, 9) for _ in range(12))
WEIGHTS = [0.5, 1.0, 1.5]
NAMES = ("a", "b", "c")
RATES = np.ones(9)
"""


@pytest.mark.parametrize(
    ("called", "use"),
    [
        ("at", ("indices", "x[:, i]", "at")),
        ("hands_on", ("range", "range(n)", "inner")),
        ("lambda x, i: x[:, i]", ("indices", "x[:, i]", "<lambda>")),
        ("Picker()", ("indices", "x[:, k]", "Picker.forward")),
        ("scaled", ("dropout", "F.dropout(x, p)", "scaled")),
    ],
)
def test_it_is_told_what_the_function_does_with_it(called: str, use: tuple[str, str, str]) -> None:
    given = "i / 9" if called == "scaled" else "i"
    code = f"{USES}c = torch.compile({called})\nfor i in range(20):\n    c(torch.ones(3, 30), {given})\n"
    (event,) = events_around(code)
    assert (event.callee, event.use, event.used_in) == use


USES = """
import torch
import torch.nn.functional as F
from torch import nn
def at(x, i):
    return x[:, i]
def inner(x, n):
    for _ in range(n):
        x = x + 1
    return x
def hands_on(x, i):
    return inner(x, i)
class Picker(nn.Module):
    def forward(self, x, k):
        return x[:, k]
def scaled(x, p):
    return F.dropout(x, p)
"""
