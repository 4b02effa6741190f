"""What the index of one module holds."""

from __future__ import annotations

import ast
import sys

import pytest

from compilelint.source.index import index_lambdas, index_module
from compilelint.source.model import Assignment, Definition, Import
from tests.source.make import index, text


def targets(code: str, name: str, file: str = "example.py", **others: str) -> list[str]:
    """What the imports that bind a name mean."""
    module = index(code, file, **others)
    return [binding.target for binding in module.bindings.get(name, []) if isinstance(binding, Import)]


@pytest.mark.parametrize(
    ("code", "name", "target"),
    [
        ("import torch", "torch", "torch"),
        ("import torch.nn.functional", "torch", "torch"),
        ("import torch.nn.functional as F", "F", "torch.nn.functional"),
        ("from torch import nonzero as nz", "nz", "torch.nonzero"),
        ("from torch.nn import Linear", "Linear", "torch.nn.Linear"),
    ],
)
def test_imports_bind_names(code: str, name: str, target: str) -> None:
    assert targets(code, name) == [target]


@pytest.mark.parametrize(
    ("file", "code", "target"),
    [
        ("pkg/sub/mod.py", "from . import name", "pkg.sub.name"),
        ("pkg/sub/mod.py", "from .other import name", "pkg.sub.other.name"),
        ("pkg/sub/mod.py", "from .. import name", "pkg.name"),
        ("pkg/sub/mod.py", "from ..other import name", "pkg.other.name"),
        ("pkg/sub/__init__.py", "from . import name", "pkg.sub.name"),
        ("pkg/sub/__init__.py", "from ..other import name", "pkg.other.name"),
    ],
)
def test_relative_imports_start_at_the_package(file: str, code: str, target: str) -> None:
    packages = {"pkg/__init__": "", "pkg/sub/__init__": ""}
    packages.pop(file.removesuffix(".py"), None)
    assert targets(code, "name", file, **packages) == [target]


@pytest.mark.parametrize(("code", "target"), [("from . import name", "name"), ("from .mod import name", "mod.name")])
def test_relative_imports_outside_of_packages_mean_neighbours(code: str, target: str) -> None:
    assert targets(code, "name", "train.py") == [target]


def test_star_imports_are_kept_by_their_absolute_name() -> None:
    packages = {"pkg/__init__": ""}
    assert index("from .ops import *\nfrom torch.nn import *", "pkg/mod.py", **packages).star_imports == [
        "pkg.ops",
        "torch.nn",
    ]


def test_each_binding_of_a_name_is_kept_in_order() -> None:
    code = """
    try:
        import fast as impl
    except ImportError:
        impl = None
    else:
        from other import impl
    finally:
        def impl(): ...
    """
    found = index(code).bindings["impl"]
    assert [type(binding) for binding in found] == [Import, Assignment, Import, Definition]


@pytest.mark.parametrize(
    "code",
    [
        "if a:\n    x = 1",
        "if a:\n    pass\nelse:\n    x = 1",
        "for i in b:\n    x = 1",
        "while a:\n    pass\nelse:\n    x = 1",
        "with a:\n    x = 1",
        "try:\n    pass\nexcept A:\n    x = 1",
        "match a:\n    case 1:\n        x = 1",
        "x: int = 1",
        "x: int",
        "(x, y) = 1, 2",
        "[y, (x, z)] = 1, (2, 3)",
        "y = x = 1",
    ],
)
def test_names_bound_in_blocks_of_the_module_are_its_own(code: str) -> None:
    assert "x" in index(code).bindings


STAND_IN = """
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    {typed}
else:
    {run}
"""


@pytest.mark.parametrize("typed", ["off = lambda f: f", "def off(f):\n        return f"])
def test_a_function_for_type_checkers_does_not_stand_beside_what_runs(typed: str) -> None:
    module = index(STAND_IN.format(typed=typed, run="off = torch.compiler.disable"))
    (binding,) = module.bindings["off"]
    assert isinstance(binding, Assignment)
    assert isinstance(binding.value, ast.Attribute)


@pytest.mark.parametrize(
    ("typed", "run"),
    [
        ("from heavy import off", "off = object"),  # what annotations mean
        ("off = Wide", "off = object"),
        ("def off(f): ...", "load()"),  # a package that loads it when it is asked for
    ],
)
def test_what_only_type_checkers_see_counts_otherwise(typed: str, run: str) -> None:
    first, *_ = index(STAND_IN.format(typed=typed, run=run)).bindings["off"]
    assert not (isinstance(first, Assignment) and isinstance(first.value, ast.Name) and first.value.id == "object")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* came with Python 3.11")
def test_names_bound_under_except_star_are_the_module_s_own() -> None:
    assert "x" in index("try:\n    pass\nexcept* A:\n    x = 1").bindings


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("a local of a function", "def f():\n    x = 1"),
        ("an attribute of a class", "class A:\n    x = 1"),
        ("an attribute", "a.x = 1"),
        ("an item", "a['x'] = 1"),
    ],
)
def test_the_module_does_not_bind(why: str, code: str) -> None:
    assert "x" not in index(code).bindings


def test_a_tuple_target_remembers_the_position() -> None:
    bindings = index("a, (b, c) = value").bindings
    found = {name: binding.path for name, (binding,) in bindings.items() if isinstance(binding, Assignment)}
    assert found == {"a": (0,), "b": (1, 0), "c": (1, 1)}


def test_functions_know_their_class_and_the_function_around() -> None:
    code = """
    class Net:
        def forward(self):
            def inner():
                class Local:
                    def method(self): ...
    async def g(): ...
    """
    module = index(code)
    classes = {info.qualname: info for info in module.classes.values()}
    functions = {info.qualname: info for info in module.functions.values()}
    local = "Net.forward.<locals>.inner.<locals>.Local"
    assert set(functions) == {"Net.forward", "Net.forward.<locals>.inner", f"{local}.method", "g"}
    assert functions["Net.forward"].owner == classes["Net"].key
    assert functions["Net.forward.<locals>.inner"].parent == functions["Net.forward"].key
    assert functions["Net.forward.<locals>.inner"].owner is None
    assert functions[f"{local}.method"].owner == classes[local].key
    assert classes[local].parent == functions["Net.forward.<locals>.inner"].key


def test_a_class_holds_methods_and_attributes() -> None:
    code = """
    class Net:
        size = 3
        name: str
        a, b = 1, 2
        def forward(self): ...
        if True:
            def extra(self): ...
        class Inner: ...
    """
    (cls,) = (info for info in index(code).classes.values() if info.name == "Net")
    assert set(cls.methods) == {"forward", "extra"}
    assert set(cls.attributes) == {"size", "name", "a", "b"}


def lines_of_methods(code: str) -> dict[str, int]:
    (cls,) = index(code).classes.values()
    return {name: key[1] for name, key in cls.methods.items()}


def test_a_setter_does_not_hide_its_property() -> None:
    code = """
    class A:
        @property
        def size(self): ...
        @size.setter
        def size(self, value): ...
        @size.deleter
        def size(self): ...
    """
    assert lines_of_methods(code) == {"size": 4}


@pytest.mark.parametrize("decorator", ["overload", "typing.overload", "torch.jit._overload"])
def test_overloads_do_not_hide_the_function(decorator: str) -> None:
    code = f"@{decorator}\ndef f(x: int): ...\ndef f(x): ...\n@{decorator}\ndef f(x: str): ..."
    (binding,) = index(code).bindings["f"]
    assert isinstance(binding, Definition)
    assert binding.key[1] == 3


def lambdas_at(code: str, line: int) -> list[tuple[int, int]]:
    """Line and column of the lambdas that are known once one at a line was asked for, twice."""
    module = index(code)
    index_lambdas(module, line)
    index_lambdas(module, line)
    return sorted(key[1:] for key, info in module.functions.items() if info.qualname == "<lambda>")


def test_lambdas_are_indexed_when_asked_for() -> None:
    module = index("f = lambda x: x\ndef g():\n    return sorted([], key=lambda y: -y)")
    assert [info.qualname for info in module.functions.values()] == ["g"]
    index_lambdas(module, 1)
    index_lambdas(module, 3)
    assert sorted(info.qualname for info in module.functions.values()) == ["<lambda>", "<lambda>", "g"]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        pytest.param("f = 1\ng = lambda: 1; h = lambda: 2\nk = lambda: 3", [(2, 4), (2, 19)], id="of one line"),
        pytest.param(
            "def f():\n    x = lambda: lambda: 2\n    return lambda: 3", [(2, 8), (2, 16), (3, 11)], id="function"
        ),
        pytest.param("class C:\n    x = lambda self: 1\n    y = lambda self: 2", [(2, 8)], id="class"),
        pytest.param("class C:\n    @d(lambda: 1)\n    def f(self, x=lambda: 2): ...", [(2, 7), (3, 18)], id="method"),
        pytest.param(
            "@a\n@b(lambda: 1)\nclass C(D, m=lambda: 2):\n    x = lambda: 3", [(2, 3), (3, 13)], id="around a class"
        ),
        pytest.param("if a:\n    x = lambda: 1\ny = lambda: 2", [(2, 8)], id="compound"),
        pytest.param("x = 1\n\ny = lambda: 2", [], id="none"),
    ],
)
def test_only_lambdas_near_a_line_are_looked_for(code: str, found: list[tuple[int, int]]) -> None:
    assert lambdas_at(code, 2) == found


def test_decorators_are_those_of_the_node_and_lambdas_have_none() -> None:
    module = index("@a\n@b.c(1)\ndef f(): ...\ng = lambda: 1")
    index_lambdas(module, 4)
    found = {info.qualname: [ast.unparse(node) for node in info.decorators] for info in module.functions.values()}
    assert found == {"f": ["a", "b.c(1)"], "<lambda>": []}


@pytest.mark.parametrize("code", ["def f(:", "print 'python 2'", "x = 1\n\0"])
def test_what_is_no_python_raises(code: str) -> None:
    with pytest.raises((SyntaxError, ValueError)):
        index_module(text("bad.py", code), "bad", is_package=False)
