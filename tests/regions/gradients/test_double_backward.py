"""Gradients of gradients through what is compiled. The positive forms are the examples of CL744."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.regions.constructs import constructs_around, events_around

PRELUDE = """
import torch
from torch import autograd, nn
from torch.autograd import grad

net = nn.Linear(4, 4)
critic = torch.compile(net)
captured = torch.compile(net, backend="eager")
x = torch.ones(4, requires_grad=True)
"""


def constructs(code: str) -> list[str]:
    return [each for each in constructs_around(PRELUDE + code) if each == "double-backward"]


@pytest.mark.parametrize(
    "code",
    [
        "grad(critic(x), x, create_graph=True)",
        "autograd.grad(outputs=critic(x).sum(), inputs=x, create_graph=True, retain_graph=True)",
        "score = critic(x)\nloss = score.sum()\ntorch.autograd.grad([loss], x, create_graph=True)",
        "loss = nn.functional.mse_loss(critic(x), x)\nloss.backward(create_graph=True)",
        "def penalty(x):\n    y = critic(x)\n    return grad(y, x, create_graph=True)\npenalty(x)",
        "def r1(y, x):\n    return grad(y.sum(), x, create_graph=True)[0].pow(2).mean()\ny = critic(x)\nr1(y, x)",
        "def r1(y, x):\n    with mode():\n        (g,) = grad(outputs=[(y * 2).sum()], inputs=x, create_graph=True)\n"
        "    return g.mean()\nr1(critic(x), x)",
        "y, z = critic(x)\ngrad(y.sum(), x, create_graph=True)",
        "def penalty(d, x):\n    y = d(x)\n    return grad(y.sum(), x, create_graph=True)\npenalty(critic, x)",
    ],
)
def test_a_gradient_with_a_history_of_what_is_compiled(code: str) -> None:
    assert constructs(code) == ["double-backward"]


TRAINER = """
class Trainer:
    def __init__(self, net):
        self.critic = torch.compile(net)

    def slope(self, y, x):
        return grad(y.sum(), x, create_graph=True)[0]

    @staticmethod
    def static_slope(y, x):
        return grad(y.sum(), x, create_graph=True)[0]

    @decorated
    def decorated_slope(self, y, x):
        return grad(y.sum(), x, create_graph=True)[0]

    def step(self, x):
        y = self.critic(x)
        return {}

Trainer(net).step(x)
"""


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("self.slope(y, x)", ["double-backward"]),
        ("self.static_slope(x=x, y=y)", ["double-backward"]),
        ("self.decorated_slope(y, x)", []),
        ("self.unknown(y, x)", []),
        ("self.slope(x, y)", []),
        ("self.slope(net(x), x)", []),
    ],
)
def test_methods_ask_for_the_gradient_of_what_they_are_given(call: str, found: list[str]) -> None:
    assert constructs(TRAINER.format(call)) == found


@pytest.mark.parametrize(
    "code",
    [
        "grad(net(x), x, create_graph=True)",
        "grad(critic(x), x)",
        "grad(critic(x), x, create_graph=False)",
        "grad(captured(x), x, create_graph=True)",
        "grad(torch.compile(net, backend='eager_debug')(x), x, create_graph=True)",
        "score = critic(x)\nscore = net(x)\ngrad(score, x, create_graph=True)",
        "target = critic(x).detach()\ngrad(net(x) - target, x, create_graph=True)",
        "other = critic(x)\ngrad(net(x), x, create_graph=True)",
        "grad((critic(x).detach() * net(x)).sum(), x, create_graph=True)",
        "y, z = critic(x)\ngrad(y.sum(), z, create_graph=True)",
        "def r1(y, x):\n    return grad(y.sum(), x)\nr1(critic(x), x)",
        "def r1(y, x):\n    return grad(y.sum(), x, create_graph=True)\nr1(net(x), x)",
        "def r1(y, x):\n    return grad(y.sum(), x, create_graph=True)\nr1(critic(x).detach(), x)",
        "def r1(y, x):\n    return grad(y.detach().sum(), x, create_graph=True)\nr1(critic(x), x)",
        "def r1(y, x):\n    y = net(x)\n    return grad(y.sum(), x, create_graph=True)\nr1(critic(x), x)",
        "def r1(y, x, on=False):\n    if on:\n        grad(y.sum(), x, create_graph=True)\nr1(critic(x), x)",
        "def r1(y, x, on=False):\n    if not on:\n        return\n    grad(y, x, create_graph=True)\nr1(critic(x), x)",
        "def r1(x):\n    return grad(net(x).sum(), x, create_graph=True)\nr1(critic(x))",
        "def r1(x):\n    return grad(x.sin(), x, create_graph=True)\nr1(critic(x))",
        "def r1(y, x):\n    return grad(y.sum(), x, create_graph=True)\nfake = critic(x)\nr1(net(fake), fake)",
        "fake = critic(x)\ngrad(net(fake).sum(), fake, create_graph=True)",
        "mixed = critic(x) * 0.5 + x\nscore = net(mixed)\ngrad(outputs=score, inputs=mixed, create_graph=True)",
        "y = net(x)\nopt.backward(critic(x), create_graph=True)",
    ],
)
def test_no_gradient_with_a_history_of_what_is_compiled(code: str) -> None:
    assert constructs(code) == []


@pytest.mark.parametrize("name", ["hvp", "vhp", "jvp", "hessian"])
@pytest.mark.parametrize(
    ("function", "found"),
    [
        ("critic", True),
        ("lambda x: critic(x).sum()", True),
        ("net", False),
        ("captured", False),
        ("lambda x: x", False),
    ],
)
def test_what_differentiates_twice(name: str, function: str, found: bool) -> None:
    code = f"{PRELUDE}torch.autograd.functional.{name}({function}, x, x)\n"
    events = [event for event in events_around(code) if event.callee == f"torch.autograd.functional.{name}"]
    assert [event.construct for event in events] == ["hessian" if name == "hessian" else "double-backward"] * found


@pytest.mark.parametrize(
    ("why", "use", "found"),
    [
        ("only its shape is told", "print(g.shape, g.dtype)", []),
        ("only its values are told", "print(g.detach())", []),
        ("it is a part of a loss", "print(g.shape)\nloss = g.norm()", ["double-backward"]),
        ("it is handed on", "print(g)", ["double-backward"]),
        ("nobody asks for it, here", "", ["double-backward"]),
    ],
)
@pytest.mark.parametrize("target", ["g, = {}", "g = {}[0]"])
def test_a_gradient_that_is_only_looked_at_is_not_differentiated(
    why: str, use: str, found: list[str], target: str
) -> None:
    asked = target.format("grad(critic(x).sum(), x, create_graph=True)")
    assert constructs(f"{asked}\n{use}") == found, why


def test_of_a_condition_it_is_less_sure() -> None:
    (event,) = (
        each
        for each in events_around(PRELUDE + "grad(critic(x), x, create_graph=net.training)")
        if each.construct == "double-backward"
    )
    assert event.confidence == Confidence.MEDIUM


def test_a_value_that_is_used_again_and_again_is_looked_at_once() -> None:
    steps = "".join(f"y{step} = y{step - 1} * y{step - 1}\n" for step in range(1, 60))
    assert constructs(f"y0 = net(x)\n{steps}grad(y59, x, create_graph=True)") == []
    assert constructs(f"y0 = critic(x)\n{steps}grad(y59, x, create_graph=True)") == ["double-backward"]
