"""Parameters given one after the other. The positive forms are the examples of CL525."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.regions.constructs import constructs_around, events_around

CODE = """
import torch
from torch import nn

def update(p, g):
    p.add_(g)

def counted(p, g):
    return g

update, counted = torch.compile(update), torch.compile(counted)
fixed = torch.compile(lambda p, g: p.add_(g), dynamic=False)

def step(model, group, grads, tensors):
    {code}
"""


def constructs(code: str) -> list[str]:
    return constructs_around(CODE.format(code=code.replace("\n", "\n    ")))


@pytest.mark.parametrize(
    "code",
    [
        "for p in model.parameters():\n    update(p, p.grad)",
        "for p in list(model.parameters()):\n    update(p, p.grad)",
        "for name, p in model.named_parameters():\n    update(p, p.grad)",
        "for i, p in enumerate(group['params']):\n    update(p, p.grad)",
        "for i, (p, g) in enumerate(zip(group['params'], grads)):\n    update(p, g)",
        "for p in filter(lambda p: p.requires_grad, model.parameters()):\n    update(p, p.grad)",
        "def one(p, g):\n    update(p, g)\nfor p in model.parameters():\n    one(p, p.grad)",
        "return sum(update(p, g) for p, g in zip(model.parameters(), grads))",
        "params = [p for p in group['params'] if p.ndim > 1]\nfor p, g in zip(params, grads):\n    update(p, g)",
    ],
)
def test_a_loop_gives_its_parameters(code: str) -> None:
    assert constructs(code) == ["parameter-argument"]


def test_how_many_shapes_there_are_is_not_known() -> None:
    code = CODE.format(code="for p in model.parameters():\n        update(p, p.grad)")
    assert [event.confidence for event in events_around(code)] == [Confidence.MEDIUM]


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("for p in model.parameters():\n    update(p.detach(), p.grad)", id="detached"),
        pytest.param("for p in model.parameters():\n    update(p.data, p.grad)", id="its-data"),
        pytest.param("for p in model.parameters():\n    p = p.data\n    update(p, p.grad)", id="given-another-value"),
        pytest.param("for p in model.parameters():\n    counted(p, p.grad)", id="not-read"),
        pytest.param("for p in model.parameters():\n    fixed(p, p.grad)", id="static-on-purpose"),
        pytest.param(
            "torch._dynamo.config.force_parameter_static_shapes = False\n"
            "for p in model.parameters():\n    update(p, p.grad)",
            id="the-setting-leaves-sizes-open",
        ),
        pytest.param("for p in tensors:\n    update(p, p)", id="tensors"),
        pytest.param("for i, p in enumerate(group['params']):\n    update(grads[i], grads[i])", id="only-gradients"),
        pytest.param("for name, p in model.named_buffers():\n    update(p, p)", id="buffers"),
        pytest.param("p = next(model.parameters())\nfor g in grads:\n    update(p, g)", id="always-the-same"),
    ],
)
def test_nothing_is_told(code: str) -> None:
    assert "parameter-argument" not in constructs(code)
