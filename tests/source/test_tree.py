"""A project's files: what is indexed, what is forgotten, where compilation may start."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from compilelint.report.model import Problem
from compilelint.source import tree as tree_module
from compilelint.source.index import node_key
from compilelint.source.refused import refusal
from compilelint.source.text import SourceText
from compilelint.source.tree import Asked, SourceTree
from compilelint.source.watched import Body, WatchedFunction
from tests.source.make import tree


def test_a_module_is_indexed_once() -> None:
    files = tree({"a.py": "x = 1"})
    assert files.module("a.py") is files.module("a.py")


def test_no_module_of_a_file_that_is_not_there() -> None:
    files = tree({"a.py": ""})
    assert files.module("b.py") is None
    assert files.import_module("torch", "a.py") is None
    assert files.problem("b.py") is None


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


def test_a_syntax_error_is_a_problem() -> None:
    files = tree({"bad.py": "x = 1\ndef f(:\n", "good.py": "x = 1"})
    assert files.module("bad.py") is None
    assert files.module("good.py") is not None
    problem = files.problem("bad.py")
    assert problem is not None
    assert (problem.path, problem.line) == ("bad.py", 2)
    assert problem.message.startswith("syntax error: ")
    assert files.problem("good.py") is None


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x = '\0'", id="null byte"),
        pytest.param("x = " + "(" * 10_000 + ")" * 10_000, id="parentheses"),
        pytest.param("x = " + "-" * 100_000 + "1", id="operators"),
    ],
)
def test_what_python_s_parser_cannot_take_is_a_problem(text: str) -> None:
    files = tree({"bad.py": text})
    assert not files.is_python("bad.py")
    assert files.module("bad.py") is None
    assert files.problem("bad.py") is not None


def test_whether_a_file_is_python_is_told_without_indexing_it() -> None:
    files = tree({"a.py": "def f():\n    return 1\n", "bad.py": "def f(:\n"})
    assert files.is_python("a.py")
    assert not files.is_python("bad.py")
    assert not files.is_python("missing.py")
    assert not files.new_bodies
    assert files.asked.texts == {"a.py", "bad.py", "missing.py"}


def test_problems_are_known_once_somebody_asked() -> None:
    files = tree({"bad.py": "("})
    assert files.problem("bad.py") is None
    files.module("bad.py")
    files.module("bad.py")
    assert files.problem("bad.py") == Problem("bad.py", refusal(SyntaxError("'(' was never closed")), 1)


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


# What was asked for


def test_a_tree_knows_what_it_was_asked_for() -> None:
    files = tree({"a.py": "from b import *\nfrom c import *", "b.py": "x = 1", "c.py": "y = 1", "d.py": ""})
    module = files.module("a.py")
    assert module is not None
    files.forget_asked()
    assert [provider.name for provider in files.providers(module, "y")] == ["c.py"]
    assert files.asked.files == {"b.py", "c.py"}, "b.py was looked at in vain, and would matter if it changed"
    files.forget_asked()
    files.module("a.py")
    files.text("gone.py")
    assert files.asked.files == {"a.py", "gone.py"}, "also what it knows already, and what is not there"


def test_a_file_that_is_forgotten_for_another_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_module, "_MAX_INDEXED_CHARACTERS", 10)
    files = tree({"a.py": "x = 1  #", "b.py": "x = 2  #"})
    files.module("a.py")
    files.forget_asked()
    files.module("b.py")
    assert files.asked.files == {"b.py"}


CODE = "def f():\n    return 1\n\n\ndef g():\n    return 2\n"


def test_what_is_asked_of_a_file_is_its_text_its_outline_or_a_body() -> None:
    files = tree({"a.py": CODE})
    module = files.module("a.py")
    assert module is not None
    assert files.asked == Asked(outlines={"a.py"})
    files.forget_asked()
    first, _ = (info.node for info in module.functions.values())
    assert first.body
    assert files.asked == Asked(bodies={("a.py", 0)})
    files.forget_asked()
    assert files.text_of(module) == CODE
    assert files.asked == Asked(texts={"a.py"})
    assert files.asked | Asked({"b.py"}, {"c.py"}, {("c.py", 1)}, {"d.py"}) == Asked(
        {"a.py", "b.py"}, {"c.py"}, {("c.py", 1)}, {"d.py"}
    )


def test_the_bodies_of_what_was_parsed_are_kept_for_another_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_module, "_MAX_INDEXED_CHARACTERS", 10)
    files = tree({"a.py": CODE, "b.py": ""})
    files.module("a.py")
    ((name, bodies),) = files.new_bodies.items()
    assert (name, [(body.first, body.last) for body in bodies]) == ("a.py", [(2, 2), (6, 6)])
    files.new_bodies.clear()
    files.module("b.py")
    files.new_bodies.clear()
    again = files.module("a.py")
    assert again is not None
    assert not any(info.node.is_parsed for info in again.functions.values() if isinstance(info.node, WatchedFunction))
    assert not files.new_bodies


def test_bodies_that_are_known_are_not_parsed() -> None:
    files = tree({"a.py": CODE})
    files.known_bodies = lambda text: [Body(2, 2, 12, stores=False)] if text.name == "a.py" else None
    module = files.module("a.py")
    assert module is not None
    first, second = (info.node for info in module.functions.values())
    assert isinstance(first, WatchedFunction)
    assert not first.is_parsed
    assert type(second) is ast.FunctionDef
    assert not files.new_bodies


def test_there_is_more_to_the_cells_of_a_notebook_than_their_python() -> None:
    written = SourceText("a.ipynb", Path("a.ipynb"), CODE, CODE.replace("return 2", "%run g"))
    files = SourceTree.load(Path(), [written], [])
    module = files.module("a.ipynb")
    assert module is not None
    assert {type(info.node) for info in module.functions.values()} == {ast.FunctionDef}
    assert not files.new_bodies
