from __future__ import annotations

from pathlib import Path

import pytest

from compilelint.project.owned import owner_test


@pytest.fixture
def root(tmp_path: Path) -> Path:
    project = tmp_path / "project"
    for name in ("train.py", ".venv/lib/a.py", "lib/site-packages/b.py", "sub/c.py"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).touch()
    return project


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("train.py", True),
        ("sub/c.py", True),
        (".venv/lib/a.py", False),
        ("lib/site-packages/b.py", False),
        ("../elsewhere.py", False),
    ],
)
def test_the_project_is_owned_but_not_its_environments(root: Path, name: str, own: bool) -> None:
    assert owner_test(root, (), root)(str((root / name).resolve())) is own


@pytest.mark.parametrize("path", ["<stdin>", "<string>", "<frozen importlib>", "train.py"])
def test_what_is_no_file_belongs_to_nobody(root: Path, path: str) -> None:
    assert not owner_test(root, (), root)(path)


def test_a_package_is_owned_wherever_it_is_installed(root: Path) -> None:
    owned = owner_test(root, ("mylib.nn",), root)
    assert owned("/env/lib/python3.11/site-packages/mylib/nn/layers.py")
    assert owned("/env/lib/python3.11/site-packages/mylib/nn.py")
    assert not owned("/env/lib/python3.11/site-packages/mylib/data.py")
    assert not owned("/env/lib/python3.11/site-packages/nn/layers.py")


def test_a_path_is_owned_with_all_below_it(root: Path, tmp_path: Path) -> None:
    owned = owner_test(root, ("../shared",), root)
    assert owned(str(tmp_path / "shared" / "deep" / "x.py"))
    assert not owned(str(tmp_path / "shared2" / "x.py"))


def test_a_project_behind_a_link_is_owned_by_both_names(root: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(root)
    assert owner_test(link, (), link)(str(root / "train.py"))
    assert owner_test(root, (), root)(str(link / "train.py"))
