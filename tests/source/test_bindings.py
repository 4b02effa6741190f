"""Whether a text may bind a name."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from compilelint.source.bindings import may_bind
from compilelint.source.index import index_module
from compilelint.source.text import SourceText


@pytest.mark.parametrize(
    "text",
    [
        "x = 1",
        "x = y = 1",
        "y = x = 1",
        "(y, x) = z",
        "y, x = z",
        "[x, y] = z",
        "x: int",
        "x : int = 3",
        "a = 1;x = 2",
        "if a: x = 2",
        "try: import x\nexcept ImportError: x = None",
        "import x",
        "import x.y",
        "import a, x.y",
        "import a \\\n, x",
        "from a import x  # why",
        "from a import (\n    b,\n    x,\n)",
        "from a import b,\\\n                x",
        "from a import b as x",
        "def x(): pass",
        "async def  x(): pass",
        "def \\\n x(): pass",
        "class x: pass",
        "class x[T](y): pass",
    ],
)
def test_bound(text: str) -> None:
    assert may_bind(text, "x")


@pytest.mark.parametrize(
    "text",
    [
        "y = 1",
        "x()",
        "y = x()",
        "y.x = 1",
        "xx = 1",
        "ax = 1",
        "x.y()",
        "y = x + 1",
        "x[0]",
        "import axis",
        "# an x of it",
    ],
)
def test_not_bound(text: str) -> None:
    assert not may_bind(text, "x")


def test_of_what_torch_binds_nothing_is_missed() -> None:
    files = sorted((Path(torch.__file__).parent / "nn").rglob("*.py"))[:60]
    seen = 0
    for path in files:
        text = path.read_text(encoding="utf-8")
        for name in index_module(SourceText(path.name, path, text), "m", is_package=False).bindings:
            assert may_bind(text, name), f"{path}: {name}"
            seen += 1
    assert seen > 300
