"""What is drawn for a size with `generator=None`."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events, function

HELPERS = """
def noise(shape, generator=None):
    if isinstance(generator, list) and len(generator) == 1:
        generator = generator[0]
    return torch.randn(shape, generator=generator)

class Normal:
    def __init__(self, mean):
        self.mean = mean

    def sample(self, generator=None):
        return self.mean + noise(self.mean.shape, generator)

normal = Normal(torch.zeros(3))
"""


def drawn(call: str, before: str = "pass", helpers: str = "") -> list[Confidence]:
    code = f"{helpers}\n{function(f'{before}{chr(10)}{call}')}"
    return [event.confidence for event in events(code, "f", "call") if event.construct == "of-size"]


@pytest.mark.parametrize(
    ("call", "confidence"),
    [
        ("torch.randn(x.shape, generator=None)", Confidence.MEDIUM),
        ("torch.randn(*x.shape, generator=None)", Confidence.MEDIUM),
        ("torch.rand(n, 4, generator=None)", Confidence.MEDIUM),
        ("torch.rand(size=(n, 4), generator=None)", Confidence.MEDIUM),
        ("torch.randint(0, 5, (4, n), generator=none)", Confidence.MEDIUM),
        ("torch.randn(4, x.shape[-1], generator=None)", Confidence.LOW),
        ("torch.randn(num_heads, generator=None)", Confidence.LOW),
    ],
)
def test_what_is_drawn_without_a_generator_fails_once_a_size_differs(call: str, confidence: Confidence) -> None:
    assert drawn(call, before="n = x.shape[0]\nnum_heads = x.shape[1]\nnone = None") == [confidence]


@pytest.mark.parametrize(
    ("generator", "confidence"),
    [
        ("generator: torch.Generator | None = None", [Confidence.MEDIUM]),
        ("generator: torch.Generator | None", [Confidence.MEDIUM]),
        ("generator: torch.Generator", []),
        ("generator", []),
    ],
)
def test_a_generator_that_may_be_left_out_is_none_in_most_calls(generator: str, confidence: list[Confidence]) -> None:
    code = f"import torch\ndef f(x: torch.Tensor, {generator}):\n    torch.randn(x.shape, generator=generator)\n"
    assert [each.confidence for each in events(code, "f", "call") if each.construct == "of-size"] == confidence


@pytest.mark.parametrize(
    ("why", "call"),
    [
        ("no generator is asked for", "torch.randn(x.shape)"),
        ("one is given", "torch.randn(x.shape, generator=torch.Generator())"),
        ("the size is a number", "torch.randn(2, 4, generator=None)"),
        ("it is that of a parameter", "torch.randn(self.weight.shape, generator=None)"),
        ("it has a form for such a size", "torch.randperm(x.shape[0], generator=None)"),
    ],
)
def test_what_is_drawn_for_any_size(why: str, call: str) -> None:
    assert drawn(call) == []


@pytest.mark.parametrize(
    "call",
    [
        "noise(x.shape)",
        "noise(x.size())",
        "noise(x.shape[:2], None)",
        "Normal(x).sample()",
        "Normal(x.chunk(2, dim=1)[0]).sample(None)",
    ],
)
def test_a_size_is_followed_to_who_draws(call: str) -> None:
    assert drawn(call, helpers=HELPERS) == [Confidence.MEDIUM]


@pytest.mark.parametrize(
    ("why", "call"),
    [
        ("what a module holds is as large in each call", "noise(self.weight.shape)"),
        ("what an object held before is as well", "normal.sample()"),
        ("a generator is given", "noise(x.shape, torch.Generator())"),
        ("numbers", "noise((2, 4))"),
    ],
)
def test_a_size_that_is_handed_on_is_the_same_in_each_call(why: str, call: str) -> None:
    assert drawn(call, helpers=HELPERS) == [], why
