"""Members of an Enum, dtypes, functions, layers and tensors of other dtypes and ranks that a loop gives in turn.

Each was run with torch 2.13: one graph for each where something is told, one in all where nothing is.
"""

from __future__ import annotations

import pytest

from tests.regions.constructs import events_around

PRELUDE = """
import enum
import torch
from enum import Enum
from torch import nn
from torch.nn import functional as F

class Mode(Enum):
    A = 1
    B = 2
    C = 3
    D = 4

class Phase(Enum):
    TRAIN = 0
    EVAL = 1

class Level(enum.IntEnum):
    A = 0
    B = 1
    C = 2
    D = 3

def add(x): return x + 1
def double(x): return x * 2
def square(x): return x ** 2
def negate(x): return -x

def ignoring(x, mode):
    return x + 1

@torch.compile
def step(x, mode):
    return BODY

x = torch.randn(4)
"""


def told(loop: str, body: str = "x * 2 if mode is Mode.A else x") -> list[tuple[str, str]]:
    events = events_around(PRELUDE.replace("BODY", body) + loop)
    return [
        (each.construct, each.callee) for each in events if each.construct in ("constant-argument", "layer-argument")
    ]


MEMBER, DTYPE, KIND = ("constant-argument", "member"), ("constant-argument", "dtype"), ("constant-argument", "kind")


@pytest.mark.parametrize(
    "loop",
    [
        "for mode in Mode:\n    step(x, mode)",
        "for i in range(3):\n    for mode in list(Mode):\n        step(x, mode)",
        "for mode in Mode.__members__.values():\n    step(x, mode)",
        "for mode in (Mode.A, Mode.B, Mode.C, Mode.D):\n    step(x, mode)",
        "MODES = [Mode.A, Mode.B, Mode.C, Mode.D]\nfor i in range(9):\n    step(x, MODES[i % 4])",
        "for mode, w in [(Mode.A, 1), (Mode.B, 2), (Mode.C, 3), (Mode.D, 4)]:\n    step(x, mode)",
        "for level in Level:\n    step(x, level)",
        "def run(mode):\n    return step(x, mode)\nfor mode in Mode:\n    run(mode)",
    ],
)
def test_members_of_an_enum(loop: str) -> None:
    assert told(loop) == [MEMBER]


@pytest.mark.parametrize("body", ["(x * 2, mode)", "x * 2 if isinstance(mode, Mode) else x", "x * mode.value"])
def test_what_is_asked_of_a_member(body: str) -> None:
    assert told("for mode in Mode:\n    step(x, mode)", body) == [MEMBER]


@pytest.mark.parametrize(
    ("why", "loop", "body"),
    [
        ("two members are two graphs", "for phase in Phase:\n    step(x, phase)", "x if mode else x * 2"),
        ("it is one member", "for i in range(9):\n    step(x, Mode.A)", "x if mode else x * 2"),
        ("nobody looks at it", "for mode in Mode:\n    step(x, mode)", "x * 2"),
        ("a helper takes it and does nothing", "for mode in Mode:\n    step(x, mode)", "ignoring(x, mode)"),
        ("it is no Enum", "class Modes: A = 1\nfor mode in Modes():\n    step(x, mode)", "x if mode else x * 2"),
    ],
)
def test_members_that_cost_nothing(why: str, loop: str, body: str) -> None:
    assert told(loop, body) == [], why


def test_a_text_of_a_member() -> None:
    events = events_around(PRELUDE.replace("BODY", "x * len(mode)") + "for mode in Mode:\n    step(x, mode.name)")
    assert [each.construct for each in events] == ["str-argument"]


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("for d in (torch.half, torch.float32, torch.bfloat16, torch.double):\n    step(x, d)", [DTYPE]),
        ("for d in (torch.half, torch.float16, torch.float, torch.float32):\n    step(x, d)", []),
        ("D = [torch.half, torch.float32, torch.bfloat16, torch.double]\nfor d in D:\n    step(x.to(d), 1)", [KIND]),
        ("for d in (torch.half, torch.float, torch.bfloat16, torch.double):\n    y = x.to(d)\n    step(y, 1)", [KIND]),
        (
            "for d in (torch.half, torch.float, torch.bfloat16, torch.double):\n    step(torch.ones(3, dtype=d), 1)",
            [KIND],
        ),
        ("for d in (torch.half, torch.float, torch.bfloat16, torch.double):\n    step(x.to(d).float(), 1)", []),
        ("for d in (torch.half, torch.float, torch.bfloat16, torch.double):\n    step(x, x.to(d) > 0)", []),
    ],
)
def test_dtypes(loop: str, expected: list[tuple[str, str]]) -> None:
    assert told(loop, "x.to(mode)" if expected == [DTYPE] or "step(x, d)" in loop else "x * 2") == expected


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("for s in [(4,), (4, 4), (2, 3, 4), (2, 2, 3, 4)]:\n    step(torch.randn(s), 1)", [KIND]),
        ("for s in [(4,), (4, 4), (2, 3, 4), (2, 2, 3, 4)]:\n    step(torch.randn(*s), 1)", [KIND]),
        ("for s in [(4, 4), (2, 3), (8, 4), (3, 3)]:\n    step(torch.randn(s), 1)", []),
        ("for s in [(4,), (4, 4)]:\n    step(torch.randn(s), 1)", []),
        (
            "for t in (torch.ones(4), torch.ones(4, 4), torch.ones(1, 2, 3), torch.ones(1, 1, 1, 1)):\n    step(t, 1)",
            [KIND],
        ),
    ],
)
def test_ranks(loop: str, expected: list[tuple[str, str]]) -> None:
    assert told(loop, "x * 2") == expected


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("for f in (add, double, square, negate):\n    step(x, f)", [("constant-argument", "function")]),
        (
            "FNS = {'a': torch.relu, 'b': torch.tanh, 'c': F.gelu, 'd': F.silu}\nfor name, f in FNS.items():\n"
            "    step(x, f)",
            [("constant-argument", "function")],
        ),
        ("for f in (add, double, add, double):\n    step(x, f)", []),
        ("for i in range(9):\n    step(x, add)", []),
    ],
)
def test_functions(loop: str, expected: list[tuple[str, str]]) -> None:
    assert told(loop, "mode(x)") == expected


LAYERS = "\nfor layer in layers:\n    step(x, layer)"


@pytest.mark.parametrize(
    "layers",
    [
        "[nn.Linear(4 * i, 4) for i in range(1, 9)]",
        "nn.ModuleList([nn.Linear(4 * i, 4) for i in range(1, 9)])",
        "nn.Sequential(*[nn.Conv2d(i, i, 3) for i in range(1, 9)])",
        "nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2), nn.Tanh())",
        "[nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])]",
        "[nn.Linear(w, 1) for w in sizes]",
    ],
)
def test_layers_of_other_sizes(layers: str) -> None:
    assert told(f"sizes = [4, 8, 16, 32, 64]\nlayers = {layers}{LAYERS}", "mode(x)") == [("layer-argument", "")]


@pytest.mark.parametrize(
    ("why", "layers"),
    [
        ("all have the same sizes", "[nn.Linear(4, 4) for i in range(9)]"),
        ("few have others", "nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))"),
        ("they have three sizes", "[nn.Linear(a, b) for a, b in zip(few, few[1:])]"),
        ("nobody knows the sizes", "[nn.Linear(a, b) for a, b in zip(given, given[1:])]"),
        ("what changes is no size", "[nn.Dropout(i / 10) for i in range(9)]"),
    ],
)
def test_layers_that_share_their_graphs(why: str, layers: str) -> None:
    assert told(f"few = [4, 8, 8, 8, 8, 2]\nlayers = {layers}{LAYERS}", "mode(x)") == [], why
