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
