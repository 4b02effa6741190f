"""`out=` that does not fit."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events, function


def reported(body: str) -> list[str]:
    return [event.construct for event in events(function(body), "f", "call") if event.callee == "torch.out"]


@pytest.mark.parametrize(
    ("body", "construct"),
    [
        ("o = torch.empty(0); torch.add(x, 1, out=o)", "resized"),
        ("o = x.new_empty(0); torch.cat([x, x], out=o)", "resized"),
        ("o = torch.tensor([]); torch.add(x, 1, out=o)", "resized"),
        ("v, i = torch.empty(0), torch.empty(0); torch.sort(x, out=(v, i))", "resized"),
        ("torch.sin(x, out=torch.empty(0))", "resized"),
        ("o = x.new(); torch.index_select(x, 0, i, out=o)", "resized"),
        ("o = torch.FloatTensor(); torch.add(x, 1, out=o)", "resized"),
        ("o = x.new()\nfor _ in range(2):\n    torch.add(x, 1, out=o)\n    o = o.clamp(min=0)", "resized"),
        ("torch.sin(x, out=y[:, 2:6])", "strided"),
        ("torch.sin(x, out=y[..., 1])", "strided"),
        ("torch.sin(x, out=y.t())", "strided"),
        ("torch.sin(x, out=y.T)", "strided"),
        ("o = y.t(); torch.sin(x, out=o)", "strided"),
        ("torch.sin(x, out=y[:n, :k])", "strided"),
        ("o = y[:3, 1:4]; torch.sin(x, out=o)", "strided"),
        ("torch.sin(x, out=y[i, :, :3])", "strided"),
        ("torch.sin(x, out=y[:n, 0])", "strided"),
    ],
)
def test_what_does_not_fit(body: str, construct: str) -> None:
    assert reported(body) == [construct]


@pytest.mark.parametrize(
    "body",
    [
        "torch.sin(x, out=y)",
        "o = torch.empty(4, 4); torch.sin(x, out=o)",
        "o = torch.empty_like(x); torch.sin(x, out=o)",
        "torch.sin(x, out=y[:4])",
        "torch.sin(x, out=y[1])",
        "torch.sin(x, out=y[:, :])",
        "torch.sin(x, out=y[2:5, :])",
        "torch.sin(x, out=y[i, :3])",
        "torch.sin(x, out=y[i, j])",
        "torch.sin(x, out=y[i : i + 1, :3])",
        "torch.sin(x, out=y[:1, :3])",
        "torch.sort(x, out=(y[:, :3], z))",
        "o = torch.empty(0); o = torch.empty(4); torch.sin(x, out=o)",
        "o = x.new(4); torch.sin(x, out=o)",
        "torch.sin(x)",
        "np.sin(x, out=torch.empty(0))",
        "what(x, out=torch.empty(0))",
    ],
)
def test_what_may_fit(body: str) -> None:
    assert reported(body) == []


@pytest.mark.parametrize(
    ("part", "confidence"),
    [("y[:, :k]", Confidence.HIGH), ("y[:n, :k]", Confidence.MEDIUM), ("y[i, :, :k]", Confidence.HIGH)],
)
def test_as_much_as_a_buffer_has_may_be_taken_of_it(part: str, confidence: Confidence) -> None:
    (event,) = (
        each for each in events(function(f"torch.sin(x, out={part})"), "f", "call") if each.callee == "torch.out"
    )
    assert event.confidence == confidence
