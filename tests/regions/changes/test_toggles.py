"""Settings around compiled calls. The positive forms are the examples of CL514 and CL515."""

from __future__ import annotations

import pytest

from tests.regions.constructs import constructs_around

PRELUDE = """
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
model = torch.compile(net)
"""


def constructs(code: str) -> list[str]:
    return constructs_around(PRELUDE + code)


@pytest.mark.parametrize(
    "code",
    [
        "for i in range(9):\n    with torch.set_grad_enabled(i % 2 == 0):\n        model(x)",
        "for i in range(9):\n    with torch.autocast('cuda', enabled=i > 3):\n        model(x)",
        "def run(x, phase):\n    with torch.set_grad_enabled(phase == 'train'):\n        return model(x)",
        "def run(x, i):\n    torch.set_num_threads(1 + i % 2)\n    return model(x)",
        "def run(x, i):\n    torch.set_default_dtype(torch.float64 if i % 2 else torch.float32)\n    return model(x)",
    ],
)
def test_the_setting_is_another_one_from_call_to_call(code: str) -> None:
    assert constructs(code) == ["setting-changes"]


@pytest.mark.parametrize(
    "code",
    [
        "def run(x, fit):\n    if fit:\n        return model(x)\n    with torch.no_grad():\n        return model(x)",
        "def run(x, i):\n    if i % 2:\n        with torch.no_grad():\n            model(x)\n    return model(x)",
        "def run(x, i):\n    model.train(i % 2 == 0)\n    return model(x)",
    ],
)
def test_the_caller_decides_about_gradients_and_training(code: str) -> None:
    assert constructs(code) == ["setting-changes"]


@pytest.mark.parametrize(
    "line",
    ["x.requires_grad_(i % 2 == 0)", "x = x.clone().requires_grad_(bool(i % 2))", "x.requires_grad = i % 2 == 0"],
)
def test_an_input_sometimes_needs_gradients(line: str) -> None:
    assert constructs(f"def run(x, i):\n    {line}\n    return model(x)") == ["input-requires-grad"]


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("set once", "torch.set_num_threads(4)\nfor x in xs:\n    model(x)"),
        ("always the same", "for x in xs:\n    with torch.set_grad_enabled(True):\n        model(x)"),
        (
            "a setting of the run",
            "def run(x, amp):\n    with torch.autocast('cuda', enabled=amp):\n        return model(x)",
        ),
        (
            "a setting of the device",
            "def run(x, device):\n    with torch.autocast('cuda', enabled=device == 'cuda'):\n        model(x)",
        ),
        ("train and eval", "for x in xs:\n    model(x)\n    with torch.no_grad():\n        model(x)"),
        (
            "nothing compiled is called",
            "for i in range(9):\n    with torch.set_grad_enabled(i % 2 == 0):\n        other(x)",
        ),
        (
            "not guarded",
            "for i in range(9):\n    torch.seed()\n    torch.backends.cudnn.benchmark = i % 2 == 0\n    model(x)",
        ),
        ("after the call", "def run(x, i):\n    y = model(x)\n    torch.set_num_threads(1 + i % 2)\n    return y"),
        ("always without", "def run(x, i):\n    with torch.no_grad():\n        model(x)\n        return model(x)"),
        ("always training", "def run(x):\n    model.train(True)\n    return model(x)"),
        ("the input always needs them", "def run(x):\n    x.requires_grad_(True)\n    return model(x)"),
        ("another tensor needs them", "def run(x, y, i):\n    y.requires_grad_(i % 2 == 0)\n    return model(x)"),
        ("frozen before", "for layer in net:\n    layer.requires_grad_(False)\nmodel(x)"),
        (
            "frozen in one step",
            "for x in xs:\n    for p in net.parameters():\n        p.requires_grad = False\n    model(x)",
        ),
    ],
)
def test_the_setting_stays(why: str, code: str) -> None:
    assert constructs(code) == [], why


@pytest.mark.parametrize(
    ("on", "off"),
    [
        ("net.requires_grad_(True)", "net.requires_grad_(False)"),
        ("model.requires_grad_(True)", "model.requires_grad_(False)"),
        (
            "for p in net.parameters():\n        p.requires_grad = True",
            "for p in net.parameters():\n        p.requires_grad = False",
        ),
    ],
)
def test_a_network_is_frozen_in_turns(on: str, off: str) -> None:
    loop = "for x in xs:\n    {}\n    {}\n    {}\n    {}"
    assert constructs(loop.format(on, "model(x)", off, "model(x)")) == ["requires-grad-toggled"]
    # Run: where it is always called in the same state, it is compiled once.
    assert constructs(loop.format(on, "model(x)", off, "other(x)")) == []
    assert constructs(loop.format(off, on, "model(x)", "model(x)")) == []
    assert constructs(loop.format(on, "model(x)", on, "model(x)")) == []
    assert constructs(loop.format(on.replace("net", "other").replace("model", "other"), "model(x)", off, "pass")) == []


HELPERS = {
    "parameters": "def freeze(m, flag):\n    for p in m.parameters():\n        p.requires_grad = flag\n",
    "the module": "def freeze(m, flag=False):\n    m.requires_grad_(flag)\n",
    "several": "def freeze(nets, flag=False):\n    if not isinstance(nets, list):\n        nets = [nets]\n"
    "    for n in nets:\n        for p in n.parameters():\n            p.requires_grad = flag\n",
}


@pytest.mark.parametrize("helper", HELPERS.values(), ids=HELPERS)
def test_a_helper_freezes_it_in_turns(helper: str) -> None:
    loop = "for x in xs:\n    freeze({}, {})\n    {}\n    freeze({}, {})\n    {}"
    assert constructs(helper + loop.format("net", True, "model(x)", "net", False, "model(x)")) == [
        "requires-grad-toggled"
    ]
    assert constructs(helper + loop.format("net", True, "model(x)", "net", True, "model(x)")) == []
    assert constructs(helper + loop.format("net", True, "model(x)", "net", False, "other(x)")) == []
    assert constructs(helper + loop.format("other", True, "model(x)", "other", False, "model(x)")) == []


def test_a_helper_takes_a_list_and_a_default() -> None:
    loop = "for x in xs:\n    freeze([net], True)\n    model(x)\n    freeze([net, other])\n    model(x)"
    assert constructs(HELPERS["several"] + loop) == ["requires-grad-toggled"]
