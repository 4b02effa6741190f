"""Conditions that hold only where a computation has gone wrong."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events


def confidence_under(test: str) -> Confidence:
    code = f"""
def is_broken(x):
    return bool(torch.isnan(x).any())

def is_fine(x):
    "Whether it is."
    return torch.isfinite(x).all()

def is_large(x):
    return x.sum() > 3

class Net(nn.Module):
    def forward(self, x: Tensor, flag: bool):
        if {test}:
            print(x)
        return x
"""
    (event,) = (each for each in events(code, "Net.forward", "call") if each.callee == "builtins.print")
    return event.confidence


@pytest.mark.parametrize(
    "test",
    [
        "torch.isnan(x).any()",
        "x.isinf().any().item()",
        "torch.any(torch.isnan(x))",
        "bool(torch.isnan(x).any())",
        "torch.isnan(x).sum() > 0",
        "x.isnan().sum() != 0",
        "not torch.isnan(x).sum() == 0",
        "not torch.isfinite(x).all()",
        "torch.isnan(x).any() or torch.isinf(x).any()",
        "(torch.isnan(x) | torch.isinf(x)).any()",
        "flag and torch.isnan(x).any()",
        "is_broken(x)",
        "not is_fine(x)",
    ],
)
def test_what_happens_where_numbers_are_none_is_of_low_confidence(test: str) -> None:
    assert confidence_under(test) == Confidence.LOW


@pytest.mark.parametrize(
    "test",
    [
        "not torch.isnan(x).any()",
        "torch.isfinite(x).all()",
        "torch.isnan(x).sum() == 0",
        "flag or torch.isnan(x).any()",
        "not (flag and torch.isnan(x).any())",
        "x.any()",
        "is_fine(x)",
        "is_large(x)",
        "x.sum() > 0",
    ],
)
def test_what_happens_where_they_are_numbers_is_as_sure_as_anything(test: str) -> None:
    assert confidence_under(test) == Confidence.HIGH


def test_the_question_itself_is_asked_each_time() -> None:
    code = """
class Net(nn.Module):
    def forward(self, x: Tensor):
        if torch.isnan(x).any() or torch.isinf(x).any():
            print(x)
        return x
"""
    found = [each.confidence for each in events(code, "Net.forward", "branch")]
    assert found == [Confidence.HIGH, Confidence.HIGH]
