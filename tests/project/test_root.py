"""Which directory is the project."""

from __future__ import annotations

from pathlib import Path

from compilelint.project.root import ProjectRoot, find_root, meeting_point, run_config


def _touch(file: Path, text: str = "") -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_files_are_named_from_the_repository_whatever_is_configured_in_it(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    _touch(tmp_path / "sub/pyproject.toml", "[tool.compilelint]\n")
    _touch(tmp_path / "sub/pkg/pyproject.toml", "[tool.compilelint]\n")
    for start in ("sub/pkg", "sub"):
        assert find_root(tmp_path / start) == ProjectRoot(tmp_path, tmp_path / "sub", True)
    assert find_root(tmp_path) == ProjectRoot(tmp_path, tmp_path, True)


def test_without_a_repository_the_outermost_configuration_is_the_root(tmp_path: Path) -> None:
    _touch(tmp_path / "pyproject.toml", "[tool.compilelint]\n")
    _touch(tmp_path / "sub/pyproject.toml", "[tool.compilelint]\n")
    assert find_root(tmp_path / "sub") == ProjectRoot(tmp_path, tmp_path, True)


def test_a_run_is_configured_by_the_outermost_of_its_repository(tmp_path: Path) -> None:
    _touch(tmp_path / "pyproject.toml", "[tool.compilelint]\n")
    (tmp_path / "repo/.git").mkdir(parents=True)
    (tmp_path / "repo/sub/deep").mkdir(parents=True)
    assert run_config(tmp_path / "repo/sub") == tmp_path / "pyproject.toml"
    _touch(tmp_path / "repo/sub/deep/pyproject.toml", "[tool.compilelint]\n")
    assert run_config(tmp_path / "repo/sub/deep") == tmp_path / "repo/sub/deep/pyproject.toml"
    _touch(tmp_path / "repo/pyproject.toml", "[tool.compilelint]\n")
    assert run_config(tmp_path / "repo/sub/deep") == tmp_path / "repo/pyproject.toml"


def test_the_repository_comes_before_a_package_in_it(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    _touch(tmp_path / "sub/setup.py")
    assert find_root(tmp_path / "sub") == ProjectRoot(tmp_path, tmp_path, True)


def test_a_worktree_has_a_file_called_git(tmp_path: Path) -> None:
    _touch(tmp_path / ".git", "gitdir: elsewhere\n")
    (tmp_path / "a").mkdir()
    assert find_root(tmp_path / "a") == ProjectRoot(tmp_path, tmp_path, True)


def test_without_a_repository_the_packaged_directory_is_the_project(tmp_path: Path) -> None:
    _touch(tmp_path / "pyproject.toml", "[project]\n")
    _touch(tmp_path / "src/a.py")
    assert find_root(tmp_path / "src") == ProjectRoot(tmp_path, tmp_path, True)


def test_a_bare_package_is_named_from_what_holds_it(tmp_path: Path) -> None:
    _touch(tmp_path / "pkg/__init__.py")
    _touch(tmp_path / "pkg/sub/__init__.py")
    assert find_root(tmp_path / "pkg/sub") == ProjectRoot(tmp_path, tmp_path, False)


def test_paths_meet_in_the_nearest_common_directory(tmp_path: Path) -> None:
    _touch(tmp_path / "a/x.py")
    _touch(tmp_path / "a/b/y.py")
    assert meeting_point([tmp_path / "a/x.py", tmp_path / "a/b/y.py"]) == tmp_path / "a"
    assert meeting_point([tmp_path / "a/b"]) == tmp_path / "a/b"
    assert meeting_point([tmp_path / "a/b/gone.py"]) == tmp_path / "a/b"
    assert meeting_point([]) == Path.cwd()
