"""Which directory is the project."""

from __future__ import annotations

from pathlib import Path

from compilelint.project.root import ProjectRoot, find_root, meeting_point


def _touch(file: Path, text: str = "") -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_a_directory_that_configures_us_comes_before_the_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    _touch(tmp_path / "sub/pyproject.toml", "[tool.compilelint]\n")
    _touch(tmp_path / "sub/src/a.py")
    assert find_root(tmp_path / "sub/src") == ProjectRoot(tmp_path / "sub", True)


def test_the_repository_comes_before_a_package_in_it(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    _touch(tmp_path / "sub/setup.py")
    assert find_root(tmp_path / "sub") == ProjectRoot(tmp_path, True)


def test_a_worktree_has_a_file_called_git(tmp_path: Path) -> None:
    _touch(tmp_path / ".git", "gitdir: elsewhere\n")
    (tmp_path / "a").mkdir()
    assert find_root(tmp_path / "a") == ProjectRoot(tmp_path, True)


def test_without_a_repository_the_packaged_directory_is_the_project(tmp_path: Path) -> None:
    _touch(tmp_path / "pyproject.toml", "[project]\n")
    _touch(tmp_path / "src/a.py")
    assert find_root(tmp_path / "src") == ProjectRoot(tmp_path, True)


def test_a_bare_package_is_named_from_what_holds_it(tmp_path: Path) -> None:
    _touch(tmp_path / "pkg/__init__.py")
    _touch(tmp_path / "pkg/sub/__init__.py")
    assert find_root(tmp_path / "pkg/sub") == ProjectRoot(tmp_path, False)


def test_paths_meet_in_the_nearest_common_directory(tmp_path: Path) -> None:
    _touch(tmp_path / "a/x.py")
    _touch(tmp_path / "a/b/y.py")
    assert meeting_point([tmp_path / "a/x.py", tmp_path / "a/b/y.py"]) == tmp_path / "a"
    assert meeting_point([tmp_path / "a/b"]) == tmp_path / "a/b"
    assert meeting_point([tmp_path / "a/b/gone.py"]) == tmp_path / "a/b"
    assert meeting_point([]) == Path.cwd()
