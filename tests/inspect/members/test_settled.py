"""What code sets in an object before it compiles it."""

from __future__ import annotations

import pytest

from compilelint.inspect.frame import Route
from compilelint.inspect.kinds import Instance
from compilelint.inspect.starting import run_root
from compilelint.regions import compiled_roots
from tests.inspect.make import inspector

NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.checks = True
        self.strict = True

    def step(self, x):
        if self.checks:
            print(x)
        return x

    def forward(self, x):
        return self.step(x)
"""
SCRIPT = """
def main(fast):
    net = Net()
    {}
"""


def settled(code: str, **others: str) -> list[dict[str, object]]:
    """The flags of what is compiled."""
    found = inspector(code, **others)
    receivers = [root.function.receiver for root in compiled_roots(found, "example.py")]
    return [{n: k.value for n, k in each.settled} for each in receivers if isinstance(each, Instance)]


@pytest.mark.parametrize(
    "how",
    [
        "net.checks = False\n    torch.compile(net)",
        "net.checks = False\n    net.compile()",
        "net.checks = False\n    net.step = torch.compile(net.step)",
        "if fast:\n        net.checks = False\n    else:\n        net.checks = False\n    torch.compile(net)",
    ],
)
def test_what_is_set_before_holds_in_what_is_compiled(how: str) -> None:
    assert settled(NET + SCRIPT.format(how)) == [{"checks": False}]


def test_what_a_method_sets_before_it_compiles_another_holds_in_that() -> None:
    method = "    def speed_up(self):\n        self.checks = False\n        self.step = torch.compile(self.step)\n"
    assert settled(NET + method) == [{"checks": False}]


@pytest.mark.parametrize(
    ("why", "how"),
    [
        ("only sometimes", "if fast:\n        net.checks = False\n    torch.compile(net)"),
        ("no constant", "net.checks = fast\n    torch.compile(net)"),
        ("set anew", "net.checks = False\n    torch.compile(net)\n    net.checks = True"),
        ("set anew elsewhere", "net.checks = False\n    torch.compile(net)\ndef on(net):\n    net.checks = True"),
        ("set later", "fast = torch.compile(net)\n    net.checks = False"),
        ("no flag", "net.checks = 3\n    torch.compile(net)"),
        ("another object", "other = Net()\n    other.checks = False\n    torch.compile(net)"),
    ],
)
def test_what_may_be_otherwise_is_not_settled(why: str, how: str) -> None:
    assert settled(NET + SCRIPT.format(how)) == [{}], why


def test_a_mode_is_no_flag() -> None:
    assert "training" not in settled(NET + SCRIPT.format("net.training = False\n    torch.compile(net)"))[0]


def test_what_a_method_of_the_class_sets_is_not_settled() -> None:
    again = "    def debug(self):\n        self.checks = True\n"
    assert settled(NET + again + SCRIPT.format("net.checks = False\n    torch.compile(net)")) == [{}]


def test_a_branch_that_is_settled_is_left_out() -> None:
    found = inspector(NET + SCRIPT.format("net.checks = False\n    torch.compile(net)"))
    (root,) = compiled_roots(found, "example.py")
    run_root(found, root.function, Route((root.label,)))
    assert "builtins.print" not in {event.callee for event in found.events}


PATCHED = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = F.relu
        self.hook = None
        self.hooks = []
        self.named = dict()

    def step(self, x):
        return x

    def forward(self, x):
        if self.hook is not None:
            self.hook(x)
        for hook in self.hooks:
            hook(x)
        for hook in self.named.values():
            hook(x)
        return self.act(self.step(x))

def noisy(*args):
    print(args)

def main():
    net = Net()
    {}
    torch.compile(net)
"""


@pytest.mark.parametrize(
    "put",
    [
        "net.act = noisy",
        "net.hook = noisy",
        "net.step = noisy",
        "net.step = types.MethodType(noisy, net)",
        "net.hooks.append(noisy)",
        "net.named['noisy'] = noisy",
    ],
)
def test_functions_that_are_put_on_a_module_are_called_by_it(put: str) -> None:
    assert "builtins.print" in called("import types\n" + PATCHED.format(put))
    assert "builtins.print" not in called("import types\n" + PATCHED.format("pass"))
    assert "builtins.print" not in called("import types\n" + PATCHED.format(put.replace("net", "other", 1)))


def called(code: str) -> list[str]:
    """What the module calls that a script compiles."""
    found = inspector(code)
    for root in compiled_roots(found, "example.py"):
        run_root(found, root.function, Route((root.label,)))
    return [event.callee for event in found.events]
