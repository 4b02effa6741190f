"""Where the project goes over into a followed package."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from compilelint.inspect.events import Event
from compilelint.inspect.frame import Route
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from compilelint.inspect.starting import run_around, run_root
from compilelint.regions import compiled_roots, named_roots
from tests.source.make import following, installed

LIB = """\
class Box:
    def __add__(self, other): print(self)
    def __enter__(self): print(self)
    def __exit__(self, *args): ...
    @property
    def size(self): print(self)

def helper(x, callback=None):
    print(x)
    if callback is not None:
        callback(x)

def wrapped(function):
    def inner(*args):
        print(args)
        return function(*args)
    return inner
"""


def events(folder: Path, code: str) -> list[Event]:
    """The prints that a function `f` comes to."""
    tree = following({"a.py": "import lib\n" + dedent(code)}, installed(folder, {"lib.py": LIB}))
    found = Inspector(Knowledge(tree), lambda type_, callee: callee == "builtins.print")
    (root,) = named_roots(found, ["a.py::f"])
    run_root(found, root.function, Route((root.label,)), root.site)
    return found.events


def sites(folder: Path, code: str) -> list[tuple[str, int, int, int] | None]:
    """Function, line, first and last column of where each was reached from; None for what is the project's own."""
    vias = (event.place.via for event in events(folder, code))
    return [via and (via.function, via.span.line, via.span.column, via.span.end_column - 1) for via in vias]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ("return lib.helper(x)", ("f", 3, 12, 24)),
        ("y = lib.Box() + 1", ("f", 3, 5, 21)),
        ("with lib.Box() as b:\n        return x", ("f", 3, 10, 18)),
        ("return lib.Box().size", ("f", 3, 12, 25)),
    ],
)
def test_the_call_is_the_place(tmp_path: Path, body: str, place: tuple[str, int, int, int]) -> None:
    assert sites(tmp_path, f"def f(x):\n    {body}\n") == [place]


def test_of_two_calls_each_is_told_the_package_is_walked_for_one(tmp_path: Path) -> None:
    first, second = events(tmp_path, "def f(x):\n    lib.helper(x)\n    lib.helper(x)\n")
    assert first.span == second.span
    assert first.place.via != second.place.via
    assert first.place.reached_from == second.place.reached_from


def test_steps_lead_from_this_call_not_from_the_first(tmp_path: Path) -> None:
    code = "def g(x):\n    lib.helper(x)\ndef f(x):\n    g(x)\n    lib.helper(x)\n"
    assert [event.place.reached_from[1:] for event in events(tmp_path, code)] == [("f", "g", "helper"), ("f", "helper")]


def test_what_is_called_back_is_the_project_s_and_its_calls_are_places_of_their_own(tmp_path: Path) -> None:
    code = "def own(x):\n    print(x)\n    lib.helper(x)\ndef f(x):\n    lib.helper(x, own)\n"
    assert sorted(sites(tmp_path, code), key=str) == [("f", 6, 5, 22), ("own", 4, 5, 17), None]


def test_a_decorator_of_the_package_is_met_where_the_function_is_called(tmp_path: Path) -> None:
    code = "@lib.wrapped\ndef own(x):\n    return x\ndef f(x):\n    return own(x)\n"
    assert sites(tmp_path, code) == [("f", 6, 12, 17)]


def test_a_decorator_of_what_a_package_lets_be_compiled_is_told_where_that_is(tmp_path: Path) -> None:
    lib = LIB + "\nclass Net(torch.nn.Module):\n    @wrapped\n    def forward(self, x): ...\n"
    tree = following(
        {"a.py": "import lib, torch\n\nnet = torch.compile(lib.Net())\n"},
        installed(tmp_path, {"lib.py": "import torch\n" + lib}),
    )
    found = Inspector(Knowledge(tree), lambda type_, callee: callee == "builtins.print")
    (root,) = compiled_roots(found, "a.py")
    run_around(found, root.function, Route((root.label,)), root.site, root.accepts)
    (event,) = found.events
    assert event.place.function == "wrapped.<locals>.inner"
    assert event.place.via is not None
    assert (event.place.via.path, event.place.via.span.line) == ("a.py", 3)


def test_a_package_that_calls_itself_comes_to_an_end(tmp_path: Path) -> None:
    code = "def f(x):\n    lib.helper(x, again)\ndef again(x):\n    lib.helper(x, again)\n"
    assert {via and via[:2] for via in sites(tmp_path, code)} == {("f", 3)}


@pytest.mark.parametrize("imported", ["pytorch_lightning.core.module", "pytorch_lightning"])
def test_a_method_of_a_followed_class_has_the_name_by_which_rules_know_it(tmp_path: Path, imported: str) -> None:
    """Entered or not, `self.log(…)` is a call of Lightning's: with `--follow` it had no name of its own any more."""
    module = "class LightningModule(nn.Module):\n    def log(self, name, value): ...\n"
    package = {
        "pytorch_lightning/__init__.py": "from pytorch_lightning.core.module import LightningModule\n",
        "pytorch_lightning/core/__init__.py": "",
        "pytorch_lightning/core/module.py": f"from torch import nn\n{module}",
    }
    net = "class Net(LightningModule):\n    def step(self, x):\n        self.log('x', x)\n"
    own = f"from {imported} import LightningModule\n{net}"
    tree = following({"a.py": own}, installed(tmp_path, package))
    found = Inspector(Knowledge(tree), lambda type_, callee: callee == "pytorch_lightning.LightningModule.log")
    (root,) = named_roots(found, ["a.py::Net.step"])
    run_root(found, root.function, Route((root.label,)), root.site)
    assert [event.source for event in found.events] == ["self.log('x', x)"]
