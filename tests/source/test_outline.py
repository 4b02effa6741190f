"""What is left out of an outline comes back when somebody looks, at the places where it was."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from textwrap import dedent

import pytest

import compilelint
from compilelint.source.index import index_module
from compilelint.source.model import ModuleIndex
from compilelint.source.outline import leave_out, parse_outline, watch
from compilelint.source.text import SourceText
from compilelint.source.watched import Body, BodyKey, WatchedFunction, says, stores

LINES = "a = 1\nb = 2\nc = 3\nd = 4\nreturn a\n"


def indexed(code: str, parse: Callable[[str], ast.Module] = ast.parse) -> ModuleIndex:
    return index_module(SourceText("m.py", Path("m.py"), code), "m", False, parse)


def bodies(code: str) -> tuple[Body, ...]:
    """What the outline of this code leaves out."""
    return watch(indexed(code), lambda body: None)


def outlined(code: str, note: Callable[[BodyKey], None] = lambda body: None) -> ast.Module:
    """The code, parsed as far as somebody looks."""
    known = bodies(code)
    module = indexed(code, partial(parse_outline, bodies=known))
    leave_out(module, known, note)
    return module.tree


def unparsed(tree: ast.AST) -> Iterator[WatchedFunction]:
    """The functions in a tree that are not parsed yet; none is parsed for it."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, WatchedFunction) and not node.is_parsed:
            yield node
        else:
            pending += ast.iter_child_nodes(node)


def left_out(code: str) -> list[str]:
    """The names of the functions that the outline does not parse, sorted."""
    return sorted(node.name for node in unparsed(outlined(code)))


def function(name: str = "f", body: str = LINES, before: str = "") -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"{before}def {name}(self, x):\n{lines}"


def indented(code: str) -> str:
    return "".join(f"    {line}\n" if line else "\n" for line in code.splitlines())


def dump(tree: ast.AST) -> str:
    return ast.dump(tree, include_attributes=True).replace("WatchedFunction(", "FunctionDef(")


SHAPES = {
    "function": function(),
    "method": "class C(Base):\n    x = 1\n\n" + indented(function()),
    "last of nested classes": "class C:\n    class D:\n" + indented(indented(function())) + "y = 1\n",
    "decorated": function(before="@one\n@two(3)\n"),
    "what follows": function() + "y = 1; z = 2\n" + function("g"),
    "no line at the end": function().rstrip("\n"),
    "semicolon at the end": function(body=LINES + "e = 5;"),
    "comments between": "def f():  # first\n    # second\n\n" + indented(LINES) + "    # after\n# before\nx = 1\n",
    "comments at the margin": "def f():\n# first\n\n        # second\n" + indented(LINES) + "x = 1\n",
    "a comment in the signature": "def f(\n    x,\n    # last\n):\n    # first\n" + indented(LINES),
    "a text in the signature that looks like a comment": "def f(\n    x='''\n# '''):\n    # first\n" + indented(LINES),
    "the same, of an annotation": "def f() -> '''\n# ''':\n" + indented(LINES),
    "docstring": function(body='"""Says\n\nwhat it does.\n"""\n' + LINES),
    "text at the margin": "def f():\n    x = '''\ndef g():\n    pass\n'''\n" + indented(LINES),
    "last line at the margin": "def f():\n" + indented(LINES) + "    return '''\n'''\n",
    "last line before the body": "def f():\n" + indented(LINES) + "    return g(\n  )\nx = 1\n",
    "more bytes than characters": function(body=LINES + "return 'äöü€😀'"),
    "signature of several lines": "def f(\n    a,\n    b=(\n        1,\n    ),\n) -> int:\n" + indented(LINES),
    "tabs": function().replace("    ", "\t"),
    "form feed": "x = 1\n\f\n" + function() + "\f\n" + function("g"),
    "continued line": "def f():\n" + indented(LINES) + "    x = 1 + \\\n2\ny = 1\n",
    "compound at the end": function(body=LINES + "if a:\n    for b in c:\n        pass\n    else:\n        d()"),
    "yields and awaits": function(body=LINES + "yield 1\nx = yield\nawait y\nglobal a"),
    "formatted text": function(body=LINES + "x = f'{a!r:>{b}} {c}' f'''\n{d}\n'''"),
}


@pytest.mark.parametrize("code", SHAPES.values(), ids=SHAPES)
def test_the_whole_is_what_python_parses(code: str) -> None:
    tree = outlined(code)
    assert list(unparsed(tree))
    assert dump(tree) == dump(ast.parse(code))


def test_the_whole_of_real_files_is_what_python_parses() -> None:
    files = sorted(Path(compilelint.__file__).parent.rglob("*.py"))
    differing = []
    for path in files:
        code = path.read_text(encoding="utf-8")
        if dump(outlined(code)) != dump(ast.parse(code)):
            differing.append(path)
    assert (len(files) > 100, differing) == (True, [])


@pytest.mark.parametrize("code", SHAPES.values(), ids=SHAPES)
def test_where_things_end_is_known_without_parsing(code: str) -> None:
    def ends(tree: ast.Module) -> list[tuple[str, int | None, int | None]]:
        found: list[tuple[str, int | None, int | None]] = []
        pending = list(tree.body)
        while pending:
            each = pending.pop()
            if isinstance(each, ast.FunctionDef | ast.ClassDef):
                found.append((each.name, each.end_lineno, each.end_col_offset))
            if isinstance(each, ast.ClassDef):
                pending += each.body
        return found

    tree = outlined(code)
    known = ends(tree)
    assert list(unparsed(tree))
    assert known == ends(ast.parse(code))


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("def f(x): return (\n1,\n2,\n3,\n4,\n5,\n)\n", id="begins beside the signature"),
        pytest.param(function(body=LINES + "def g(): ..."), id="defines a function"),
        pytest.param(function(body=LINES + "if a:\n    class C: ..."), id="defines a class"),
        pytest.param("if a:\n" + indented(function()), id="is there in one case only"),
        pytest.param("async " + function(), id="async"),
    ],
)
def test_some_bodies_are_not_left_out(code: str) -> None:
    assert left_out(code) == []


def test_only_who_asks_for_a_body_has_it_parsed() -> None:
    tree = outlined(function("f") + function("g"))
    first, second = tree.body
    assert isinstance(first, WatchedFunction)
    assert isinstance(second, WatchedFunction)
    assert [argument.arg for argument in second.args.args] == ["self", "x"]
    assert len(first.body) == 5
    assert first.body is first.body
    assert [node.name for node in unparsed(tree)] == ["g"]


def test_comments_before_the_first_statement_belong_to_the_body() -> None:
    code = "def f():  # why\n\n    # first\n    return 1\ndef g(\n    x,\n    # last\n):\n    return 2"
    assert [(body.first, body.last) for body in bodies(code)] == [(2, 4), (9, 9)]


def test_an_attribute_that_no_node_has_is_not_there() -> None:
    code = function()
    (node,) = outlined(code).body
    assert getattr(node, "func", None) is None


@pytest.mark.parametrize("parsed", ["whole", "outline"])
def test_who_looks_into_a_function_is_noted(parsed: str) -> None:
    code = function("f") + "class C:\n" + indented(function("g")) + "def short(): return 1\n"
    noted: list[BodyKey] = []
    if parsed == "whole":
        module = indexed(code)
        watch(module, noted.append)
        tree = module.tree
    else:
        tree = outlined(code, noted.append)
    functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert sorted(noted) == [("m.py", 0), ("m.py", 1)], "ast.walk looks into all"
    noted.clear()
    assert functions["g"].args.args
    assert noted == []
    assert functions["g"].body
    assert says(functions["f"], code.split("\n"), "return")
    assert functions["short"].body
    assert noted == [("m.py", 1), ("m.py", 0)]


def test_whether_a_function_says_a_word() -> None:
    code = function("f", LINES + "word") + function("g")
    first, second = outlined(code).body
    assert isinstance(first, ast.FunctionDef)
    assert isinstance(second, ast.FunctionDef)
    assert says(first, code.split("\n"), "word")
    assert not says(second, code.split("\n"), "word")


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("self.width = x", True),
        ("if x:\n    self.width = x", True),
        ("self.width: int = x", True),
        ("self.width, (height, self.depth) = x", True),
        ("width, height = self.width", False),
        ("width = self.width", False),
        ("self.width += x", True),
        ("self[0] = x", False),
        ("self.register_buffer('width', x)", True),
        ("self.register(x)", False),
    ],
)
def test_whether_attributes_are_assigned_is_known_without_parsing(statement: str, expected: bool) -> None:
    code = function(body=LINES + statement)
    (node,) = outlined(code).body
    assert isinstance(node, WatchedFunction)
    assert stores(node) is expected
    assert not node.is_parsed


def test_of_what_was_parsed_anyway_nothing_is_known_without_looking() -> None:
    (node,) = ast.parse(dedent("def f(): ...")).body
    assert isinstance(node, ast.FunctionDef)
    assert stores(node)
