"""Numbers that optimizers of the project count.

The positive forms are the example `counter-in-an-optimizer` of the page CL503; here are other ways of writing them, and
what must not be taken for them.
"""

from __future__ import annotations

from textwrap import indent

import pytest

from tests.inspect.make import events

OPTIMIZER = """
class Descent(torch.optim.Optimizer):
    def __init__(self, params, lr=0.1, began=0):
        super().__init__(params, {{"lr": lr, "step": {begins}}})

    def step(self, closure=None):
        for group in self.param_groups:
            for param in group["params"]:
                state = self.state[param]
{body}

OPTIMIZER = Descent([torch.nn.Parameter(torch.ones(2))])

def f(x):
    OPTIMIZER.step()
    return x
"""


def counts(body: str, begins: str = "0") -> list[str]:
    code = OPTIMIZER.format(body=indent(body, " " * 16), begins=begins)
    return [event.callee for event in events(code, "f", "attribute-write") if event.construct == "item-augmented"]


@pytest.mark.parametrize(
    ("body", "attribute"),
    [
        ('group["step"] += 1', "param_groups"),
        ('group["step"] = group["step"] + 1', "param_groups"),
        ('group["step"] = group.get("step", 0) + 1', "param_groups"),
        ('step = group["step"]\ngroup["step"] = step + 1', "param_groups"),
        ('self.param_groups[0]["step"] += 1', "param_groups"),
        ('state["step"] += 1', "state"),
        ('self.state[param]["step"] += 1', "state"),
        ('state.setdefault("seen", 1)\nstate["seen"] += 1', "state"),
    ],
)
def test_a_number_that_is_there_at_the_next_step(body: str, attribute: str) -> None:
    assert counts(body) == [f"torch.optim.Optimizer.{attribute}"]


@pytest.mark.parametrize("groups", ["enumerate(self.param_groups)", "zip(range(2), self.param_groups)"])
def test_groups_that_are_counted_along(groups: str) -> None:
    code = OPTIMIZER.format(body=indent('group["step"] += 1', " " * 16), begins="0")
    code = code.replace("for group in self.param_groups", f"for i, group in {groups}")
    assert [event.callee for event in events(code, "f", "attribute-write")] == ["torch.optim.Optimizer.param_groups"]


@pytest.mark.parametrize(
    ("why", "body", "begins"),
    [
        ("a tensor, which is no constant", 'state["step"] += 1', "torch.tensor(0)"),
        (
            "a tensor at one of two beginnings",
            'if not state:\n    state["step"] = torch.zeros(())\nstate["step"] += 1',
            "0",
        ),
        ("nobody knows what it begins as", 'group["step"] += 1', "began"),
        ("a float", 'group["step"] += 1', "0.0"),
        ("a bool", 'group["step"] += 1', "False"),
        ("what is set to the same each time", 'group["step"] = 1 + 1', "0"),
        ("what comes to no number that is new", 'group["step"] ^= 1', "0"),
        ("a dict of the call's own", 'noted = {"step": 0}\nnoted["step"] += 1', "0"),
        ("what is made of something else", 'group["step"] = param + 1', "0"),
        ("an item that is computed", "group[str(x)] += 1", "0"),
        ("of another object", 'other = closure.state[param]\nother["step"] += 1', "0"),
    ],
)
def test_what_counts_nothing(why: str, body: str, begins: str) -> None:
    assert counts(body, begins) == [], why


def test_a_class_that_is_no_optimizer() -> None:
    code = OPTIMIZER.format(body=indent('group["step"] += 1', " " * 16), begins="0")
    assert events(code.replace("(torch.optim.Optimizer)", ""), "f", "attribute-write") == []
