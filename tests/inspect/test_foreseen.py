"""Tensors whose one number is known while tracing, which torch takes for a size as they are (torch 2.13)."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import Tensor
from tests.inspect.make import kind_of


@pytest.mark.parametrize(
    "expression",
    [
        "torch.tensor(3)",
        "torch.as_tensor(n)",
        "torch.as_tensor(x.shape[0], device=x.device)",
        "torch.tensor(what)",
        "torch.tensor(3).to(x.device)",
        "torch.tensor(3) * 2 + 1",
        "torch.tensor(3) // torch.tensor(2)",
        "torch.ceil(torch.tensor(2.5)).int()",
        "torch.tensor(3).clamp(max=2)",
        "torch.min(torch.as_tensor(n), torch.as_tensor(x.shape[0]))",
        "torch.div(x.shape[0], 2, rounding_mode='trunc')",
        "torch.floor_divide(n, 2) - 1",
        "torch.sub(7, 2)",
    ],
)
def test_a_number_that_became_a_tensor_is_known_while_tracing(expression: str) -> None:
    kind = kind_of(expression)
    assert isinstance(kind, Tensor)
    assert kind.foreseen


@pytest.mark.parametrize(
    ("why", "expression"),
    [
        ("several numbers", "torch.tensor([2, 3])"),
        ("one of several, which the graph finds", "torch.tensor([2, 3]).max()"),
        ("of what may be several", "torch.prod(torch.as_tensor(what))"),
        ("the graph fills it", "torch.full((), 3)"),
        ("the graph draws it", "torch.randint(1, 3, ())"),
        ("a number that was read from a tensor", "torch.tensor(x.sum().item())"),
        ("so is half of one", "torch.div(x.sum().item(), 2)"),
        ("half of what may be a tensor", "torch.div(what, 2)"),
        ("with a tensor of data", "torch.tensor(3) + y"),
        ("with what may be a tensor", "torch.tensor(3) + what"),
        ("a size of data", "x.sum()"),
    ],
)
def test_what_the_graph_computes_is_not(why: str, expression: str) -> None:
    kind = kind_of(expression)
    assert isinstance(kind, Tensor)
    assert not kind.foreseen


def test_what_is_one_or_the_other_is_not() -> None:
    kind = kind_of("torch.tensor(3) if flag else x.sum()")
    assert isinstance(kind, Tensor)
    assert not kind.foreseen
