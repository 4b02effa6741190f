"""Calls of methods under `@torch.compile` that break the graph."""

from __future__ import annotations

import pytest

from compilelint.inspect.calling.compiled_methods import CONSTRUCT
from compilelint.inspect.frame import Route
from compilelint.inspect.starting import run_root
from compilelint.regions.starts.named_roots import named_roots
from compilelint.report.confidence import Confidence
from tests.inspect.make import inspector

NET = """
class Norm(nn.Module):
    @torch.compile(dynamic=True)
    def forward(self, x):
        print(x)
        return x

class Plain:
    @torch.compile
    @torch.no_grad()
    def run(self, x):
        return self.told(x)

    def told(self, x):
        print(x)
        return x

    @torch.compile
    def loop(self, x):
        for _ in range(3):
            print(x)
        return x

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = Norm()
        self.plain = Plain()
        self.bound = torch.compile(self.broken)

    @torch.compile
    def whole(self, x):
        return x + 1

    def broken(self, x):
        print(x)
        return x

    @staticmethod
    @torch.compile
    def static(x):
        print(x)
        return x

    def forward(self, x: Tensor):
        {}
"""


def told(body: str, ceiling: Confidence = Confidence.HIGH) -> list[Confidence]:
    found = inspector(NET.format(body))
    found.splits = lambda event: event.callee == "builtins.print" and not event.place.aggravated_by
    found.gives_up = lambda event: event.callee == "builtins.print" and bool(event.place.aggravated_by)
    (start,) = named_roots(found, ["example.py::Net.forward"])
    run_root(found, start.function, Route((start.label,), ceiling=ceiling))
    return [event.confidence for event in found.events if event.construct == CONSTRUCT]


@pytest.mark.parametrize(
    "body",
    [
        "return self.plain.run(x)",
        "return self.plain.loop(x)",
        "return self.norm.forward(x)",
        "run = self.plain.run\n        return run(x)",
        "y = self.plain.run(x)\n        return y",
    ],
)
def test_the_object_of_a_compiled_method_is_lost_where_it_breaks(body: str) -> None:
    assert told(body) == [Confidence.HIGH]


def test_each_call_of_it_fails() -> None:
    assert len(told("return self.plain.run(x) + self.plain.run(x)")) == 2


def test_whoever_compiles_the_method_may_compile_nothing_else() -> None:
    assert told("return self.plain.run(x)", Confidence.MEDIUM) == [Confidence.LOW]


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("it does not break", "print(x)\n        return self.whole(x)"),
        ("not compiled", "return self.broken(x)"),
        ("a bound method is compiled", "return self.bound(x)"),
        ("nn.Module calls it", "return self.norm(x)"),
        ("it has no object", "return self.static(x)"),
        ("what is called by another breaks", "return self.plain.told(x)"),
    ],
)
def test_other_calls_keep_their_object(why: str, body: str) -> None:
    assert told(body) == [], why
