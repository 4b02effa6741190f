"""Modules that compile parts of themselves as they are made."""

from __future__ import annotations

import pytest

from compilelint.regions import offered_roots
from compilelint.report.confidence import Confidence
from tests.regions.project import PRELUDE, inspector

PARTS = """\
class A(nn.Module):
    def __init__(self, layers, config, fast=False, quick=True):
        super().__init__()
        self.layers = layers
        self.net = Net()
{}
    def forward(self, x): ...
    def run(self, x): ...
    def prepare(self):
        self.net = torch.compile(self.net)
"""


def how_sure(body: str, rest: str = "") -> dict[str, Confidence]:
    """How sure what is found in each `forward` can be that a file offers, by class."""
    code = PRELUDE + PARTS.format("".join(f"        {line}\n" for line in body.splitlines())) + rest
    roots_of_file = offered_roots(inspector("", code), "train.py")
    return {root.function.name.partition(".")[0]: root.ceiling for root in roots_of_file}


@pytest.mark.parametrize(
    "body",
    [
        "self.net = torch.compile(Net())",
        "self.net = torch.compile(self.net)",
        "if hasattr(torch, 'compile'):\n    self.net = torch.compile(self.net, mode='reduce-overhead')",
        "if config.compile:\n    self.net.compile()",
        "if quick:\n    self.net.compile()",
        "self.fast = torch.compile(self.run)",
        "self.prepare()",
        "for _ in range(3):\n    layer = Net()\n    self.layers.append(torch.compile(layer))",
        "for layer in self.layers:\n    layer.compile()",
        "for i, layer in enumerate(layers):\n    self.layers[i] = torch.compile(layer)",
        "self.b = B()\nself.c = [C(2) for _ in range(3)]",
    ],
)
def test_a_module_that_compiles_parts_as_it_is_made_is_hardly_compiled_itself(body: str) -> None:
    rest = "class B(nn.Module):\n    def forward(self, x): ...\n"
    rest += "class C(nn.Module):\n    def __init__(self, n):\n        self.b = torch.compile(B())\n"
    rest += "    def forward(self, x): ...\n"
    found = how_sure(body, rest)
    assert (found["A"], found["Net"], found["B"]) == (Confidence.LOW, Confidence.HIGH, Confidence.HIGH)


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("users ask for it", ""),
        ("an option asks for it that is off", "if fast:\n    self.net = torch.compile(self.net)"),
        ("an option asks for it that is off", "self.net = torch.compile(self.net) if fast else self.net"),
        ("an option asks for it that is off", "if fast:\n    self.prepare()"),
        ("a function is no part", "self.op = torch.compile(f)"),
        ("a function is no part", "self.op = torch.compile(lambda x: x)"),
        ("it is compiled itself", "self.forward = torch.compile(self.forward)"),
        ("it makes one of its own class", "self.inner = A(layers[1:], config) if layers else None"),
        ("an expression", "import re\nself.word = re.compile('a')"),
    ],
)
def test_a_module_that_compiles_no_part_as_it_is_made_may_be_compiled(why: str, body: str) -> None:
    assert how_sure(body)["A"] is Confidence.HIGH


@pytest.mark.parametrize(
    ("body", "sure"),
    [
        ("self.net = torch.compile(self.net)", Confidence.LOW),
        ("for layer in self.layers:\n    layer.compile()", Confidence.LOW),
        ("self.prepare()", Confidence.HIGH),
        ("super().compile()", Confidence.HIGH),
        ("self.optimizer = make(self)", Confidence.HIGH),
    ],
)
def test_a_compile_of_its_own_may_be_for_parts(body: str, sure: Confidence) -> None:
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    rest = f"class B(A):\n    def compile(self):\n{lines}    def forward(self, x): ...\n"
    assert how_sure("pass", rest)["B"] is sure


@pytest.mark.parametrize("first", ["Outer", "Inner"])
def test_classes_that_make_each_other_are_told_alike_whichever_is_asked_first(first: str) -> None:
    classes = {
        "Outer": "class Outer(Base):\n    def __init__(self, n):\n        self.a = Inner(n - 1) if n else None\n",
        "Inner": "class Inner(nn.Module):\n    def __init__(self, n):\n        self.a = Outer(n - 1) if n else None\n",
    }
    base = "class Base(nn.Module):\n    def __init__(self):\n        self.net = torch.compile(Net())\n"
    code = (
        PRELUDE
        + base
        + "".join(
            f"{classes[name]}    def forward(self, x): ...\n"
            for name in sorted(classes, key=lambda name: name != first)
        )
    )
    sure = {
        root.function.name.partition(".")[0]: root.ceiling for root in offered_roots(inspector("", code), "train.py")
    }
    assert (sure["Outer"], sure["Inner"]) == (Confidence.LOW, Confidence.LOW)


@pytest.mark.parametrize(
    ("made", "is_asked"),
    [
        ("A([], {}, True)", True),
        ("A([], {}, fast=True)", True),
        ("A([], {}, fast=options.fast)", True),
        ("A([], {}, fast=False)", False),
        ("A([], {}, quick=True)", False),
        ("print(A)", False),
    ],
)
def test_an_option_that_is_off_counts_where_the_project_asks_for_it(made: str, is_asked: bool) -> None:
    compiles = "if fast:\n    self.net = torch.compile(self.net)"
    found = how_sure(compiles, f"\ndef main(options):\n    return {made}\n")
    assert (found["A"] == Confidence.LOW) == is_asked
