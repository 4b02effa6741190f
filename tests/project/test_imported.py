"""What a program imports of the files around it."""

from __future__ import annotations

from pathlib import Path

import pytest

from compilelint.project.imported import imported_by

FILES = {
    "train.py": "import os\nimport torch\nimport nets.build as build, loss\nfrom data import (\n    load,\n)\n",
    "loss.py": "x = 1\n",
    "data/load.py": "",
    "nets/__init__.py": "",
    "nets/build.py": "from . import layers\nfrom .parts.block import Block\nfrom nets.heads import Head  # a head\n",
    "nets/layers.py": "from ..loss import x\nimport train\n",
    "nets/heads.py": "def f():\n    from nets import late\n",
    "nets/late.py": "",
    "nets/unused.py": "",
    "nets/parts/__init__.py": "",
    "nets/parts/block.py": "from torch import nn\n",
    "torch.txt": "",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path


def names(root: Path, *files: str) -> list[str]:
    found = imported_by([root / each for each in files], root)
    return sorted(each.relative_to(root).as_posix() for each in found)


def test_what_is_imported_is_found_and_what_that_imports(root: Path) -> None:
    assert names(root, "train.py") == [
        "data/load.py",
        "loss.py",
        "nets/__init__.py",
        "nets/build.py",
        "nets/heads.py",
        "nets/late.py",
        "nets/layers.py",
        "nets/parts/__init__.py",
        "nets/parts/block.py",
    ]


def test_what_is_given_is_not_told_again(root: Path) -> None:
    assert "nets/build.py" not in names(root, "train.py", "nets/build.py")


def test_outside_of_the_directory_nothing_is_looked_for(root: Path) -> None:
    found = imported_by([root / "nets" / "parts" / "block.py", root / "nets" / "heads.py"], root / "nets")
    assert found == frozenset()


def test_a_file_that_is_gone_imports_nothing(root: Path) -> None:
    assert names(root, "gone.py") == []
