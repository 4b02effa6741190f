"""What a file compiles only to evaluate it."""

from __future__ import annotations

import pytest

from compilelint.regions import compiled_roots
from tests.inspect.make import inspector

NET = """
class Net(nn.Module):
    def forward(self, x):
        return x

def main(x, load):
    net = Net()
    {}
"""


def is_evaluated(how: str) -> bool:
    (root,) = compiled_roots(inspector(NET.format(how.replace("\n", "\n    "))), "example.py")
    return root.mode.evaluation


@pytest.mark.parametrize(
    "how",
    [
        "net.eval()\ntorch.compile(net)",
        "torch.compile(net.eval())",
        "net = Net().to('cuda').eval()\nfast = torch.compile(net, dynamic=True)",
        "fast = torch.compile(net)\nfast.eval()",
        "net.cuda().eval()\nnet.compile()",
        "net = torch.compile(net)\nnet = net.eval()",
        "other = net.half()\nother.eval()\nfast = torch.compile(net)",
    ],
)
def test_what_is_put_to_evaluation_is(how: str) -> None:
    assert is_evaluated(how)


@pytest.mark.parametrize(
    ("why", "how"),
    [
        ("nobody says so", "torch.compile(net)"),
        ("trained again", "net.eval()\ntorch.compile(net)\nnet.train()"),
        ("has gradients", "net.eval()\ntorch.compile(net)(x).backward()"),
        ("handed to a trainer", "net.eval()\nTrainer(torch.compile(net))"),
        ("another model", "teacher = load()\nteacher.eval()\ntorch.compile(net)"),
        ("holds what is", "teacher = load()\ntorch.compile(nn.Sequential(net, teacher.eval()))"),
        ("evaluates text", "eval('net')\ntorch.compile(net)"),
    ],
)
def test_what_may_be_trained_is_not(why: str, how: str) -> None:
    assert not is_evaluated(how), why
