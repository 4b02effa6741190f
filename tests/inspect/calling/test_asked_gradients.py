"""Whether what is made is made to require a gradient, where a flag decides."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events


def sureness(made: str, callee: str = "torch.zeros") -> Confidence:
    code = f"""
class Net(nn.Module):
    def forward(self, x: Tensor, learn: bool = False, fixed: bool = True, *, open: bool):
        return x + {made}
"""
    (event,) = (each for each in events(code, "Net.forward", "call") if each.callee == callee)
    return event.confidence


def test_a_flag_that_is_off_by_default_asks_for_none() -> None:
    assert sureness("torch.zeros(3, requires_grad=learn)") == Confidence.LOW


@pytest.mark.parametrize("flag", ["x.requires_grad", "x.requires_grad and fixed", "open"])
def test_a_flag_that_may_be_either_is_assumed_to_ask(flag: str) -> None:
    assert sureness(f"torch.zeros(3, requires_grad={flag})") == Confidence.MEDIUM


def test_the_same_of_what_is_set_on_a_tensor() -> None:
    asked = "torch.zeros(3).requires_grad_(x.requires_grad)"
    assert sureness(asked, "torch.Tensor.requires_grad_") == Confidence.MEDIUM


@pytest.mark.parametrize("flag", ["True", "fixed", "self.training", "torch.is_grad_enabled()"])
def test_what_is_so_in_training_is_sure(flag: str) -> None:
    assert sureness(f"torch.zeros(3, requires_grad={flag})") == Confidence.HIGH


def test_what_breaks_the_graph_whatever_it_is_asked_for_is_sure() -> None:
    made = "torch.sparse_coo_tensor(x, x, requires_grad=x.requires_grad)"
    assert sureness(made, "torch.sparse_coo_tensor") == Confidence.HIGH
