"""What the functions do with a compiled module that a file hands it to, and the classes that keep it."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.regions.constructs import NET, constructs_around, events_around

WORKER = NET + "    def encode(self, x):\n        return self.linear(x)\n"


@pytest.mark.parametrize(
    ("code", "construct"),
    [
        ("def run(m, x):\n    m.encode(x)\nrun(torch.compile(Net()), 3)", "method-of-compiled"),
        ("def run(x, *, net):\n    net.encode(x)\nc = torch.compile(Net())\nrun(3, net=c)", "method-of-compiled"),
        (
            "def save(m, path):\n    torch.save(m.state_dict(), path)\nc = torch.compile(Net())\nsave(c, 'a')",
            "state-dict-of-compiled",
        ),
        ("def run(m, x):\n    m.forward(x)\nc = Net()\nc.compile()\nrun(c, 3)", "forward-of-compiled"),
        ("def ask(m):\n    return isinstance(m, Net)\nc = torch.compile(Net())\nask(c)", "isinstance-of-compiled"),
        ("def prepare(m):\n    return torch.compile(m)\nc = torch.compile(Net())\nprepare(c)", "compiled-twice"),
        (
            "def inner(m, x):\n    m.encode(x)\ndef outer(m):\n    inner(m, 3)\nouter(torch.compile(Net()))",
            "method-of-compiled",
        ),
        (
            "class Trainer:\n"
            "    def __init__(self, model):\n"
            "        self.model = model\n"
            "    def fit(self, x):\n"
            "        self.model.encode(x)\n"
            "Trainer(torch.compile(Net()))",
            "method-of-compiled",
        ),
        (
            "class Stop:\n"
            "    def __call__(self, loss, m):\n"
            "        self.save(m)\n"
            "    def save(self, m):\n"
            "        torch.save(m.state_dict(), 'a')\n"
            "stop = Stop()\n"
            "stop(3, torch.compile(Net()))",
            "state-dict-of-compiled",
        ),
        (
            "class Average:\n"
            "    def start(self, average, m):\n"
            "        average.load_state_dict(m.state_dict())\n"
            "def main():\n"
            "    net = Net()\n"
            "    average = copy.deepcopy(net)\n"
            "    Average().start(average, torch.compile(net))",
            "state-dict-of-compiled",
        ),
    ],
)
def test_whoever_is_handed_a_compiled_module_uses_the_wrapper(code: str, construct: str) -> None:
    assert constructs_around(WORKER + code) == [construct]


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("it is called", "def run(m, x):\n    return m(x)\nrun(torch.compile(Net()), 3)"),
        ("the original is handed on", "def run(m, x):\n    m.encode(x)\nn = Net()\nc = torch.compile(n)\nrun(n, 3)"),
        ("another parameter", "def run(m, n):\n    n.encode(3)\nrun(torch.compile(Net()), Net())"),
        ("it is unwrapped there", "def run(m):\n    m = m._orig_mod\n    m.encode(3)\nrun(torch.compile(Net()))"),
        ("nobody hands it on", "def run(m):\n    m.encode(3)\nc = torch.compile(Net())\nc(3)"),
        (
            "the class keeps what is in it",
            "class Trainer:\n"
            "    def __init__(self, model):\n"
            "        self.model = model\n"
            "        self.model = model._orig_mod\n"
            "    def fit(self, x):\n"
            "        self.model(x)\n"
            "Trainer(torch.compile(Net()))",
        ),
        (
            "a class asked for that it never was",
            "def unwrap(m):\n"
            "    return m.module if isinstance(m, nn.parallel.DistributedDataParallel) else m\n"
            "unwrap(torch.compile(Net()))",
        ),
    ],
)
def test_what_is_handed_on_is_no_trouble_in_itself(why: str, code: str) -> None:
    assert constructs_around(WORKER + code) == []


def test_the_function_may_stand_in_another_file() -> None:
    code = WORKER + "from other import run\nrun(torch.compile(Net()), 3)"
    (event,) = events_around(code, other="def run(m, x):\n    m.encode(x)\n")
    assert (event.place.path, event.place.function) == ("other.py", "run")


def test_functions_that_hand_it_to_each_other_come_to_an_end() -> None:
    code = "def a(m, n):\n    b(m, n)\ndef b(m, n):\n    a(n, m)\na(torch.compile(Net()), 3)"
    assert constructs_around(WORKER + code) == []


@pytest.mark.parametrize("name", ["encode", "forward_features", "generate"])
def test_a_method_that_is_handed_on_goes_past_the_wrapper(name: str) -> None:
    code = f"def g(build, sample, x):\n    m = torch.compile(build())\n    sample(m.{name}, x)"
    assert constructs_around(WORKER + code) == (["method-of-compiled"] if name != "encode" else [])


def test_a_method_that_is_compiled_itself_does_not() -> None:
    assert constructs_around(WORKER + "c = torch.compile(Net())\nf = torch.compile(fullgraph=True)(c.encode)") == []


def test_a_helper_that_saves_is_told_by_its_name() -> None:
    code = "from utils import save_on_master\nc = torch.compile(Net())\nsave_on_master({'model': c.state_dict()}, 'a')"
    (event,) = events_around(WORKER + code, utils="def save_on_master(*args):\n    torch.save(*args)\n")
    assert (event.construct, event.confidence) == ("state-dict-of-compiled", Confidence.MEDIUM)


def test_a_helper_that_knows_the_prefix_takes_it_away() -> None:
    code = "from utils import save\nc = torch.compile(Net())\nsave({'model': c.state_dict()}, 'a')"
    assert constructs_around(WORKER + code, utils="def save(state, path):\n    strip(state, '_orig_mod.')\n") == []


LOOP = "def run(m, x{}):\n    for t in range(20):\n        {}\n{}"


@pytest.mark.parametrize(
    ("more", "body", "given", "construct"),
    [
        ("", "m(x, t % 2 == 0)", "run(torch.compile(Flagged()), 3)", "bool-argument"),
        ("", "m.count = t\n        m(x)", "run(torch.compile(Flagged()), 3)", "attribute-set-in-loop"),
        (
            "",
            "m.drop.p = 1 / (t + 1)\n        m(x)",
            "run(torch.compile(Flagged()), 3)",
            "torch-module-set-between-calls",
        ),
        ("", "m(x, t % 2 == 0)", "run(torch.compile(double), 3)", "bool-argument"),
        ("", "m(x, t % 2 == 0)", "c = Flagged()\nc.compile()\nrun(c, 3)", "bool-argument"),
        (
            ", n",
            "n.requires_grad_(True)\n        m(x)\n        n.requires_grad_(False)\n        m(x)",
            "net = Flagged()\nrun(torch.compile(net), 3, net)",
            "requires-grad-toggled",
        ),
        ("", "m(x[:, :t])", "run(torch.compile(Flagged(), dynamic=False), torch.ones(9, 9))", "static-argument"),
    ],
)
def test_loops_are_seen_in_the_function_that_it_is_handed_to(more: str, body: str, given: str, construct: str) -> None:
    assert construct in constructs_around(FLAGGED + LOOP.format(more, body, given))


FLAGGED = """
import torch
from torch import nn
class Flagged(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.1)
        self.count = 0
    def forward(self, x, flag=False):
        return x * 2 if flag else self.drop(x) + self.count
def double(x, flag):
    return x * 2 if flag else x
"""


@pytest.mark.parametrize(
    ("body", "given"),
    [
        ("m(x, t % 2 == 0)", "run(Flagged(), 3)\nc = torch.compile(Flagged())\nc(3)"),
        ("m = Flagged()\n        m(x, t % 2 == 0)", "run(torch.compile(Flagged()), 3)"),
        ("m(x[:, :t])", "run(torch.compile(Flagged(), dynamic=True), torch.ones(9, 9))"),
    ],
)
def test_what_is_not_handed_or_is_dynamic_is_left_alone(body: str, given: str) -> None:
    assert constructs_around(FLAGGED + LOOP.format("", body, given)) == []


def test_a_class_that_keeps_it_calls_it_in_a_loop() -> None:
    code = (
        "class Trainer:\n    def __init__(self, model):\n        self.model = model\n"
        "    def fit(self, x):\n        for t in range(9):\n            self.model(x, t % 2 == 0)\n"
        "Trainer(torch.compile({}))"
    )
    assert constructs_around(FLAGGED + code.format("Flagged()")) == ["bool-argument"]
    assert constructs_around(FLAGGED + code.format("double")) == ["bool-argument"]
