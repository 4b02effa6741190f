"""A copy of a real package, and what an editor, git and people do to its files.

The package is torch_geometric, which the tests install, or the one in the directory that the variable
COMPILELINT_EDITS_TREE names. It is read, never imported.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

TREE = "COMPILELINT_EDITS_TREE"
TINY = ("nn/inits.py", "nn/dense", "utils/loop.py", "utils/sparse.py", "utils/num_nodes.py")
"""Some 14 files."""
SMALL = ("typing.py", "utils", "nn/inits.py", "nn/dense", "nn/pool/knn.py")
"""Some 60 files: `__init__.py` of utils names half a hundred functions of others, which call each other."""
LARGE = (*SMALL[:-1], "__init__.py", "index.py", "nn/*.py", "nn/conv", "nn/aggr", "nn/norm", "nn/pool")
"""Some 200 files."""
CONFIGURATIONS = (
    "",
    'select = ["CL1"]',
    'ignore = ["CL101", "CL3"]',
    'min-confidence = "high"',
    'roots = "explicit"',
    'target-torch = "2.7"',
    'exclude = ["**/aggr/*"]',
    '[tool.compilelint.per-file-ignores]\n"**/nn/*" = ["CL2"]',
)
PROGRAM = """\
import torch
from {module} import {name}

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = {name}()

    def forward(self, x):
        return self.inner(x)

net = torch.compile(Net(), fullgraph=True)
for step in range(10):
    loss = net(torch.ones(3)).sum()
    print(loss.item())
"""
_PYPROJECT = "[project]\nname = 'copied'\n[tool.compilelint]\n"


def source() -> Path:
    """The directory of the package."""
    if asked := os.environ.get(TREE):
        return Path(asked)
    found = importlib.util.find_spec("torch_geometric")
    assert found is not None, "the tests are installed with torch_geometric"
    assert found.origin is not None
    return Path(found.origin).parent


def copy_of_package(folder: Path, parts: Iterable[str]) -> Path:
    """A project of these parts of the package (all of it if it is not torch_geometric), and a program."""
    package = source()
    target = folder / "project" / package.name
    target.mkdir(parents=True)
    python = shutil.ignore_patterns("__pycache__", "*.pyc", "*.so", "*.json")
    for part in ("*",) if TREE in os.environ else parts:
        for each in sorted(package.glob(part)):
            copied = target / each.relative_to(package)
            copied.parent.mkdir(parents=True, exist_ok=True)
            if each.is_dir():
                shutil.copytree(each, copied, ignore=python)
            elif each.suffix == ".py":
                shutil.copyfile(each, copied)
    configure(folder / "project", "")
    (folder / "project" / "train.py").write_text(program(package.name, "Net"))
    return folder / "project"


def program(module: str, name: str) -> str:
    """A script that compiles something of a module."""
    return PROGRAM.format(module=module, name=name)


def configure(folder: Path, table: str) -> None:
    """Another configuration for a folder of the project."""
    (folder / "pyproject.toml").write_text(_PYPROJECT + table + "\n")


def python_files(project: Path) -> list[Path]:
    """Its files, those whose modules are named most often first: what changes there matters most."""
    files = {path: path.read_bytes() for path in sorted(project.rglob("*.py"))}
    return sorted(files, key=lambda path: -_times_named(path, files.values()))


def _times_named(path: Path, texts: Iterable[bytes]) -> int:
    name = (path.parent.name if path.name == "__init__.py" else path.stem).encode()
    return sum(name in text for text in texts)


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="surrogateescape")


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="surrogateescape")


def write_unnoticed(path: Path, text: str) -> None:
    """Another text with the times of the old one, and, if it is not longer, its size."""
    before = path.stat()
    write(path, text)
    missing = before.st_size - path.stat().st_size
    if missing > 0:
        write(path, text + "#".rjust(missing, "\n"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def restore(project: Path, originals: Mapping[Path, str]) -> None:
    """All files are as they were, and no others are there; those that are the same are not touched."""
    for path in project.rglob("*"):
        if path.is_file() and path not in originals:
            path.unlink()
    for path, text in originals.items():
        if not path.is_file() or read(path) != text:
            write(path, text)
    configure(project, "")


def swap(one: Path, other: Path) -> None:
    """Two files change places, with their times."""
    between = one.with_name(f"{one.name}.between")
    one.rename(between)
    other.rename(one)
    between.rename(other)


def notebook(module: str, name: str) -> str:
    """A notebook of a program."""
    cells = (f"import torch\nfrom {module} import {name}\n", f"%time f = torch.compile({name}())\n", "f(torch.ones(2))")
    told = [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": c} for c in cells]
    return json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": told})
