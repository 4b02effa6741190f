"""The trees that are checked: copies of packages, in projects of their own, and what is changed in them."""

from __future__ import annotations

import ast
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def project(package: Path, folder: Path) -> Path:
    """A new project that holds a copy of the package; returns its folder."""
    shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "pyproject.toml").write_text("[tool.compilelint]\n", encoding="utf-8")
    return folder


def doubled(package: Path, folder: Path) -> tuple[Path, tuple[str, str]]:
    """A project that holds a package and, under another name, a copy of it that imports nothing of the first.

    Returns its folder and both names.
    """
    name, other = package.name, f"{package.name}_again"
    made = project(package, folder)
    shutil.copytree(made / name, made / other)
    for path in (made / other).rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        path.write_text(with_other_imports(text, name, other), encoding="utf-8")
    return made, (name, other)


def with_other_imports(text: str, name: str, other: str) -> str:
    """A program that imports from package `other` where this one imports from package `name`."""
    return re.sub(rf"^(\s*(?:from|import)\s+){re.escape(name)}\b", rf"\g<1>{other}", text, flags=re.MULTILINE)


def size(folder: Path) -> tuple[int, int]:
    """How many Python files there are below, and how many lines in them."""
    files = list(folder.rglob("*.py"))
    return len(files), sum(path.read_bytes().count(b"\n") for path in files)


@contextmanager
def one_function_changed(folder: Path, function: str, statement: str) -> Iterator[Path]:
    """The file of `FILE::NAME`, while that function begins with a statement that it did not have before."""
    file, _, name = function.partition("::")
    path = folder / file
    before, times = path.read_bytes(), path.stat()
    path.write_text(with_statement(before.decode("utf-8"), name, statement), encoding="utf-8")
    try:
        yield path
    finally:
        path.write_bytes(before)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def with_statement(text: str, name: str, statement: str) -> str:
    """A program whose function `name` (`Class.method`) begins with this statement, after its docstring.

    Raises LookupError if there is no such function.
    """
    node: ast.AST = ast.parse(text)
    for part in name.split("."):
        node = _defined(node, part)
    if not isinstance(node, ast.FunctionDef):
        raise LookupError(f"{name} is no function")
    documented = len(node.body) > 1 and ast.get_docstring(node) is not None
    first = node.body[1 if documented else 0]
    lines = text.splitlines(keepends=True)
    lines.insert(first.lineno - 1, " " * first.col_offset + statement + "\n")
    return "".join(lines)


def _defined(scope: ast.AST, name: str) -> ast.AST:
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name:
            return node
    raise LookupError(f"nothing is called {name}")
