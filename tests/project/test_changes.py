"""What changed since a revision, asked of a real git."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from compilelint.project.changes import ChangesError, changed_lines, changes_since


@pytest.fixture(autouse=True)
def _git_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    settings = {"user.name": "n", "user.email": "e", "init.defaultBranch": "main", "protocol.file.allow": "always"}
    # What a user may have configured must not change what is read.
    settings |= {"diff.noprefix": "true", "color.ui": "always", "diff.interHunkContext": "9", "diff.renames": "false"}
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_COUNT", str(len(settings)))
    for index, (key, value) in enumerate(settings.items()):
        monkeypatch.setenv(f"GIT_CONFIG_KEY_{index}", key)
        monkeypatch.setenv(f"GIT_CONFIG_VALUE_{index}", value)


def _git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def _lines(*changed: int) -> str:
    """Twenty lines, some of them changed."""
    return "".join(f"{'changed' if number in changed else 'line'} {number}\n" for number in range(1, 21))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a.py").write_text(_lines())
    (folder / "b.py").write_text(_lines())
    _git(folder, "init")
    _git(folder, "add", ".")
    _git(folder, "commit", "-m", "first")
    return folder


def test_committed_staged_and_unsaved_changes_count_alike(repository: Path) -> None:
    _git(repository, "checkout", "-b", "topic")
    file = repository / "src" / "a.py"
    file.write_text(_lines(3))
    _git(repository, "commit", "-am", "second")
    file.write_text(_lines(3, 5))
    _git(repository, "add", ".")
    file.write_text(_lines(3, 5, 9))
    changes = changes_since("main", repository / "src")
    assert changes.lines == {"src/a.py": {3, 5, 9}}
    assert changes.touch(file, 8, 9)
    assert not changes.touch(file, 6, 8)
    assert not changes.touch_file(repository / "b.py")


def test_what_others_did_to_the_base_does_not_count(repository: Path) -> None:
    _git(repository, "checkout", "-b", "topic")
    (repository / "b.py").write_text(_lines(7))
    _git(repository, "commit", "-am", "mine")
    _git(repository, "checkout", "main")
    (repository / "b.py").write_text(_lines(2))
    _git(repository, "commit", "-am", "theirs")
    _git(repository, "checkout", "topic")
    assert changes_since("main", repository).lines == {"b.py": {7}}


def test_a_file_that_git_does_not_know_is_new(repository: Path) -> None:
    new = repository / "src" / "new.py"
    new.write_text("x\n")
    assert changes_since("HEAD", repository).touch(new, 1, 1)
    _git(repository, "add", ".")
    assert changes_since("HEAD", repository).lines == {"src/new.py": {1}}


def test_a_file_that_was_renamed_keeps_its_lines(repository: Path) -> None:
    _git(repository, "mv", "src/a.py", "src/renamed.py")
    (repository / "src" / "renamed.py").write_text(_lines(4))
    assert changes_since("HEAD", repository).lines == {"src/renamed.py": {4}}


@pytest.mark.parametrize("name", ["with space.py", "é.py", 'quote".py', "tab\t.py", "back\\slash.py"])
def test_unusual_names_are_understood(repository: Path, name: str) -> None:
    (repository / name).write_text(_lines())
    _git(repository, "add", ".")
    _git(repository, "commit", "-m", "named")
    (repository / name).write_text(_lines(2))
    changes = changes_since("HEAD", repository)
    assert changes.touch(repository / name, 2, 2)
    assert not changes.touch(repository / name, 1, 1)


def test_a_submodule_is_looked_into(repository: Path, tmp_path: Path) -> None:
    top = tmp_path / "top"
    top.mkdir()
    _git(top, "init")
    _git(top, "submodule", "add", str(repository), "third")
    _git(top, "commit", "-m", "added")
    (top / "third" / "b.py").write_text(_lines(2))
    _git(top / "third", "commit", "-am", "inside")
    (top / "third" / "b.py").write_text(_lines(2, 6))
    changes = changes_since("HEAD", top)
    assert changes.lines == {"third/b.py": {2, 6}}
    assert not changes.touch_file(top / "third" / "src" / "a.py")


def test_a_submodule_without_its_commits_is_told(repository: Path, tmp_path: Path) -> None:
    top = tmp_path / "top"
    top.mkdir()
    _git(top, "init")
    _git(top, "submodule", "add", str(repository), "third")
    _git(top, "commit", "-m", "added")
    _git(top, "update-index", "--cacheinfo", f"160000,{'1' * 40},third")
    _git(top, "commit", "-m", "of somebody who did not push")
    with pytest.raises(ChangesError, match="the submodule third lacks its commits"):
        changes_since("HEAD", top)


def test_hooks_of_git_may_ask(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", ".git")
    (repository / "src" / "a.py").write_text(_lines(3))
    assert changes_since("HEAD", repository / "src").lines == {"src/a.py": {3}}


def test_a_file_elsewhere_is_an_error(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(ChangesError, match=r"other\.py is not in the repository"):
        changes_since("HEAD", repository).touch(tmp_path / "other.py", 1, 1)


def test_a_link_is_what_it_leads_to(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repository)
    (repository / "b.py").write_text(_lines(3))
    changes = changes_since("HEAD", tmp_path / "link")
    assert changes.touch(tmp_path / "link" / "b.py", 3, 3)
    assert not changes.touch(tmp_path / "link" / "b.py", 4, 4)


@pytest.mark.parametrize(
    ("revision", "message"), [("nope", "'nope' is no commit"), ("--all", "'--all' is no revision")]
)
def test_what_is_no_revision_is_told(repository: Path, revision: str, message: str) -> None:
    with pytest.raises(ChangesError, match=message):
        changes_since(revision, repository)


def test_histories_that_have_nothing_in_common_are_told(repository: Path) -> None:
    _git(repository, "checkout", "--orphan", "other")
    _git(repository, "commit", "-m", "unrelated")
    with pytest.raises(ChangesError, match="no commit in common"):
        changes_since("main", repository)


def test_in_a_shallow_clone_it_is_said_what_to_do(repository: Path, tmp_path: Path) -> None:
    _git(repository, "commit", "--allow-empty", "-m", "one more")
    clone = tmp_path / "clone"
    _git(repository, "clone", "--depth", "1", repository.as_uri(), str(clone))
    with pytest.raises(ChangesError, match=r"is no commit in .*; this is a shallow clone: fetch more"):
        changes_since("HEAD~1", clone)


def test_a_directory_without_a_repository_is_told(tmp_path: Path) -> None:
    with pytest.raises(ChangesError, match="is in no git repository"):
        changes_since("HEAD", tmp_path)


def test_without_git_that_is_told(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ChangesError, match="there is no git"):
        changes_since("HEAD", repository)


def test_lines_that_look_like_a_diff_are_text() -> None:
    diff = b"""\
--- a/x.py
+++ b/x.py
@@ -3,2 +3,3 @@ def f():
---- a/y.py
-@@ -1 +1 @@
+++ b/y.py
+@@ -1 +1 @@
+Submodule
\\ No newline at end of file
--- a/z.py
+++ /dev/null
@@ -1 +0,0 @@
-gone
"""
    assert list(changed_lines(diff)) == [("x.py", 3), ("x.py", 4), ("x.py", 5)]
