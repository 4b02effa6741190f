"""Names are known by their binding, never by their spelling."""

from __future__ import annotations

import pytest

from compilelint.inspect import kinds
from tests.inspect.make import callees, function, returned


@pytest.mark.parametrize(
    ("body", "callee"),
    [
        ("from torch import nonzero as nz\nnz(x)", "torch.nonzero"),
        ("import numpy as xp\nxp.interp(1, 2, 3)", "numpy.interp"),
        ("t = torch\nt.nonzero(x)", "torch.nonzero"),
        ("show = print\nshow(1)", "builtins.print"),
        ("Tensor.item(x)", "torch.Tensor.item"),
        ("read = x.item\nread()", "torch.Tensor.item"),
        ("import torch as print\nprint.nonzero(x)", "torch.nonzero"),
    ],
)
def test_what_is_called_is_known_by_its_binding(body: str, callee: str) -> None:
    assert callee in callees(function(body))


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("a function of the module", "def print(x): ...\ndef f(x):\n    print(x)\n"),
        ("a nested function", "def f(x):\n    def print(x): ...\n    print(x)\n"),
        ("a parameter", "def f(x, print):\n    print(x)\n"),
        ("a local", "def f(x):\n    print = unknown\n    print(x)\n"),
        ("a function that another file defines", "from other import print\ndef f(x):\n    print(x)\n"),
        ("a function that a star brings", "from other import *\ndef f(x):\n    print(x)\n"),
        ("a function of that name of another module", "import other\ndef f(x):\n    other.print(x)\n"),
    ],
)
def test_a_name_is_not_the_builtin(why: str, code: str) -> None:
    assert "builtins.print" not in callees(code, other="def print(x): ...\n")


def test_a_name_that_one_of_two_imports_binds_is_what_the_one_that_works_gives() -> None:
    code = "try:\n    from math import floor as fast\nexcept ImportError:\n    fast = None\n"
    assert callees(code + function("fast(x)")) == ["math.floor"]


@pytest.mark.parametrize(
    ("init", "given"),
    [
        ("from .solve import solve", "tensor"),
        ("from .solve import *", "tensor"),
        ("from .other import *", "module"),
        ("from . import solve", "module"),
        ("", "module"),
    ],
)
def test_a_package_binds_the_name_of_its_module_to_something_else(init: str, given: str) -> None:
    package = {
        "pkg/__init__": init,
        "pkg/other": "answer = 1",
        "pkg/solve": "import torch\n\ndef solve(t):\n    return torch.relu(t)\n",
    }
    call = "solve(x)" if given == "tensor" else "solve.solve(x)"
    found = returned(f"from pkg import solve\ndef f(x: Tensor):\n    return {call}\n", **package)
    assert isinstance(found, kinds.Tensor)


@pytest.mark.parametrize(
    ("inner", "call"),
    [("from .net import *", "solve(x)"), ("from .net import solve", "solve(x)"), ("", "solve.net.solve(x)")],
)
def test_a_package_binds_the_name_of_a_package_inside_to_what_that_passes_on(inner: str, call: str) -> None:
    package = {
        "pkg/__init__": "from .solve import *",
        "pkg/solve/__init__": inner,
        "pkg/solve/net": "import torch\n\ndef solve(t):\n    return torch.relu(t)\n",
    }
    found = returned(f"from pkg import solve\ndef f(x: Tensor):\n    return {call}\n", **package)
    assert isinstance(found, kinds.Tensor)


def test_a_decorator_that_has_the_name_of_its_module_is_left_alone() -> None:
    package = {"pkg/__init__": "from .keep import keep", "pkg/keep": "def keep(f):\n    print(f)\n    return f\n"}
    code = "from pkg import keep\n@keep\ndef g(x): ...\ndef f(x):\n    keep(x)\n"
    assert "builtins.print" not in callees(code, **package)
    assert "builtins.print" in callees(code.replace("@keep", ""), **package)


SET = """
MODE = {value}
def choose(mode):
    global {name}
    {name} = mode
def f(x):
    if MODE == 1:
        x.item()
    {last}
"""


def test_a_global_that_a_function_sets_may_have_another_value() -> None:
    assert "torch.Tensor.item" in callees(SET.format(value=0, name="MODE", last="return x"))


@pytest.mark.parametrize(
    ("why", "name", "last"),
    [("no function sets it", "OTHER", "return x"), ("a function has its own", "OTHER", "MODE = 1")],
)
def test_a_global_keeps_the_value_that_it_has(why: str, name: str, last: str) -> None:
    code = SET.format(value=0, name=name, last="return x")
    if last != "return x":
        code += f"def g(x):\n    {last}\n"
    assert "torch.Tensor.item" not in callees(code)
