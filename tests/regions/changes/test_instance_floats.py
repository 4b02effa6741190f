"""Floats that each of the layers has another of which are compiled one by one."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.regions.constructs import NET, constructs_around, events_around

BLOCK = (
    NET
    + """
import torch.nn.functional as F
from timm.layers import DropPath
from torchvision.ops import StochasticDepth

class Drop(nn.Module):
    def __init__(self, name, rate):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        return F.dropout(x, self.rate)

class Scale(nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        return x * self.rate

def dropped(x, rate):
    keep = 1 - rate
    return x * x.new_empty(x.shape).bernoulli_(keep)

class Block(nn.Module):
    def __init__(self, width, rate):
        super().__init__()
        self.rate = rate
        self.layer = {layer}

    def forward(self, x):
        return {result}

depth = 12
{made}
for block in blocks:
    block.compile()
"""
)
LINE = "rates = torch.linspace(0.1, 0.3, depth).tolist()\n"
GROWN = """
class Grown(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList()
        for i in range(depth):
            self.blocks.append(Block(8, rates[i]))

blocks = Grown().blocks
"""


def code(
    made: str = LINE + "blocks = [Block(8, rate=rate) for rate in rates]",
    layer: str = "nn.Dropout(rate)",
    result: str = "self.layer(x)",
) -> str:
    return BLOCK.replace("{made}", made).replace("{layer}", layer).replace("{result}", result)


def constructs(**parts: str) -> list[str]:
    return constructs_around(code(**parts))


@pytest.mark.parametrize(
    "made",
    [
        LINE + "blocks = nn.ModuleList([Block(8, rates[i]) for i in range(depth)])",
        LINE + "blocks = [Block(8, rate) for i, rate in enumerate(rates)]",
        LINE + "blocks = [Block(width, rate) for width, rate in zip(widths, rates)]",
        LINE + GROWN,
        "rates = [x.item() for x in torch.linspace(0, 0.3, depth)]\nblocks = [Block(8, rate) for rate in rates]",
        "rates = [float(x) for x in np.linspace(0, 0.3, depth)]\nblocks = [Block(8, rate) for rate in rates]",
        "rates = [0.3 * i / (depth - 1) for i in range(depth)]\nblocks = [Block(8, rate) for rate in rates]",
        "blocks = [Block(8, 0.3 * i / depth) for i in range(depth)]",
    ],
)
def test_a_loop_gives_each_another_rate(made: str) -> None:
    assert constructs(made=made) == ["float-differs-per-instance"]


@pytest.mark.parametrize(
    ("layer", "result"),
    [
        ("nn.Dropout(p=rate)", "self.layer(x)"),
        ("nn.Dropout2d(rate) if rate > 0.0 else nn.Identity()", "x + self.layer(x)"),
        ("StochasticDepth(rate, 'row')", "self.layer(x)"),
        ("DropPath(rate) if rate > 0.0 else nn.Identity()", "self.layer(x)"),
        ("Drop('path', rate)", "self.layer(x)"),
        ("Drop('path', rate=rate) if rate else nn.Identity()", "self.layer(x)"),
        ("None", "F.dropout(x, self.rate, self.training)"),
        ("None", "dropped(x, self.rate)"),
    ],
)
def test_a_layer_or_an_operator_holds_it(layer: str, result: str) -> None:
    assert constructs(layer=layer, result=result) == ["float-differs-per-instance"]


@pytest.mark.parametrize(
    ("why", "parts"),
    [
        ("the same rate for all", {"made": "blocks = [Block(8, 0.1) for i in range(depth)]"}),
        ("of which nobody knows the rates", {"made": "blocks = [Block(8, rate) for rate in load()]"}),
        ("a list of names", {"made": "rates = list(names)\nblocks = [Block(8, rate) for rate in rates]"}),
        ("bound to something else, too", {"made": LINE + "rates = load()\nblocks = [Block(8, r) for r in rates]"}),
        ("another parameter grows", {"made": "blocks = [Block(0.1 * i, 0.1) for i in range(depth)]"}),
        ("forward does not run the layer", {"result": "x"}),
        ("arithmetic takes any float", {"layer": "Scale(rate)"}),
        ("arithmetic of its own", {"layer": "None", "result": "x * self.rate"}),
        ("a layer that is given another number", {"layer": "Drop(rate, 0.1)"}),
        ("an option that is no rate", {"layer": "nn.Dropout(0.1, inplace=rate)"}),
    ],
)  # fmt: skip
def test_all_layers_share_one_graph(why: str, parts: dict[str, str]) -> None:
    assert constructs(**parts) == [], why


def test_blocks_that_are_compiled_as_a_whole_hold_their_rates() -> None:
    whole = code().replace("for block in blocks:\n    block.compile()", "net = torch.compile(nn.Sequential(*blocks))")
    assert "float-differs-per-instance" not in constructs_around(whole)


@pytest.mark.parametrize(("rate", "confidence"), [("0.0", Confidence.LOW), ("0.2", Confidence.MEDIUM)])
def test_rates_that_are_0_by_default_may_not_grow(rate: str, confidence: Confidence) -> None:
    made = f"""
def build(drop_path_rate={rate}, depth=12):
    rates = [x.item() for x in torch.linspace(0, drop_path_rate, depth)]
    return nn.ModuleList([Block(8, rates[i]) for i in range(depth)])

blocks = build()
"""
    (event,) = events_around(code(made=made))
    assert (event.construct, event.confidence) == ("float-differs-per-instance", confidence)


NUMBERED = """
class Numbered(nn.Module):
    def __init__(self, index, cfg=None, rate=0.2, path=0.0):
        super().__init__()
        self.index = index
        self.rate = {rate}
        self.layer = {layer}

    def forward(self, x):
        return {result}

blocks = nn.ModuleList([Numbered(i) for i in range(depth)])
"""


def sureness(rate: str = "None", layer: str = "None", result: str = "F.dropout(x, self.rate)") -> list[Confidence]:
    return [
        each.confidence for each in events_around(code(made=NUMBERED.format(rate=rate, layer=layer, result=result)))
    ]


@pytest.mark.parametrize(
    "parts",
    [
        {"rate": "0.1 * index"},
        {"rate": "rate * index / cfg.layers"},
        {"layer": "nn.Dropout(rate * index / 12)", "result": "self.layer(x)"},
        {"layer": "DropPath(0.1 * index) if index > 0 else nn.Identity()", "result": "self.layer(x)"},
        {"layer": "Drop('path', index / 12)", "result": "self.layer(x)"},
    ],
)
def test_a_layer_makes_its_rate_of_its_number(parts: dict[str, str]) -> None:
    assert sureness(**parts) == [Confidence.MEDIUM]


@pytest.mark.parametrize("rate", ["path * index / 12", "cfg.drop * index / cfg.layers"])
def test_a_rate_that_may_be_0_is_not_surely_another(rate: str) -> None:
    assert sureness(rate) == [Confidence.LOW]


@pytest.mark.parametrize(
    "parts",
    [
        {"rate": "0.1 * index", "result": "x * self.rate"},
        {"rate": "rate"},
        {"rate": "0.1 * index", "result": "x"},
        {"layer": "nn.Dropout(rate)", "result": "self.layer(x)"},
    ],
)
def test_a_layer_makes_nothing_of_its_number_that_an_operator_holds(parts: dict[str, str]) -> None:
    assert sureness(**parts) == []
