"""Copies of modules that were compiled in place.

The positive forms are the examples of the pages CL614 and CL617.
Here is what must not be taken for them.
"""

from __future__ import annotations

import pytest

from tests.regions.constructs import NET, constructs_around


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("copied before", "m = Net()\nc = copy.deepcopy(m)\nm.compile()\nc(3)"),
        ("the copy is compiled too", "m = Net()\nm.compile()\nc = copy.deepcopy(m)\nc.compile()"),
        ("the copy is wrapped", "m = Net()\nm.compile()\nc = copy.deepcopy(m)\nc = torch.compile(c)\nc(3)"),
        ("a wrapper can be copied", "m = torch.compile(Net())\nc = copy.deepcopy(m)\nm(3)"),
        ("another module", "m = Net()\nn = Net()\nm.compile()\nc = copy.deepcopy(n)"),
        ("another deepcopy", "def deepcopy(x): ...\nm = Net()\nm.compile()\nc = deepcopy(m)"),
        ("a method that is not forward", "m = Net()\nm.encode = torch.compile(m.encode)\nc = copy.deepcopy(m)"),
    ],
)
def test_the_copy_is_right(why: str, code: str) -> None:
    assert constructs_around(NET + code) == []


ENCODER = (
    "class Encoder(nn.Module):\n    def encode(self, x):\n        return x\n    def other(self, x):\n        return x\n"
    "    def forward(self, x):\n        return self.encode(x)\n"
)


@pytest.mark.parametrize(
    ("method", "use", "constructs"),
    [
        ("encode", "c.encode(3)", ["copy-of-compiled-forward"]),
        ("encode", "c(3)", ["copy-of-compiled-forward"]),
        ("other", "c.other(3)", ["copy-of-compiled-forward"]),
        ("other", "c(3)", []),
        ("encode", "c.load_state_dict(m.state_dict())", []),
        ("missing", "c.missing(3)", []),
    ],
)
def test_a_compiled_method_that_the_copy_calls_is_that_of_the_original(
    method: str, use: str, constructs: list[str]
) -> None:
    code = f"m = Encoder()\nm.{method} = torch.compile(m.{method})\nc = copy.deepcopy(m)\n{use}"
    assert constructs_around(NET + ENCODER + code) == constructs


def test_before_it_is_compiled_it_can_be_copied() -> None:
    code = "m = Encoder()\nc = copy.deepcopy(m)\nm.encode = torch.compile(m.encode)\nc.encode(3)"
    assert constructs_around(NET + ENCODER + code) == []


EMA = NET + "class Ema:\n    def __init__(self, decay, model):\n"


@pytest.mark.parametrize(
    "body",
    [
        "        self.shadow = copy.deepcopy(model)\n",
        "        self.decay = decay\n        self.shadow = copy.deepcopy(model).eval()\n",
    ],
)
def test_a_class_of_the_project_that_keeps_a_copy_copies(body: str) -> None:
    assert constructs_around(f"{EMA}{body}m = Net()\nm.compile()\ne = Ema(0.9, m)") == ["copy-of-in-place-compiled"]


@pytest.mark.parametrize(
    ("why", "body", "code"),
    [
        ("it compiles the copy", "        self.shadow = copy.deepcopy(model)\n        self.shadow.compile()\n", ""),
        ("it copies something else", "        self.decay = copy.deepcopy(decay)\n", ""),
        ("it keeps no copy", "        self.size = len(list(model.parameters()))\n", ""),
        ("it copies if it is asked to", "        if decay:\n            self.shadow = copy.deepcopy(model)\n", ""),
        ("its copy is compiled", "        self.shadow = copy.deepcopy(model)\n", "\ne.shadow.compile()"),
    ],
)
def test_a_class_of_the_project_leaves_nothing_uncompiled(why: str, body: str, code: str) -> None:
    assert constructs_around(f"{EMA}{body}m = Net()\nm.compile()\ne = Ema(0.9, m){code}") == []
