"""Gradients between parts of one result. The positive forms are the examples of CL748 and CL749."""

from __future__ import annotations

import pytest

from tests.regions.constructs import constructs_around

PRELUDE = """
import torch
from torch.autograd import grad

def both(x):
    inner = x.sin()
    return inner.cos(), inner

compiled = torch.compile(both)
other = torch.compile(both)
captured = torch.compile(both, backend="eager")
x = torch.ones(4, requires_grad=True)
"""


def constructs(code: str) -> list[str]:
    return [each for each in constructs_around(PRELUDE + code) if each.startswith("gradient-")]


@pytest.mark.parametrize(
    "code",
    [
        "a, b = compiled(x)\ngrad(a.sum(), b)",
        "a, (b, c) = compiled(x)\nloss = (a * c).sum()\ngrad([loss], [x, b])",
        "out = compiled(x)\ngrad(outputs=out.logits.sum(), inputs=out.states[0])",
        "out = compiled(x)\nb = out['b']\ngrad(out['a'].sum(), b, allow_unused=False)",
        "def slope(a, b):\n    return grad(a.sum(), b, create_graph=True)[0]\na, b = compiled(x)\nslope(a * 2, b)",
    ],
)
def test_no_gradient_leads_from_one_part_to_another(code: str) -> None:
    assert constructs(code) == ["gradient-between-outputs"]


@pytest.mark.parametrize(
    "code",
    [
        "a, b = compiled(x)\ngrad(a.sum(), b, allow_unused=True)",
        "a, b = compiled(x)\ngrad(a.sum() + b.sum(), b)",
        "a, b = compiled(x)\n(a * b[0]).sum().backward(inputs=(b,))",
        "a, b = compiled(x)\nb.retain_grad()\na.sum().backward()",
        "a, b = compiled(x)\nb.retain_grad()\na.sum().backward()\nc, d = compiled(x)\nd.sum().backward()",
        "a, b = compiled(x)\nb.register_hook(print)\nloss = a.sum() + b.sum()\nscaler.scale(loss).backward()",
    ],
)
def test_what_does_not_raise_loses_it(code: str) -> None:
    assert constructs(code) == ["gradient-lost"]


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("not compiled", "a, b = both(x)\ngrad(a.sum(), b)"),
        ("autograd is left alone", "a, b = captured(x)\ngrad(a.sum(), b)"),
        ("the input", "a, b = compiled(x)\ngrad(a.sum(), x)"),
        ("of two calls", "a, _ = compiled(x)\n_, b = compiled(x)\ngrad(a.sum(), b)"),
        ("one goes through the other", "_, b = compiled(x)\na, _ = other(b)\ngrad(a.sum(), b)"),
        ("of itself", "a, b = compiled(x)\ngrad((b * 2).sum(), b)"),
        ("a part of the whole", "out = compiled(x)\ngrad(out[0].sum(), out)"),
        ("perhaps the same", "out = compiled(x)\ngrad(out[0].sum(), out.loss)"),
        ("perhaps the same, from the end", "out = compiled(x)\ngrad(out[-1].sum(), out[1])"),
        ("which part is not known", "a, *rest = compiled(x)\ngrad(rest[0].sum(), a)"),
        ("perhaps both", "out = compiled(x)\ngrad(out[0].sum() + f(out), out[1])"),
        ("another value since", "a, b = compiled(x)\nb = both(x)[0]\ngrad(a.sum(), b)"),
        ("kept for itself", "a, b = compiled(x)\nb.retain_grad()\nb.sum().backward()"),
        ("kept after it", "a, b = compiled(x)\na.sum().backward()\nb.retain_grad()"),
        ("detached", "a, b = compiled(x)\nb.retain_grad()\n(a.detach() * b).sum().backward()"),
        ("only if asked to", "def f(a, b, on):\n    if on:\n        grad(a.sum(), b)\na, b = compiled(x)\nf(a, b, 0)"),
        ("of its own", "def f(a, b):\n    a, b = both(b)\n    grad(a.sum(), b)\na, b = compiled(x)\nf(a, b)"),
    ],
)
def test_nothing_is_lost(why: str, code: str) -> None:
    assert constructs(code) == [], why
