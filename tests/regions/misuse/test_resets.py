"""Resets in loops.

The positive forms are the examples of the pages CL808.
Here is what must not be taken for them.
"""

from __future__ import annotations

import pytest

from tests.regions.constructs import NET, constructs_around


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("before the loop", "f = torch.compile(Net())\ntorch._dynamo.reset()\nfor _ in range(3):\n    f(3)"),
        (
            "compiled in the loop",
            "for m in (Net(), Net()):\n    torch._dynamo.reset()\n    f = torch.compile(m)\n    f(3)",
        ),
        (
            "nothing compiled is called",
            "f = torch.compile(Net())\nf(3)\nfor _ in range(3):\n    torch._dynamo.reset()\n    print(3)",
        ),
        (
            "now and then",
            "f = torch.compile(Net())\nfor i in range(3):\n    if i == 2:\n        torch._dynamo.reset()\n    f(3)",
        ),
    ],
)
def test_nothing_is_compiled_again(why: str, code: str) -> None:
    assert constructs_around(NET + code) == []


@pytest.mark.parametrize(
    "code",
    [
        "from other import f\nfor _ in range(3):\n    torch._dynamo.reset()\n    f(3)",
        "net = Net()\nnet.compile()\nfor _ in range(3):\n    net(3)\n    torch.compiler.reset()",
        "class Trainer:\n    def __init__(self):\n        self.net = torch.compile(Net())\n"
        "    def run(self):\n        for _ in range(3):\n            self.net(3)\n            torch.compiler.reset()",
        "class Trainer:\n    def run(self, net):\n        self.net = torch.compile(net)\n        for _ in range(3):\n"
        "            self.net(3)\n            torch.compiler.reset()",
    ],
)
def test_what_is_called_in_the_loop_is_compiled_again(code: str) -> None:
    other = "import torch\n@torch.compile\ndef f(x):\n    return x\n"
    assert constructs_around(NET + code, other=other) == ["reset-in-loop"]
