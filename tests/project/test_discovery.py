"""Which files are checked, which are context, and what is left out and why."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from compilelint.project.config import Config
from compilelint.project.configs import Configs
from compilelint.project.discovery import discover, discover_stdin
from compilelint.project.files import SourceFile


def _tree(root: Path, *names: str) -> Path:
    for name in names:
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    return root


def _names(files: Iterable[SourceFile]) -> list[str]:
    return [file.name for file in files]


def _checked(root: Path, config: Config | None = None) -> list[str]:
    return _names(discover([root], Configs(config or Config())).checked)


def _repository(root: Path, ignore: str, *names: str) -> Path:
    (root / ".git").mkdir(parents=True)
    (root / ".gitignore").write_text(ignore)
    return _tree(root, *names)


def test_takes_python_files_below_a_directory_sorted(tmp_path: Path) -> None:
    _tree(tmp_path, "b.py", "a/x.py", "a/x.pyi", "a/readme.md", "a/.hidden/y.py", "a/x.pyc")
    assert _checked(tmp_path) == ["a/.hidden/y.py", "a/x.py", "b.py"]


def test_takes_any_file_that_is_named(tmp_path: Path) -> None:
    _tree(tmp_path, "train", "build/gen.py")
    selection = discover([tmp_path / "train", tmp_path / "build/gen.py"], Configs(Config()))
    assert _names(selection.checked) == ["build/gen.py", "train"]


def test_leaves_out_what_is_excluded_by_default(tmp_path: Path) -> None:
    _tree(tmp_path, "a.py", ".venv/lib/b.py", "node_modules/c.py", "pkg/build/d.py", ".git/hooks/e.py")
    assert _checked(tmp_path) == ["a.py"]


def test_leaves_out_environments_of_any_name(tmp_path: Path) -> None:
    _tree(tmp_path, "a.py", "myenv/pyvenv.cfg", "myenv/lib/b.py", "conda/conda-meta/h", "conda/lib/c.py")
    assert _checked(tmp_path) == ["a.py"]


def test_checks_an_excluded_directory_that_is_named(tmp_path: Path) -> None:
    _tree(tmp_path, "setup.py", "build/pkg/a.py", "build/build/b.py")
    selection = discover([tmp_path / "build"], Configs(Config()))
    assert _names(selection.checked) == ["build/pkg/a.py"]


def test_exclude_patterns_are_relative_to_the_project(tmp_path: Path) -> None:
    _tree(tmp_path, "pyproject.toml", "src/gen/a.py", "gen/b.py")
    config = Config(extend_exclude=("src/gen",))
    assert _checked(tmp_path / "src", config) == []
    assert _checked(tmp_path, config) == ["gen/b.py"]


def test_force_exclude_leaves_out_named_files(tmp_path: Path) -> None:
    _tree(tmp_path, "setup.py", "build/deep/gen.py", "a.py")
    config = Config(force_exclude=True)
    selection = discover([tmp_path / "build/deep/gen.py", tmp_path / "a.py"], Configs(config))
    assert _names(selection.checked) == ["a.py"]


def test_leaves_out_what_git_ignores(tmp_path: Path) -> None:
    _repository(tmp_path, "*.gen.py\n/out/\n!keep.gen.py\n", "a.py", "a.gen.py", "sub/out/c.py", "out/b.py")
    _tree(tmp_path, "sub/keep.gen.py")
    assert _checked(tmp_path) == ["a.py", "sub/keep.gen.py", "sub/out/c.py"]


def test_the_inner_gitignore_has_the_last_word(tmp_path: Path) -> None:
    _repository(tmp_path, "*.gen.py\n", "sub/a.gen.py", "sub/b.py")
    (tmp_path / "sub/.gitignore").write_text("!a.gen.py\nb.py\n")
    assert _checked(tmp_path) == ["sub/a.gen.py"]
    assert _checked(tmp_path / "sub") == ["sub/a.gen.py"]


def test_a_broken_line_of_gitignore_is_passed_over(tmp_path: Path) -> None:
    _repository(tmp_path, "!\n/\nb.py\n", "a.py", "b.py")
    assert _checked(tmp_path) == ["a.py"]


def test_info_exclude_counts_too(tmp_path: Path) -> None:
    _repository(tmp_path, "", "a.py", "b.py")
    _tree(tmp_path, ".git/info/exclude")
    (tmp_path / ".git/info/exclude").write_text("b.py\n")
    assert _checked(tmp_path) == ["a.py"]


def test_gitignore_means_nothing_outside_a_repository(tmp_path: Path) -> None:
    _tree(tmp_path, "a.py")
    (tmp_path / ".gitignore").write_text("*.py\n")
    assert _checked(tmp_path) == ["a.py"]


def test_gitignore_can_be_set_aside(tmp_path: Path) -> None:
    _repository(tmp_path, "a.py\n", "a.py")
    assert _checked(tmp_path, Config(respect_gitignore=False)) == ["a.py"]


def test_an_ignored_directory_or_file_that_is_named_is_checked(tmp_path: Path) -> None:
    _repository(tmp_path, "gen/\n", "gen/a.py", "gen/sub/b.py")
    assert _checked(tmp_path / "gen") == ["gen/a.py", "gen/sub/b.py"]
    assert _checked(tmp_path / "gen/a.py") == ["gen/a.py"]


def test_link_loops_end_and_no_file_comes_twice(tmp_path: Path) -> None:
    _tree(tmp_path, "pkg/a.py")
    (tmp_path / "pkg/loop").symlink_to(tmp_path)
    (tmp_path / "0link.py").symlink_to(tmp_path / "pkg/a.py")
    (tmp_path / "self.py").symlink_to(tmp_path / "self.py")
    (tmp_path / "dangling.py").symlink_to(tmp_path / "gone")
    selection = discover([tmp_path, tmp_path / "pkg", tmp_path / "pkg/a.py"], Configs(Config()))
    assert _names(selection.checked) == ["pkg/a.py"]
    assert selection.problems == ()


def test_a_pipe_below_a_directory_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    assert _checked(tmp_path) == []


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: None, "no such file"),
        (lambda path: path.symlink_to(path), "too many levels of symbolic links"),
    ],
)
def test_a_named_path_that_cannot_be_checked_is_told_and_the_others_go_on(
    tmp_path: Path, make: object, message: str
) -> None:
    _tree(tmp_path, "a.py")
    assert callable(make)
    make(tmp_path / "bad.py")
    selection = discover([tmp_path / "bad.py", tmp_path / "a.py"], Configs(Config()))
    assert _names(selection.checked) == ["a.py"]
    assert [(each.path, each.message) for each in selection.problems] == [("bad.py", message)]
    assert "bad.py" in selection.named


def test_notebooks_are_found_as_python_files_are(tmp_path: Path) -> None:
    _tree(tmp_path, "a.py", "n.ipynb", "nb/.ipynb_checkpoints/n.ipynb", "ignored.ipynb", "nb/m.ipynb")
    _tree(tmp_path, ".virtual_documents/n.ipynb")  # of jupyter-lsp: the cells joined, no JSON
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("ignored.ipynb\n")
    assert _checked(tmp_path) == ["a.py", "n.ipynb", "nb/m.ipynb"]


def test_a_directory_without_permission_is_told_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _tree(tmp_path, "a.py", "secret/b.py", "z/c.py")
    scan = os.scandir

    def guarded(path: str) -> object:
        if Path(path).name == "secret":
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", guarded)
    selection = discover([tmp_path], Configs(Config()))
    assert _names(selection.checked) == ["a.py", "z/c.py"]
    assert [(each.path, each.message) for each in selection.problems] == [("secret", "permission denied")]
    assert "secret" not in selection.named


def test_the_rest_of_the_project_is_context(tmp_path: Path) -> None:
    _repository(tmp_path, "ignored.py\n", "src/a.py", "src/b.py", "train.py", "ignored.py", ".venv/x.py")
    selection = discover([tmp_path / "src/a.py"], Configs(Config()))
    assert selection.root == tmp_path
    assert _names(selection.checked) == ["src/a.py"]
    assert _names(selection.context) == ["src/b.py", "train.py"]


def test_where_nothing_says_project_only_what_a_file_imports_is_context(tmp_path: Path) -> None:
    _tree(tmp_path, "net.py", "layers.py", "other.py")
    (tmp_path / "train.py").write_text("from net import Net\n")
    (tmp_path / "net.py").write_text("import layers\n")
    selection = discover([tmp_path / "train.py"], Configs(Config()))
    assert selection.root == tmp_path
    assert _names(selection.checked) == ["train.py"]
    assert _names(selection.context) == ["layers.py", "net.py"]


def test_a_directory_has_no_context_where_nothing_says_project(tmp_path: Path) -> None:
    _tree(tmp_path, "a/x.py", "b.py")
    selection = discover([tmp_path / "a"], Configs(Config()))
    assert (_names(selection.checked), selection.context) == (["x.py"], ())


def test_the_whole_package_of_a_named_path_is_context(tmp_path: Path) -> None:
    _tree(tmp_path, "pkg/__init__.py", "pkg/base.py", "pkg/models/__init__.py", "pkg/models/a.py", "other/__init__.py")
    for named in ("pkg/models/a.py", "pkg/models"):
        selection = discover([tmp_path / named], Configs(Config()))
        assert selection.root == tmp_path
        assert "pkg/models/a.py" in _names(selection.checked)
        assert {"pkg/__init__.py", "pkg/base.py"} <= set(_names(selection.context))
        assert "other/__init__.py" not in _names(selection.context)


def test_the_whole_package_is_context_where_it_lies_in_an_excluded_directory(tmp_path: Path) -> None:
    installed = ".venv/lib/python3.11/site-packages"
    root = _repository(tmp_path, "", "train.py", f"{installed}/pkg/__init__.py", f"{installed}/pkg/a.py")
    selection = discover([root / installed / "pkg/a.py"], Configs(Config()))
    assert _names(selection.checked) == [f"{installed}/pkg/a.py"]
    assert _names(selection.context) == [f"{installed}/pkg/__init__.py", "train.py"]


def test_stdin_has_the_name_that_it_is_given_and_the_project_as_context(tmp_path: Path) -> None:
    _repository(tmp_path, "", "src/a.py", "src/b.py")
    selection = discover_stdin(tmp_path / "src/a.py", Configs(Config()))
    assert _names(selection.checked) == ["src/a.py"]
    assert _names(selection.context) == ["src/b.py"]


def test_stdin_without_a_name_stands_alone() -> None:
    selection = discover_stdin(None, Configs(Config()))
    assert (_names(selection.checked), selection.context) == (["-"], ())


def test_stdin_of_an_excluded_file_is_not_checked_when_exclusion_is_forced(tmp_path: Path) -> None:
    _repository(tmp_path, "", "build/a.py")
    assert discover_stdin(tmp_path / "build/a.py", Configs(Config(force_exclude=True))).checked == ()
    assert _names(discover_stdin(tmp_path / "build/a.py", Configs(Config())).checked) == ["build/a.py"]
