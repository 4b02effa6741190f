from __future__ import annotations

from pathlib import Path

import pytest

from compilelint.source.library import Library
from tests.source.make import following, installed

FILES = {
    "lib/__init__.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .nets import *\n",
    "lib/nets/__init__.py": "from .a import *\nfrom .b import *\n",
    "lib/nets/a.py": "class A: ...\n",
    "lib/nets/b.py": "class B: ...\n",
    "lib/deep/inner.py": "VALUE = 1\n",
    "single.py": "def f(): ...\n",
}


@pytest.mark.parametrize(
    ("dotted", "file"),
    [
        ("lib", "lib/__init__.py"),
        ("lib.nets", "lib/nets/__init__.py"),
        ("lib.nets.a", "lib/nets/a.py"),
        ("lib.deep.inner", "lib/deep/inner.py"),
        ("single", "single.py"),
        ("lib.deep", None),
        ("lib.nothing", None),
        ("single.more", None),
        ("library", None),
        ("lib..nets", None),
    ],
)
def test_modules_are_found_by_name(tmp_path: Path, dotted: str, file: str | None) -> None:
    library = installed(tmp_path, FILES)
    found = library.find(dotted)
    assert found == (None if file is None else (tmp_path / file).as_posix())
    if found is not None:
        assert library.shown(found) == file
        assert library.dotted(found) == dotted


def test_its_files_are_those_of_all_packages(tmp_path: Path) -> None:
    library = installed(tmp_path, {**FILES, "lib/data.txt": ""})
    assert set(library.files()) == {str(tmp_path / name) for name in FILES}


def test_of_a_package_inside_another_only_its_own_modules_are_found(tmp_path: Path) -> None:
    installed(tmp_path, FILES)
    library = Library({"lib.nets": tmp_path / "lib" / "nets"}, Path.read_text)
    found = library.find("lib.nets.a")
    assert found is not None
    assert library.shown(found) == "lib/nets/a.py"
    assert library.find("lib") is None


def test_a_file_is_read_once_and_only_when_asked_for(tmp_path: Path) -> None:
    installed(tmp_path, FILES)
    asked: list[str] = []

    def read(path: Path) -> str:
        asked.append(path.name)
        return path.read_text()

    library = Library({"lib": tmp_path / "lib"}, read)
    name = library.find("lib.nets.a")
    assert name is not None
    assert asked == []
    assert library.text(name) == library.text(name)
    assert asked == ["a.py"]


def test_what_cannot_be_read_is_no_module(tmp_path: Path) -> None:
    installed(tmp_path, FILES)
    tree = following({"a.py": "import lib"}, Library({"lib": tmp_path / "lib"}, lambda path: None))
    assert tree.import_module("lib", "a.py") is None


def test_a_lazy_package_is_asked_for_the_files_that_define_a_name(tmp_path: Path) -> None:
    lazy = {
        "lib/__init__.py": "def __getattr__(name): return load(name)\n",
        "lib/x/y.py": "class Wanted:\n    pass\n",
        "lib/z.py": "print('class Wanted')\nclass WantedToo: ...\n",
        "eager/__init__.py": "",
        "eager/x.py": "class Wanted: ...\n",
    }
    library = installed(tmp_path, lazy)
    name, eager = library.find("lib"), library.find("eager")
    assert name is not None
    assert eager is not None
    assert [library.shown(found) for found in library.definers(name, "Wanted", library.text)] == ["lib/x/y.py"]
    assert list(library.definers(eager, "Wanted", library.text)) == []


def test_the_project_hides_what_is_installed_but_not_from_it(tmp_path: Path) -> None:
    library = installed(tmp_path, FILES)
    tree = following({"single.py": "", "a.py": ""}, library)
    inside = library.find("lib.nets.a")
    assert inside is not None
    assert tree.find("single", "a.py") == "single.py"
    assert tree.find("single", inside) == (tmp_path / "single.py").as_posix()
    assert tree.find("a", inside) is None


def test_star_imports_lead_past_files_without_the_name(tmp_path: Path) -> None:
    read: list[str] = []
    installed(tmp_path, FILES)
    library = Library({"lib": tmp_path / "lib"}, lambda path: read.append(path.name) or path.read_text())  # type: ignore[func-returns-value]
    tree = following({"a.py": "from lib import B"}, library)
    top = tree.import_module("lib", "a.py")
    assert top is not None
    (nets,) = tree.providers(top, "B")
    assert [module.dotted for module in tree.providers(nets, "B")] == ["lib.nets.b"]
    assert list(tree.providers(nets, "Nothing")) == []


def test_files_of_a_package_are_neither_checked_nor_looked_at_for_roots(tmp_path: Path) -> None:
    tree = following({"a.py": "import torch, lib"}, installed(tmp_path, FILES))
    module = tree.import_module("lib.nets.a", "a.py")
    assert module is not None
    assert tree.is_followed(module.name)
    assert not tree.is_package(module.name)
    assert tree.files_with_roots() == ("a.py",)


def test_a_file_that_only_imports_a_followed_package_may_hold_roots(tmp_path: Path) -> None:
    files = {"a.py": "import lib", "b.py": "import os"}
    assert following(files, installed(tmp_path, FILES)).files_with_roots() == ("a.py",)
    assert following(files, Library()).files_with_roots() == ()
