"""Methods under a context manager of torch, of an object that the region makes (GB0116 on torch 2.13)."""

from __future__ import annotations

import pytest

from compilelint.inspect.calling.decorated_methods import CALLEE
from compilelint.inspect.events import Event
from compilelint.report.confidence import Confidence
from tests.inspect.make import function, inspector, run

CODE = """
class Matcher(nn.Module):
    @torch.no_grad()
    def forward(self, x):
        return self.cost(x)

    @torch.inference_mode
    def cost(self, x):
        return x

    @classmethod
    @torch.no_grad()
    def of_class(cls, x):
        return x

    @torch.no_grad()
    @staticmethod
    def static(x):
        return x

    @torch.compiler.disable
    def slow(self, x):
        return x

    def plain(self, x):
        with torch.no_grad():
            return x

class Loss(nn.Module):
    def __init__(self, matcher):
        super().__init__()
        self.matcher = matcher

    def forward(self, x):
        return self.matcher(x)

class Started:
    @torch.no_grad()
    def __init__(self):
        self.scale = 2

matcher = Matcher()
"""


def told(body: str) -> list[str]:
    return [event.source for event in events_of(body) if event.confidence == Confidence.HIGH]


def events_of(body: str) -> list[Event]:
    walked = inspector(CODE + function(body))
    walked.wants = lambda type_, callee: callee in (CALLEE, "builtins.print", "builtins.id")
    walked.splits = lambda event: event.callee in (CALLEE, "builtins.print")
    run(walked)
    return [event for event in walked.events if event.callee == CALLEE]


@pytest.mark.parametrize(
    ("expression", "source"),
    [
        ("Matcher()(x)", "Matcher()(x)"),
        ("Matcher().cost(x)", "Matcher().cost(x)"),
        ("Loss(Matcher())(x)", "self.matcher(x)"),
        ("x * Started().scale", "Started()"),
    ],
)
def test_an_object_that_is_made_here_breaks_at_the_first_such_method(expression: str, source: str) -> None:
    assert told(f"return {expression}") == [source]


@pytest.mark.parametrize(
    ("why", "expression"),
    [
        ("it was there before", "matcher(x)"),
        ("it is handed in from before", "Loss(matcher)(x)"),
        ("it needs no object", "Matcher().of_class(x)"),
        ("it is asked of the class", "Matcher.static(x)"),
        ("the manager is entered in the body", "Matcher().plain(x)"),
        ("a decorator of another sort", "Matcher().slow(x)"),
    ],
)
def test_other_methods_do_not(why: str, expression: str) -> None:
    assert not told(f"return {expression}")


@pytest.mark.parametrize(
    ("body", "sources"),
    [
        ("made = Matcher()\nmade(x)\nmade.cost(x)", ["made(x)"]),
        ("made = Matcher()\nprint(x)\nmade(x)", []),
        ("print(x)\nmade = Matcher()\nmade(x)", ["made(x)"]),
        ("loss = Loss(Matcher())\nloss(x)\nloss.matcher(x)", ["self.matcher(x)"]),
    ],
)
def test_where_the_graph_broke_since_it_was_made_it_is_an_argument(body: str, sources: list[str]) -> None:
    assert told(body) == sources


def test_where_it_may_have_broken_since_nobody_knows() -> None:
    (event,) = events_of("made = Matcher()\nid(x)\nmade(x)")
    assert event.confidence == Confidence.LOW
