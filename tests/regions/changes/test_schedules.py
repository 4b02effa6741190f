"""Numbers that an optimizer of the project counts in its items, and what is computed of them."""

from __future__ import annotations

import pytest

from tests.regions.constructs import constructs_around

OPTIMIZER = """
import math
import torch

@torch.compile
def update(p, g, rate):
    p.add_(g, alpha=-rate)

@torch.compile(dynamic=False)
def of_one_value(p, g, step):
    p.sub_(g / (1 - 0.9**step))

class Own({base}):
    def __init__(self, params, lr=1e-3):
        super().__init__(params, {{"lr": lr, "betas": (0.9, 0.99)}})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            lr = group["lr"]
            beta, _ = group["betas"]
            for p in group["params"]:
                state = self.state[p]
                if not state:
                    state["step"] = {first}
                t = state["step"]
                {body}
                {count}
"""


def constructs(
    body: str, count: str = 'state["step"] += 1', base: str = "torch.optim.Optimizer", first: str = "1"
) -> list[str]:
    code = OPTIMIZER.format(body=body, count=count, base=base, first=first)
    found = [each for each in constructs_around(code) if each.endswith("-argument")]
    return [each for each in found if each != "parameter-argument"]  # which is what `p` is, of many shapes


RATE = "update(p, p.grad, lr / (1 - math.pow(beta, t)))"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (RATE, "float-argument"),
        ("rate = lr * math.sqrt(1 - math.pow(beta, t))\n                update(p, p.grad, rate)", "float-argument"),
        ('update(p, p.grad, lr * (1 - 0.9 ** state["step"]))', "float-argument"),
        ('of_one_value(p, p.grad, state["step"])', "static-argument"),
    ],
)
def test_what_an_optimizer_counts_changes_from_step_to_step(body: str, found: str) -> None:
    assert constructs(body) == [found]


@pytest.mark.parametrize("count", ['state["step"] = t + 1', 'state["step"] = state["step"] + 1'])
def test_a_count_that_is_written_out(count: str) -> None:
    assert constructs(RATE, count=count) == ["float-argument"]


@pytest.mark.parametrize(
    ("why", "changes"),
    [
        ("nobody counts in it", {"count": "pass"}),
        ("another item is counted", {"count": 'state["seen"] += 1'}),
        ("it is set to one value", {"count": 'state["step"] = 5'}),
        ("a tensor counts", {"first": "torch.tensor(0.0)"}),
        ("the class is no optimizer", {"base": "Unknown"}),
    ],
)
def test_an_item_that_stays(why: str, changes: dict[str, str]) -> None:
    assert constructs(RATE, **changes) == [], why


TRAINER = """
import math
import torch

@torch.compile
def clip(x, bound):
    return x.clamp(-bound, bound)

class Trainer:
    def __init__(self):
        self.step = 0
        self.epoch = 0

    def rate(self):
        {rate}

    def fit(self, args, loader):
        for i, x in enumerate(loader):
            {body}
            self.step += 1
"""


def of_trainer(body: str, rate: str = "return max(0.0, 0.1 * (1 - self.step / 10))") -> list[str]:
    body = body.replace("\n", "\n            ")
    return [each for each in constructs_around(TRAINER.format(body=body, rate=rate)) if each == "float-argument"]


@pytest.mark.parametrize(
    "body",
    [
        "clip(x, self.rate())",
        "rate = self.rate()\nclip(x, rate)",
        "if args.anneal:\n    rate = 0.2 * (1 - i / 10)\nelse:\n    rate = 0.2\nclip(x, rate)",
        "if args.fixed:\n    rate = 0.2\nelse:\n    rate = 0.2 * (1 - i / 10)\nclip(x, rate)",
        "rate = 0.2\nif args.anneal:\n    rate = rate * (1 - i / 10)\nclip(x, rate)",
    ],
)
def test_a_float_that_follows_the_steps_is_another_one_in_each(body: str) -> None:
    assert of_trainer(body) == ["float-argument"]


@pytest.mark.parametrize(
    ("why", "body", "rate"),
    [
        ("it follows what no step counts", "clip(x, self.rate())", "return max(0.0, 0.1 * (1 - self.epoch / 10))"),
        ("it is the same in most steps", "clip(x, self.rate())", "return 0.1 * (0.5 ** (self.step // 1000))"),
        (
            "it does more than compute",
            "clip(x, self.rate())",
            "for k in self.keys:\n            return 0.5 / self.step",
        ),
        ("no branch follows the steps", "if args.low:\n    rate = 0.1\nelse:\n    rate = 0.2\nclip(x, rate)", "pass"),
    ],
)
def test_a_float_that_stays(why: str, body: str, rate: str) -> None:
    assert of_trainer(body, rate) == []
