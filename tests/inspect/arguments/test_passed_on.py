"""What functions that a root hands its parameters to say of them."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import UNKNOWN
from compilelint.report.confidence import Confidence
from tests.inspect.make import events, returned

NET = """
def lengths_of(lengths):
    return int(lengths.max())

def through(values):
    return lengths_of(values)

def far(given):
    return through(given)

class Net(nn.Module):
    def has_any(self, x, m):
        return x + 1 if (m > 0).any() else x

    def by_name(self, x, *, m=None):
        return m.nonzero()

    def declared(self, m: list):
        return m.nonzero()

    def first(self, m):
        return [name for name in m.items() if m.max() > 1]

    def of_batch(self, x, batch):
        return batch['mask'].nonzero()

    def hands_on(self, x, batch):
        return lengths_of(batch['lengths'])

    def odd(self, x, batch):
        return batch['mask'].nonzero() if batch['mask'].keys() else x

    def forward(self, x, m, *rest):
        {body}
"""


def reads(body: str) -> list[str]:
    """What is likely to read tensors in a `forward` with this body and in what it calls."""
    code = NET.format(body=body)
    found = events(code, "Net.forward", "branch", "call")
    names = ("torch.Tensor.nonzero", "torch.Tensor.max")
    return [
        event.source
        for event in found
        if (event.type == "branch" or event.callee in names) and event.confidence > Confidence.LOW
    ]


@pytest.mark.parametrize(
    ("body", "source"),
    [
        ("return self.has_any(x, m)", "(m > 0).any()"),
        ("return self.has_any(m=m, x=x)", "(m > 0).any()"),
        ("return self.by_name(x, m=m)", "m.nonzero()"),
        ("return lengths_of(m)", "lengths.max()"),
        ("return through(m)", "lengths.max()"),
        ("n, m = self.has_any(x, m), None", "(m > 0).any()"),
    ],
)
def test_a_parameter_is_what_a_callee_uses_it_as(body: str, source: str) -> None:
    assert source in reads(body)


@pytest.mark.parametrize(
    ("body", "source"),
    [
        ("return lengths_of(m[0])", "lengths.max()"),
        ("return lengths_of(m['lengths'])", "lengths.max()"),
        ("return lengths_of(m.lengths)", "lengths.max()"),
        ("return through(m['lengths'])", "lengths.max()"),
        ("lengths = m['lengths']\n        return lengths_of(lengths)", "lengths.max()"),
        ("return self.of_batch(x, m)", "batch['mask'].nonzero()"),
        ("return self.of_batch(x, batch=m)", "batch['mask'].nonzero()"),
        ("m.update(x=x)\n        return self.of_batch(x, m)", "batch['mask'].nonzero()"),
        ("return self.of_batch(x, m['inner'])", "batch['mask'].nonzero()"),
        ("return self.hands_on(x, m)", "lengths.max()"),
    ],
)
def test_what_a_parameter_holds_is_what_a_callee_uses_it_as(body: str, source: str) -> None:
    assert source in reads(body)


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("it is used as something else, too", "return self.odd(x, m)"),
        ("the body says that it is something else", "m['mask'].append(x)\n        return self.of_batch(x, m)"),
        ("it is another value by then", "m = other()\n        return self.of_batch(x, m)"),
        ("another is handed on", "return self.of_batch(x, rest)"),
    ],
)
def test_what_a_parameter_holds_is_not_known(why: str, body: str) -> None:
    assert reads(body) == []


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("it is another value by then", "m = m.other()\n        return self.has_any(x, m)"),
        ("the callee declares what it takes", "return self.declared(m)"),
        ("the callee uses it as something else, too", "return self.first(m)"),
        ("nobody looks that far", "return far(m)"),
        ("a method of something else is called", "return m.has_any(x, m)"),
        ("what is passed is no item of it", "return lengths_of(m[x])"),
        ("its item is another value by then", "m = m.other()\n        return lengths_of(m[0])"),
    ],
)
def test_a_parameter_is_not_known(why: str, body: str) -> None:
    assert reads(body) == []


def test_what_a_callee_unpacks_is_not_taken_for_a_tensor_because_it_is_the_first() -> None:
    code = """
    def unpacked(given):
        x, n = given
        return x, n

    class Net(nn.Module):
        def forward(self, inputs):
            x, n = unpacked(inputs)
            return n
    """
    assert returned(code, "Net.forward") == UNKNOWN


def test_what_a_callee_slices_by_is_not_taken_for_a_tensor_because_it_is_the_first() -> None:
    code = """
class Filter(nn.Module):
    def times(self, n):
        return self.t[..., :n] if n < self.t.size(0) else torch.linspace(0, n, n)

    def filter(self, n, *args):
        return self.times(n)

    def forward(self, n, *args):
        return self.filter(n, *args)
"""
    assert not [event.source for event in events(code, "Filter.forward", "branch") if event.confidence > Confidence.LOW]
