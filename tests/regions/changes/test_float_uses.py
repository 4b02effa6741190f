"""Operators that need a `float` argument as it is."""

from __future__ import annotations

import pytest

from tests.regions.constructs import constructs_around

PRELUDE = """
import math
import torch
import torch.nn.functional as F
x = torch.ones(4)

def passed_on(x, rate):
    return x.lerp(x, rate)

@torch.compile
def step(x, f):
    {body}

for i in range(9):
    step(x, i * 0.1)
"""


def constructs(body: str) -> list[str]:
    return constructs_around(PRELUDE.format(body=body))


@pytest.mark.parametrize(
    "body",
    [
        "return x * math.exp(-f)",
        "return x * math.pow(f, 2)",
        "return x * np.exp(-f)",
        "return x * np.clip(f / 5, 0, 1)",
        "return F.dropout(x, f)",
        "return torch.nn.functional.dropout(x, p=f)",
        "return x.lerp(y, 1 - f)",
        "return torch.lerp(x, y, f)",
        "return x.add_(y, alpha=-f)",
        "return x.clamp(1 - f, 1 + f)",
        "return torch.clamp(x, max=f)",
        "return x.clip(-f, f)",
        "return torch.clip(x, min=f)",
        "return x.clip_(max=f)",
        "return x.addcdiv_(y, y, value=-f)",
        "return torch.where(x > 0, x, f)",
        "return x.masked_fill(x > 0, f)",
        "return torch.full((4,), f) + x",
        "return torch.full_like(x, fill_value=f)",
        "return x * torch.tensor(f)",
        "return F.cross_entropy(x, y, label_smoothing=f)",
        "return passed_on(x, f)",
        "return x[:, : int(x.shape[1] * f)]",
        "n, length = x.shape\n    return x[:, : int(length * (1 - f))]",
        "length = x.size(1)\n    keep = int(length * f)\n    return x[:, :keep]",
        "return x[:, : round(x.shape[1] * f)]",
        "length = len(x)\n    return x[: math.ceil(length * f)]",
        "torch._foreach_mul_([x], 1 - f)",
        "torch._foreach_add_([x], [x], alpha=-f)",
        "torch._foreach_lerp_([x], [x], f)",
        "return x.clamp(0.0, f * math.pi)",
        "return x.clamp(0.0, f * len(x.shape) / x.size(0))",
        "return x ** f",
        "return f ** x",
        "return x.abs() % f",
        "return torch.relu(x) // (f * 2)",
        "keep = 1 - f\n    return x * torch.empty_like(x).bernoulli_(keep)",
        "return F.dropout2d(x, f)",
        "return torch.empty_like(x).normal_(std=f)",
    ],
)
def test_an_operator_takes_the_number(body: str) -> None:
    assert constructs(body) == ["float-argument"]


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("arithmetic", "return x * f + f / x"),
        ("a comparison", "return x > f"),
        ("a comparison decides", "return torch.where(x > f, x, 0.0)"),
        ("it divides the logits", "return F.softmax(x / f, -1)"),
        ("another argument", "return x.lerp(y * f, 0.5)"),
        ("the tensor itself", "return torch.clamp(x * f, 0.0, 1.0)"),
        ("a method that is no operator of torch", "return self.store.full(x, f)"),
        ("Dynamo writes it as arithmetic", "return torch.addcdiv(x, y, y, value=f)"),
        ("another module's function", "return numerics.tensor(f)"),
        ("of each the sum with a product", "torch._foreach_add_([x], torch._foreach_neg([x * f]))"),
        ("it is a whole number of another", "return x * f + int(x.shape[0] * 0.5)"),
        ("Python's own arithmetic", "return x * max(f, 0.1) ** 2"),
        ("a tensor that it scales", "return torch.where(x > 0, x * f, 0.0)"),
        ("a tensor of a name of its own", "y = x * f\n    return torch.where(x > 0, y, 0.0)"),
        ("a tensor that another makes", "h = torch.relu(x)\n    return x.masked_fill(x > 0, h.mean() * f)"),
        ("a power of a number", "return x * 2 ** f + x * f**2"),
        ("a rest of a size", "return x * (x.size(0) % f)"),
        ("a name that is bound twice", "p = f\n    if x.dim():\n        p = 0.5\n    return F.dropout(x, p)"),
    ],
)
def test_the_float_varies(why: str, body: str) -> None:
    assert constructs(body) == [], why


SCHEDULED = """
import math
import torch

@torch.compile
def step(x, f):
    return x.lerp(x * 2, f)

def cosine(step, total, base=0.1):
    if step < 10:
        return base * step / 10
    return base * 0.5 * (1 + math.cos(math.pi * step / total))

def blended(step, y):
    return step * y

def following(step):
    return step + 1

def stepped(epoch):
    return 0.1 * 0.5 ** (epoch // 30)

for i in range(90):
    {body}
"""


@pytest.mark.parametrize(
    "body",
    [
        "step(x, cosine(i, 90))",
        "lr = cosine(i, 90)\n    step(x, lr)",
        "step(x, min(0.999, (1 + i) / (10 + i)))",
        "step(x, max(1 - i / 90, 0.1))",
        "decay = min(0.999, (1 + i) / (10 + i))\n    step(x, decay)",
        "step(x, 0.5 * math.exp(-0.1 * i))",
    ],
)
def test_a_schedule_gives_the_number(body: str) -> None:
    assert constructs_around(SCHEDULED.format(body=body)) == ["float-argument"]


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("it has steps", "step(x, stepped(i))"),
        ("it follows nothing that the loop counts", "step(x, cosine(5, 90))"),
        ("one of the two may be a tensor", "for y in batches:\n        step(x, blended(i, y))"),
        ("it gives an int, which varies", "step(x, following(i))"),
        ("few values are left", "step(x, min(i, 3))"),
        ("a whole number", "step(x, math.floor(i / 50))"),
    ],
)
def test_no_schedule(why: str, body: str) -> None:
    assert constructs_around(SCHEDULED.format(body=body)) == [], why
