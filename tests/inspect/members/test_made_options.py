"""What a program makes what it compiles with."""

from __future__ import annotations

import pytest

from compilelint.inspect import covering
from compilelint.inspect.events import Mode
from compilelint.inspect.frame import Route
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Instance
from compilelint.inspect.knowledge import Knowledge
from compilelint.inspect.starting import run_root
from compilelint.regions import compiled_roots, offered_roots
from tests.inspect.make import inspector
from tests.source.make import tree

NET = """
class Net(nn.Module):
    def __init__(self, aux=False):
        super().__init__()
        self.aux = aux

    def forward(self, x):
        if self.aux:
            print(x)
        return x
"""
NESTED = """
import dataclasses

@dataclasses.dataclass
class Config:
    width: int = 4
    debug: bool = False

class Head(nn.Module):
    def __init__(self, config, noisy=True):
        super().__init__()
        self.config = config
        self.noisy = noisy

    def forward(self, x):
        if self.config.debug:
            print(x)
        if self.noisy:
            breakpoint()
        return x

class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads = nn.ModuleList([Head(config, noisy=False) for _ in range(2)])

    def forward(self, x):
        for head in self.heads:
            x = head(x)
        return x
"""


def known(code: str, net: str = NET) -> list[dict[str, object]]:
    """The attributes of what is compiled of which it is known what they are made with."""
    receivers = [root.function.receiver for root in compiled_roots(inspector(net + code), "example.py")]
    return [{n: k.value for n, k in each.settled} for each in receivers if isinstance(each, Instance)]


def calls(code: str) -> set[str]:
    """What is called in what a file compiles, and in what it offers besides."""
    found = inspector(code)
    found.file = "example.py"
    offered = list(offered_roots(found, "example.py"))
    for root in compiled_roots(found, "example.py"):
        found.usual.clear()
        run_root(found, root.function, Route((root.label,)))
        if root.known_use:
            found.of_known_use |= found.usual
    for root in offered:
        if not covering.is_covered(found, root.function, Mode()):
            run_root(found, root.function, Route((root.label,)))
    return {event.callee for event in found.events}


@pytest.mark.parametrize(
    "code",
    [
        "def main():\n    torch.compile(Net(aux=False))",
        "def main():\n    torch.compile(Net())",
        "def main():\n    net = Net(False).cuda().eval()\n    torch.compile(net)",
        "AUX = False\ndef main():\n    net = Net(aux=AUX)\n    net.compile()",
        "def build():\n    return Net()\ndef main():\n    net = torch.compile(build())",
        "class T:\n    def __init__(self):\n        self.net = Net()\n        self.net = torch.compile(self.net)",
        "class T(nn.Module):\n    def __init__(self):\n        self.n = torch.compile(Net())",
        "class T:\n    def __init__(self):\n        self.net = Net()\n    def go(self):\n        self.net.compile()",
        "torch.compile(Net(**dict(aux=False)))",
    ],
)
def test_what_is_given_or_left_by_default_is_known(code: str) -> None:
    assert known(code) == [{"aux": False}]


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("may be given", "def main(aux=False):\n    torch.compile(Net(aux))"),
        ("is an argument of the program", "def main(args):\n    torch.compile(Net(aux=args.aux))"),
        ("may be among others", "def main(options):\n    torch.compile(Net(**options))"),
        ("is either", "def main():\n    for aux in (True, False):\n        torch.compile(Net(aux))"),
        ("is one of two", "def main(fast):\n    net = Net(True) if fast else Net()\n    torch.compile(net)"),
        ("is set anew", "def main():\n    net = Net()\n    torch.compile(net)\n    net.aux = True"),
        ("may be set anew", "def main(k, v):\n    net = Net()\n    setattr(net, k, v)\n    torch.compile(net)"),
        ("is assigned", "AUX = False\ndef main():\n    global AUX\n    AUX = True\n    torch.compile(Net(AUX))"),
    ],
)
def test_what_may_be_otherwise_is_not(why: str, code: str) -> None:
    assert known(code) == [{}], why


@pytest.mark.parametrize(
    ("why", "init"),
    [
        ("computed", "        self.aux = aux or x"),
        ("another value of that name", "        aux = x\n        self.aux = aux"),
        ("given twice", "        self.aux = aux\n        self.aux = x"),
        ("on some paths", "        if x:\n            self.aux = aux"),
        ("in place", "        self.aux = aux\n        self.aux += x"),
        ("one of what is given together", "        self.aux, self.b = x"),
        ("one of as many as there are", "        self.aux, *self.b = aux, x"),
    ],
)
def test_an_attribute_that_is_no_copy_is_not(why: str, init: str) -> None:
    net = f"class Net(nn.Module):\n    def __init__(self, x, aux=False):\n        super().__init__()\n{init}\n"
    assert known("torch.compile(Net(f()))", net + "    def forward(self, x):\n        return x\n") == [{}], why


def test_one_of_several_is_what_stands_opposite() -> None:
    net = "class Net(nn.Module):\n    def __init__(self, x, aux=False):\n        self.b, self.aux = x, aux\n"
    assert known("torch.compile(Net(f()))", net + "    def forward(self, x):\n        return x\n") == [{"aux": False}]


def test_what_a_method_sets_is_not() -> None:
    assert known("    def on(self):\n        self.aux = True\ntorch.compile(Net())") == [{}]


def test_what_is_handed_up_to_a_base_is_known_there() -> None:
    own = "class Own(Net):\n    def __init__(self, noisy=True):\n        super().__init__(aux={})\n"
    assert known(own.format("noisy") + "torch.compile(Own())") == [{"aux": True}]
    assert known(own.format("False") + "torch.compile(Own())") == [{"aux": False}]
    assert known(own.format("noisy + 1") + "torch.compile(Own())") == [{}]


def test_numbers_tell_objects_apart_where_a_condition_asks_for_them() -> None:
    net = NET.replace("aux=False", "aux=3")
    assert known("torch.compile(Net(4))", net) == [{"aux": 4}]
    assert known("torch.compile(Net())", net) == [{"aux": 3}]
    assert known("torch.compile(Net(4))", net.replace("if self.aux", "if x.aux")) == [{}]


BEGUN = """class Net(nn.Module):
    def __init__(self, *rest):
        super().__init__()
        self.mode = "mean"
        self.register_parameter("bias", None)
        self.depth = -1
    def forward(self, x):
        if self.mode == "sum" or self.bias is not None:
            print(x)
        for _ in range(self.depth):
            print(x)
        return x
"""


def test_what_init_writes_out_is_known_where_a_condition_asks_for_it() -> None:
    assert known("torch.compile(Net(*f()))", BEGUN) == [{"bias": None, "depth": -1, "mode": "mean"}]
    assert "builtins.print" not in calls(BEGUN + "torch.compile(Net())")
    assert "builtins.print" in calls(BEGUN.replace("= -1", "= 1") + "torch.compile(Net())")


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("a method sets it", "    def sum(self):\n        self.mode = 'sum'\ntorch.compile(Net())"),
        ("so does who compiles it", "net = Net()\nnet.mode = 'sum'\ntorch.compile(net)"),
        ("it counts", "    def step(self):\n        self.mode += 'a'\ntorch.compile(Net())"),
    ],
)
def test_what_is_set_anew_is_not_known(why: str, code: str) -> None:
    assert "mode" not in known(code, BEGUN)[0], why


@pytest.mark.parametrize("sets", ["net.mode = 'sum'", "setattr(net, k, v)", "net.mode: str = f()"])
def test_what_who_imports_the_file_sets_is_not_known(sets: str) -> None:
    files = {"net.py": "import torch\nfrom torch import nn\n" + BEGUN + "net = torch.compile(Net())\n"}
    others = {
        "run.py": f"from net import net\nfor k, v in f():\n    {sets}\n",
        "see.py": "from net import net\nnet.mode == 1",
    }
    for user, is_known in (("run.py", False), ("see.py", True)):
        found = Inspector(Knowledge(tree({**files, user: others[user]})), lambda *_: False)
        (receiver,) = [root.function.receiver for root in compiled_roots(found, "net.py")]
        assert isinstance(receiver, Instance)
        assert ("mode" in dict(receiver.settled)) is is_known


def test_branches_of_other_options_are_left_out() -> None:
    assert "builtins.print" not in calls(NET + "torch.compile(Net())")
    assert "builtins.print" in calls(NET + "torch.compile(Net(aux=True))")
    assert "builtins.print" in calls(NET + "def main(args):\n    torch.compile(Net(args.aux))")


def test_a_file_that_compiles_nothing_offers_all() -> None:
    assert "builtins.print" in calls(NET + "Net()(torch.ones(2))")


def test_options_reach_what_the_model_is_made_of() -> None:
    assert calls(NESTED + "torch.compile(Net(Config()))").isdisjoint({"builtins.print", "builtins.breakpoint"})
    assert "builtins.print" in calls(NESTED + "torch.compile(Net(Config(debug=True)))")
    other = NESTED.replace("noisy=False", "noisy=config.debug")
    assert "builtins.breakpoint" not in calls(other + "torch.compile(Net(Config()))")
    assert "builtins.breakpoint" in calls(other + "def main(args):\n    torch.compile(Net(Config(debug=args.debug)))")


_PROGRAM = {
    "net.py": "import torch\nfrom torch import nn\n" + NET,
    "build.py": "from net import Net\n\ndef build():\n    return Net()\n",
    "trainer.py": """
import torch

class Trainer:
    def __init__(self, net):
        self.net = torch.compile(net)
""",
    "main.py": "from build import build\nfrom trainer import Trainer\n\nnet = build()\ntrainer = Trainer(net)\n",
}


def compiled_by_trainer(files: dict[str, str]) -> tuple[dict[str, object], bool]:
    """What is known of the model that a trainer compiles, and whether all use of it is seen."""
    found = Inspector(Knowledge(tree(files)), lambda *_: False)
    (root,) = compiled_roots(found, "trainer.py")
    assert isinstance(root.function.receiver, Instance)
    return {name: kind.value for name, kind in root.function.receiver.settled}, root.known_use


def test_what_a_function_of_another_file_makes_for_a_trainer_is_known() -> None:
    assert compiled_by_trainer(_PROGRAM) == ({"aux": False}, True)


def test_what_the_script_between_them_sets_is_not() -> None:
    script = _PROGRAM["main.py"].replace("trainer =", "net.aux = True\ntrainer =")
    assert compiled_by_trainer({**_PROGRAM, "main.py": script}) == ({}, False)


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("cli.py", "import main\n"),
        ("tests/test_trainer.py", "from trainer import Trainer\n"),
    ],
)
def test_of_a_trainer_that_others_may_use_it_is_not_all(file: str, code: str) -> None:
    assert compiled_by_trainer({**_PROGRAM, file: code}) == ({"aux": False}, False)


def test_what_many_import_is_made_for_anybody() -> None:
    users = {f"use{n}.py": "from build import build\n" for n in range(8)}
    assert compiled_by_trainer({**_PROGRAM, **users})[0] == {}
