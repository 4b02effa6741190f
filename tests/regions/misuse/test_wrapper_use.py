"""The wrapper that torch.compile returns, used as a container, asked whether it is true, or compiled again.

The positive forms are the examples of the pages CL618 and CL619.
Here is what must not be taken for them.
"""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.regions.constructs import NET, constructs_around, events_around


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("the original is indexed", "m = nn.Sequential(Net())\nc = torch.compile(m)\nc(m[0])"),
        ("no container", "c = torch.compile(Net())\nc(3)\nlen([c])"),
        ("asked whether it is there", "c = torch.compile(Net())\nif c is not None:\n    c(3)"),
        ("the original is asked", "m = Net()\nc = torch.compile(m)\nif m:\n    c(3)"),
        ("compiled in place", "m = Net()\nm.compile()\nif m:\n    m(3)"),
        ("asked is what comes before", "def g(flag):\n    c = torch.compile(Net())\n    c(3)\n    return flag and c"),
        ("a container is asked", "c = torch.compile(nn.Sequential(Net()))\nif c:\n    c(3)"),
        (
            "has a length",
            "class Sized(Net):\n"
            "    def __len__(self):\n"
            "        return 3\n"
            "c = torch.compile(Sized())\n"
            "if not c:\n"
            "    c(3)",
        ),
        ("a function is asked", "def g(x): ...\nf = torch.compile(g)\nif f:\n    f(3)"),
        ("an unknown thing is asked", "def g(m):\n    c = torch.compile(m)\n    return c or m"),
        ("its output is indexed", "c = torch.compile(nn.Sequential(Net()))\nc(3)[0]"),
        ("an unknown thing", "def g(m):\n    c = torch.compile(m)\n    return c[0]"),
        ("compiled functions may be compiled again", "def g(x): ...\nf = torch.compile(torch.compile(g))\nf(3)"),
        (
            "an attribute that was the original until here",
            "class Server:\n"
            "    def __init__(self):\n"
            "        self.model = Net()\n"
            "        self.model = torch.compile(self.model)\n"
            "    def __call__(self, x):\n"
            "        return self.model(x)",
        ),
        (
            "an attribute that a base class has set",
            "class Base:\n"
            "    def __init__(self):\n"
            "        self.model = Net()\n"
            "class Server(Base):\n"
            "    def __init__(self):\n"
            "        super().__init__()\n"
            "        self.model = torch.compile(self.model)",
        ),
        (
            "the original in the other branch",
            "def g(m: nn.Module, mode):\n"
            "    if mode:\n"
            "        m = torch.compile(m, mode=mode)\n"
            "    else:\n"
            "        m = torch.compile(m)\n"
            "    return m",
        ),
        (
            "the original below a branch that returns",
            "def g(m: nn.Module, mode):\n"
            "    if mode:\n"
            "        m = torch.compile(m, mode=mode)\n"
            "        return m\n"
            "    return torch.compile(m)",
        ),
        (
            "the original where compiling failed",
            "def g(m: nn.Module):\n"
            "    try:\n"
            "        m = torch.compile(m)\n"
            "    except RuntimeError:\n"
            "        m = torch.compile(m, backend='eager')\n"
            "    return m",
        ),
        (
            "the original in another case",
            "def g(m: nn.Module, mode):\n"
            "    match mode:\n"
            "        case 'fast':\n"
            "            m = torch.compile(m, mode='max-autotune')\n"
            "        case _:\n"
            "            m = torch.compile(m)\n"
            "    return m",
        ),
        (
            "an attribute in the other branch",
            "class Server:\n"
            "    def __init__(self, mode):\n"
            "        self.model = Net()\n"
            "        if mode:\n"
            "            self.model = torch.compile(self.model, mode=mode)\n"
            "        elif mode is None:\n"
            "            self.model = torch.compile(self.model)\n"
            "    def __call__(self, x):\n"
            "        return self.model(x)",
        ),
        ("the original again", "m = Net()\na = torch.compile(m)\nb = torch.compile(m)\na(3), b(3)"),
    ],
)
def test_the_wrapper_is_only_called(why: str, code: str) -> None:
    assert constructs_around(NET + code) == []


@pytest.mark.parametrize(
    "code",
    [
        "def g(m: nn.Module, mode):\n    if mode:\n        m = torch.compile(m)\n    return torch.compile(m)",
        "def g(m: nn.Module):\n    m = torch.compile(m)\n    if m.on:\n        m = 3\n    else:\n"
        "        torch.compile(m)",
    ],
)
def test_what_is_compiled_twice_on_a_path(code: str) -> None:
    assert "compiled-twice" in constructs_around(NET + code)


@pytest.mark.parametrize(
    "asked",
    [
        "if c:\n    c(3)",
        "while not c:\n    c(3)",
        "assert c, 3",
        "c(3) if c else 3",
        "bool(c)",
        "c and c(3)",
        "flag = True\nif flag and c:\n    c(3)",
        "d = c or Net()\nc(3)",
    ],
)
def test_what_asks_whether_the_wrapper_is_true(asked: str) -> None:
    assert "module-truth" in constructs_around(f"{NET}c = torch.compile(Net())\n{asked}\n")


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("list(model.children())[:-1]", ["children-of-compiled"]),
        ("[*model.children()][0]", ["children-of-compiled"]),
        ("for i, layer in enumerate(model.children()):\n    print(i)", ["children-of-compiled"]),
        ("len(list(model.named_children()))", ["children-of-compiled"]),
        ("nn.Sequential(*model.children())", []),
        ("next(model.children())", []),
        ("list(net.children())[:-1]", []),
    ],
)
def test_the_only_child_of_a_wrapper_is_the_original(code: str, found: list[str]) -> None:
    assert constructs_around(f"{NET}net = Net()\nmodel = torch.compile(net)\n{code}\n") == found


_ASKED = """
    def run(self, x):
        if self.compiled:
            return self.compiled(x)
        return self.model(x)
"""


@pytest.mark.parametrize(
    "init",
    [
        "def __init__(self, model: nn.Module):\n        self.model = model\n"
        "        self.compiled = torch.compile(model)",
        "def __init__(self, model):\n        self.model = model\n        self.compiled = torch.compile(self.model)",
        "def __init__(self):\n        self.model, self.compiled = Net(), None\n"
        "    def load(self):\n        self.compiled = torch.compile(self.model)",
        "def __init__(self, model, use):\n        self.model, self.compiled = model, None\n"
        "        if use:\n            try:\n                self.compiled = torch.compile(model)\n"
        "            except RuntimeError:\n                pass",
        "def __init__(self, net, use):\n        self.model = net\n"
        "        self.compiled = torch.compile(net) if use else None",
    ],
)
def test_what_asks_whether_an_attribute_that_keeps_the_wrapper_is_true(init: str) -> None:
    asked = [
        event for event in events_around(f"{NET}class Server:\n    {init}{_ASKED}") if event.construct == "module-truth"
    ]
    assert len(asked) == 1


def test_the_wrapper_of_a_model_that_is_handed_in_is_asked_in_its_function() -> None:
    code = "def g(model, use):\n    c = torch.compile(model) if use else None\n    if c:\n        c(3)\n"
    assert [event.confidence for event in events_around(NET + code)] == [Confidence.MEDIUM]


@pytest.mark.parametrize(
    "init",
    [
        "def __init__(self, step):\n        self.model = step\n        self.compiled = torch.compile(step)",
        "def __init__(self):\n        self.model = Net()\n        self.compiled = torch.compile(self.model.forward)",
        "def __init__(self):\n        self.model = nn.Sequential(Net())\n"
        "        self.compiled = torch.compile(self.model)",
        "def __init__(self, model):\n        self.model = model\n        model.compile()\n        self.compiled = True",
    ],
)
def test_a_function_and_a_container_are_true_or_not(init: str) -> None:
    assert "module-truth" not in constructs_around(f"{NET}class Server:\n    {init}{_ASKED}")
