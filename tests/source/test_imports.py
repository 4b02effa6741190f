"""Which files import which, and where compilation may start."""

from __future__ import annotations

import pytest

from tests.source.make import tree

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
    assert files.graph.loaded_with("settings.py") == {"settings.py", "train.py", "net.py", "layers.py"}
    assert files.graph.loaded_with("tests/test_net.py") == {"tests/test_net.py", "net.py", "layers.py"}
    assert files.graph.loaded_with("tests/test_other.py") == {"tests/test_other.py"}
