"""A project's files: what is indexed, what is forgotten, where compilation may start."""

from __future__ import annotations

import ast

import pytest

from compilelint.report.model import Problem
from compilelint.source import tree as tree_module
from compilelint.source.index import node_key
from tests.source.make import tree


def test_a_module_is_indexed_once() -> None:
    files = tree({"a.py": "x = 1"})
    assert files.module("a.py") is files.module("a.py")


def test_no_module_of_a_file_that_is_not_there() -> None:
    files = tree({"a.py": ""})
    assert files.module("b.py") is None
    assert files.import_module("torch", "a.py") is None
    assert files.problems() == ()


def test_a_module_is_found_by_its_import() -> None:
    files = tree({"pkg/__init__.py": "", "pkg/net.py": "", "train.py": ""})
    module = files.import_module("pkg.net", "train.py")
    assert module is not None
    assert (module.name, module.dotted, module.package) == ("pkg/net.py", "pkg.net", "pkg")


def test_those_used_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_module, "_MAX_INDEXED_CHARACTERS", 20)
    files = tree({"a.py": "x = 1  #", "b.py": "x = 2  #", "c.py": "x = 3  #"})
    first, second = files.module("a.py"), files.module("b.py")
    assert files.module("a.py") is first
    files.module("c.py")
    assert files.module("a.py") is first
    assert files.module("b.py") is not second


def test_the_last_one_is_kept_however_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_module, "_MAX_INDEXED_CHARACTERS", 3)
    files = tree({"a.py": "xyz = 1"})
    assert files.module("a.py") is files.module("a.py")


def test_a_syntax_error_is_a_problem_of_a_checked_file_only() -> None:
    files = tree({"bad.py": "x = 1\ndef f(:\n", "good.py": "x = 1"}, context={"far.py": "def g(:"})
    assert files.module("bad.py") is None
    assert files.module("far.py") is None
    assert files.module("good.py") is not None
    (problem,) = files.problems()
    assert (problem.path, problem.line) == ("bad.py", 2)
    assert problem.message.startswith("syntax error: ")


def test_a_null_byte_is_a_problem() -> None:
    files = tree({"bad.py": "x = '\0'"})
    assert files.module("bad.py") is None
    assert len(files.problems()) == 1


def test_nesting_too_deep_for_the_parser_is_a_problem() -> None:
    files = tree({"deep.py": "x = " + "(" * 10_000 + ")" * 10_000})
    assert files.module("deep.py") is None
    assert [problem.path for problem in files.problems()] == ["deep.py"]


def test_problems_are_known_once_somebody_asked() -> None:
    files = tree({"bad.py": "("})
    assert files.problems() == ()
    files.module("bad.py")
    files.module("bad.py")
    assert files.problems() == (Problem("bad.py", "syntax error: '(' was never closed", 1),)


def test_functions_and_classes_are_found_by_key() -> None:
    files = tree({"a.py": "def f(): ...\nclass A: ...\ng = lambda: 1"})
    module = files.module("a.py")
    assert module is not None
    keys = {
        type(node).__name__: node_key("a.py", node)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda)
    }
    function, cls, anonymous = (
        files.function(keys["FunctionDef"]),
        files.class_(keys["ClassDef"]),
        files.function(keys["Lambda"]),
    )
    assert function is not None
    assert function.qualname == "f"
    assert cls is not None
    assert cls.name == "A"
    assert anonymous is not None
    assert anonymous.qualname == "<lambda>"
    assert files.function(keys["ClassDef"]) is None
    assert files.class_(keys["FunctionDef"]) is None
    assert files.function(("gone.py", 1, 0)) is None


# Where compilation may start


def test_a_file_without_torch_has_no_roots() -> None:
    assert tree({"a.py": "import os"}).files_with_roots() == ()


def test_a_file_that_imports_one_with_torch_may_have_roots() -> None:
    files = tree({"a.py": "from b import f", "b.py": "import c", "c.py": "import torch", "d.py": "import os"})
    assert files.files_with_roots() == ("a.py", "b.py", "c.py")


@pytest.mark.parametrize(
    "statement",
    [
        "import pkg.net",
        "from pkg import net",
        "from pkg.net import Net",
        "from pkg import other, net as n",
        "import os, pkg.net as n",
        "    from pkg.net import Net",
        "from pkg import (net,",
    ],
)
def test_importers_of_a_checked_file_are_looked_at(statement: str) -> None:
    files = tree({"pkg/net.py": "import torch"}, context={"pkg/__init__.py": "", "train.py": statement})
    assert "train.py" in files.files_with_roots()


@pytest.mark.parametrize("statement", ["from . import net", "from .net import Net", "from .. import pkg.net"])
def test_relative_importers_are_looked_at(statement: str) -> None:
    context = {"pkg/__init__.py": "", "pkg/train.py": statement.replace("from .. import pkg.net", "from .net import *")}
    files = tree({"pkg/net.py": "import torch"}, context=context)
    assert files.files_with_roots() == ("pkg/net.py", "pkg/train.py")


def test_a_relative_import_outside_of_packages_means_a_neighbour() -> None:
    context = {"app/train.py": "from . import net", "app/test.py": "from .net import f"}
    files = tree({"app/net.py": "import torch"}, context=context)
    assert files.files_with_roots() == ("app/net.py", "app/test.py", "app/train.py")


def test_importers_of_importers_are_not_looked_at() -> None:
    files = tree({"net.py": "import torch"}, context={"near.py": "import net", "far.py": "import near"})
    assert files.files_with_roots() == ("near.py", "net.py")


def test_what_a_checked_file_imports_is_not_looked_at_for_its_own_sake() -> None:
    files = tree({"train.py": "import torch, net"}, context={"net.py": "import torch"})
    assert files.files_with_roots() == ("train.py",)


def test_only_the_first_importers_are_looked_at() -> None:
    context = {f"user{number}.py": "import net" for number in range(4)}
    files = tree({"net.py": "import torch"}, context=context)
    assert files.files_with_roots(2) == ("net.py", "user0.py", "user1.py")


def test_without_importers_the_checked_files_are_enough() -> None:
    context = {"user.py": "import net", "layers.py": "import far", "far.py": "import torch", "none.py": "import layers"}
    files = tree({"net.py": "import layers", "plain.py": "import os"}, context=context)
    assert files.files_with_roots(0) == ("net.py",)


def test_what_one_program_may_hold_together() -> None:
    files = tree(
        {
            "settings.py": "import os",
            "net.py": "import layers",
            "layers.py": "import torch",
            "train.py": "import net, settings",
            "tests/test_net.py": "import net",
            "tests/test_other.py": "import os",
        }
    )
    assert files.loaded_with("settings.py") == {"settings.py", "train.py", "net.py", "layers.py"}
    assert files.loaded_with("tests/test_net.py") == {"tests/test_net.py", "net.py", "layers.py"}
    assert files.loaded_with("tests/test_other.py") == {"tests/test_other.py"}
