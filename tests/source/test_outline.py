"""What is left out of an outline comes back when somebody looks, at the places where it was."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

import compilelint
from compilelint.source.index import index_module
from compilelint.source.outline import bodies_of
from compilelint.source.text import SourceText
from compilelint.source.unparsed import Body, Unparsed, outlined, stores

LINES = "a = 1\nb = 2\nc = 3\nd = 4\nreturn a\n"


def bodies(code: str) -> tuple[Body, ...]:
    """What the outline of this code leaves out."""
    return bodies_of(index_module(SourceText("m.py", Path("m.py"), code), "m", is_package=False))


def unparsed(tree: ast.AST) -> Iterator[Unparsed]:
    """The functions in a tree that are not parsed yet; none is parsed for it."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, Unparsed):
            yield node
        else:
            pending += ast.iter_child_nodes(node)


def left_out(code: str) -> list[str]:
    """The names of the functions that the outline does not parse, sorted."""
    return sorted(node.name for node in unparsed(outlined(code, bodies(code))))


def function(name: str = "f", body: str = LINES, before: str = "") -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"{before}def {name}(self, x):\n{lines}"


def indented(code: str) -> str:
    return "".join(f"    {line}\n" if line else "\n" for line in code.splitlines())


def dump(tree: ast.AST) -> str:
    return ast.dump(tree, include_attributes=True)


SHAPES = {
    "function": function(),
    "method": "class C(Base):\n    x = 1\n\n" + indented(function()),
    "last of nested classes": "class C:\n    class D:\n" + indented(indented(function())) + "y = 1\n",
    "decorated": function(before="@one\n@two(3)\n"),
    "what follows": function() + "y = 1; z = 2\n" + function("g"),
    "no line at the end": function().rstrip("\n"),
    "semicolon at the end": function(body=LINES + "e = 5;"),
    "comments between": "def f():  # first\n    # second\n\n" + indented(LINES) + "    # after\n# before\nx = 1\n",
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
    tree = outlined(code, bodies(code))
    assert list(unparsed(tree))
    assert dump(tree) == dump(ast.parse(code))


def test_the_whole_of_real_files_is_what_python_parses() -> None:
    files = sorted(Path(compilelint.__file__).parent.rglob("*.py"))
    differing = []
    for path in files:
        code = path.read_text(encoding="utf-8")
        if dump(outlined(code, bodies(code))) != dump(ast.parse(code)):
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

    tree = outlined(code, bodies(code))
    known = ends(tree)
    assert list(unparsed(tree))
    assert known == ends(ast.parse(code))


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(function(body="return x"), id="not worth it"),
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
    code = function("f") + function("g")
    tree = outlined(code, bodies(code))
    first, second = tree.body
    assert isinstance(first, ast.FunctionDef)
    assert isinstance(second, Unparsed)
    assert [argument.arg for argument in second.args.args] == ["self", "x"]
    assert len(first.body) == 5
    assert type(first) is ast.FunctionDef
    assert [node.name for node in unparsed(tree)] == ["g"]


def test_an_attribute_that_no_node_has_is_not_there() -> None:
    code = function()
    (node,) = outlined(code, bodies(code)).body
    assert getattr(node, "func", None) is None


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("self.width = x", True),
        ("if x:\n    self.width = x", True),
        ("self.width: int = x", True),
        ("width = self.width", False),
        ("self.width += x", False),
        ("self[0] = x", False),
    ],
)
def test_whether_attributes_are_assigned_is_known_without_parsing(statement: str, expected: bool) -> None:
    code = function(body=LINES + statement)
    (node,) = outlined(code, bodies(code)).body
    assert isinstance(node, Unparsed)
    assert stores(node) is expected
    assert isinstance(node, Unparsed)


def test_of_what_was_parsed_anyway_nothing_is_known_without_looking() -> None:
    (node,) = ast.parse(dedent("def f(): ...")).body
    assert isinstance(node, ast.FunctionDef)
    assert stores(node)
