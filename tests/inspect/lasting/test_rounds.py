"""Containers that are emptied behind a loop of calls. All was measured on torch 2.13, with twelve calls a round."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events

NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = []

    def forward(self, x):
        self.seen.append(x)
        return x
"""
FORGET = """
    def forget(self):
        self.seen = []
"""


def grown(script: str, methods: str = "") -> list[Confidence]:
    code = f"{NET}{methods}\nnet = Net()\nmodel = torch.compile(net)\n{script}\n"
    return [each.confidence for each in events(code, "Net.forward", "attribute-write") if each.construct == "append"]


EPISODES = """
for episode in range(3):
    for t in {rounds}:
        {called}
    {emptied}
"""
# As in PyTorch's own examples: one function chooses an action, another one ends the episode.
FUNCTIONS = """
def act(state):
    return model(state)

def finish():
    del net.seen[:]

def main():
    for episode in count(1):
        for t in range(1, 1000):
            act(x)
        finish()
"""


@pytest.mark.parametrize("emptied", ["net.seen.clear()", "del net.seen[:]", "net.seen = []"])
def test_what_is_emptied_behind_the_calls_of_an_inner_loop_grows_in_it(emptied: str) -> None:
    script = EPISODES.format(rounds="range(12)", called="model(x)", emptied=emptied)
    assert grown(script) == [Confidence.MEDIUM]
    assert grown(script.replace("for episode in range(3)", "while True")) == [Confidence.MEDIUM]
    assert grown(script.replace(emptied, f"if episode % 2:\n        {emptied}")) == [Confidence.MEDIUM]


@pytest.mark.parametrize(
    ("compiled", "called"),
    [
        ("net.compile()", "net(x)"),
        ("self.model = torch.compile(net)", "self.model(x)"),
        ("@torch.compile\ndef step(x):\n    return net(x)", "y = step(x)"),
        ("@torch.compile(dynamic=True)\ndef step(x):\n    return net(x)", "y = step(x)"),
    ],
)
def test_calls_are_those_of_what_the_file_compiles(compiled: str, called: str) -> None:
    episodes = EPISODES.format(rounds="range(12)", called=called, emptied="net.seen.clear()")
    assert grown(f"{compiled}\n{episodes}") == [Confidence.MEDIUM]


def test_functions_do_what_they_do_where_they_are_called() -> None:
    assert grown(FUNCTIONS) == [Confidence.MEDIUM]
    episodes = EPISODES.format(rounds="range(12)", called="model(x)", emptied="net.forget()")
    assert grown(episodes, FORGET) == [Confidence.MEDIUM]


@pytest.mark.parametrize(
    ("why", "script"),
    [
        ("a few rounds", EPISODES.format(rounds="range(4)", called="model(x)", emptied="net.seen.clear()")),
        ("a few items", EPISODES.format(rounds="(1, 2, 3)", called="model(x)", emptied="net.seen.clear()")),
        ("with each call", EPISODES.format(rounds="ts", called="model(x); net.seen.clear()", emptied="pass")),
        ("nothing compiled is called", EPISODES.format(rounds="ts", called="net(x)", emptied="net.seen.clear()")),
        (
            "the outer loop calls it",
            "for b in bs:\n    model(b)\n    for a in net.seen:\n        use(a)\n    net.seen = []",
        ),
        ("both loops call it", EPISODES.format(rounds="ts", called="model(x)", emptied="model(x); net.seen = []")),
        ("it is emptied elsewhere, too", FUNCTIONS.replace("act(x)", "act(x); finish()")),
        ("what empties it makes the calls", FUNCTIONS.replace("del net.seen[:]", "model(x); del net.seen[:]")),
        ("nobody is seen calling what empties it", FUNCTIONS.replace("        finish()", "")),
    ],
)
def test_it_does_not_grow(why: str, script: str) -> None:
    assert grown(script) == [], why


LOSSES = """
{head}
def loss_of(logs{more}):
    {does}
    return -logs.sum()
{after}
for episode in range(3):
    for t in range(12):
        model(x)
    loss_of(torch.stack(net.seen)).backward()
    del net.seen[:]
"""


@pytest.mark.parametrize(("head", "after"), [("@torch.compile", ""), ("", "loss_of = torch.compile(loss_of)")])
def test_what_else_is_compiled_and_cannot_fill_the_container_may_be_called_around(head: str, after: str) -> None:
    assert grown(LOSSES.format(head=head, more="", does="pass", after=after)) == [Confidence.MEDIUM]


@pytest.mark.parametrize("does", ["net.seen.append(logs)", "net(logs)", "net.forward(logs)", "fill(logs)"])
def test_what_may_fill_it_and_is_called_around(does: str) -> None:
    script = LOSSES.format(head="@torch.compile", more=", fill=None", does=does, after="")
    assert grown(script) == []
