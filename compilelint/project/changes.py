"""Which lines changed since a git revision."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_LOST_SUBMODULE = re.compile(rb"^Submodule (.+) [0-9a-f.]+ \(commits not present\)", re.MULTILINE)
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_ESCAPED = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}
_OF_ONE_REPOSITORY = ("GIT_DIR", "GIT_WORK_TREE", "GIT_PREFIX")
"""What git tells its hooks; relative to where they are started."""


class ChangesError(Exception):
    """git cannot tell what changed; the message is one line."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed in the files of a repository, commits or not; a file that git does not know is new."""

    top: Path
    lines: Mapping[str, frozenset[int]]
    """By path from `top`, the lines as they are numbered now."""
    tracked: frozenset[str]

    def touch(self, file: Path, first: int, last: int) -> bool:
        """Whether any of these lines of a file changed. Raises ChangesError if it lies outside."""
        name = self._name(file)
        if name not in self.tracked:
            return True
        changed = self.lines.get(name, frozenset())
        return any(line in changed for line in range(first, last + 1))

    def touch_file(self, file: Path) -> bool:
        """Whether anything in a file changed. Raises ChangesError if it lies outside."""
        name = self._name(file)
        return name not in self.tracked or name in self.lines

    def _name(self, file: Path) -> str:
        real = Path(os.path.realpath(file))
        if not real.is_relative_to(self.top):
            raise ChangesError(f"{file} is not in the repository {self.top}")
        return real.relative_to(self.top).as_posix()


def changes_since(revision: str, directory: Path) -> Changes:
    """What changed since the current branch left a revision, in the repository that a directory lies in.

    Changes count whether they are committed or not; files that were renamed keep their lines, and submodules are
    looked into. Raises ChangesError.
    """
    top = Path(os.path.realpath(os.fsdecode(_git(directory, "rev-parse", "--show-toplevel").rstrip(b"\n"))))
    base = _branching_point(revision, top)
    # Whatever the user has configured for people to read is switched off.
    diff = _git(
        top,
        *("diff", "--no-color", "--no-ext-diff", "--no-textconv", "--text", "--find-renames", "--unified=0"),
        *("--inter-hunk-context=0", "--src-prefix=a/", "--dst-prefix=b/", "--submodule=diff", base, "--"),
    )
    if lost := _LOST_SUBMODULE.search(diff):
        raise ChangesError(f"the submodule {os.fsdecode(lost[1])} lacks its commits of then or now: fetch them")
    tracked = _git(top, "ls-files", "-z", "--recurse-submodules").split(b"\0")
    lines: dict[str, set[int]] = {}
    for path, line in changed_lines(diff):
        lines.setdefault(path, set()).add(line)
    return Changes(
        top,
        {path: frozenset(numbers) for path, numbers in lines.items()},
        frozenset(os.fsdecode(path) for path in tracked if path),
    )


def changed_lines(diff: bytes) -> Iterator[tuple[str, int]]:
    """Paths and numbers of the lines that a diff of git adds or changes."""
    path = ""
    old = new = number = 0
    for line in diff.split(b"\n"):
        if old > 0 or new > 0:
            if line.startswith(b"\\"):  # "\ No newline at end of file"
                continue
            kind = line[:1]
            if kind == b"+":
                yield path, number
            old -= kind != b"+"
            new -= kind != b"-"
            number += kind != b"-"
        elif line.startswith(b"+++ "):
            path = _path(line[4:])
        elif hunk := _HUNK.match(line):
            old, number, new = (int(each) if each is not None else 1 for each in hunk.groups())


def _path(written: bytes) -> str:
    """`b/src/net.py`, in quotes if there is anything unusual in it."""
    written = written.removesuffix(b"\t")
    if written.startswith(b'"'):
        written = _ESCAPE.sub(_unescaped, written[1:-1])
    return os.fsdecode(written.removeprefix(b"b/"))


def _unescaped(found: re.Match[bytes]) -> bytes:
    escape = found[1]
    return bytes([int(escape, 8) & 0xFF]) if len(escape) == 3 else _ESCAPED.get(escape, escape)


def _branching_point(revision: str, top: Path) -> str:
    if revision.startswith("-"):
        raise ChangesError(f"{revision!r} is no revision")
    try:
        commit = _git(top, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").decode().strip()
    except ChangesError as error:
        raise ChangesError(f"{revision!r} is no commit in {top}{_fetch_more(top)}") from error
    try:
        return _git(top, "merge-base", commit, "HEAD").decode().split()[0]
    except ChangesError as error:
        raise ChangesError(f"{revision!r} and HEAD have no commit in common in {top}{_fetch_more(top)}") from error


def _fetch_more(top: Path) -> str:
    """What to do where the history is cut off, as CI services clone."""
    is_shallow = _git(top, "rev-parse", "--is-shallow-repository").strip() == b"true"
    return "; this is a shallow clone: fetch more" if is_shallow else ""


def _git(directory: Path, *arguments: str) -> bytes:
    environment = {key: value for key, value in os.environ.items() if key not in _OF_ONE_REPOSITORY}
    command = ["git", "-c", "core.quotePath=true", *arguments]
    try:
        done = subprocess.run(
            command, cwd=directory, env={**environment, "LC_ALL": "C"}, capture_output=True, check=False
        )
    except FileNotFoundError as error:
        raise ChangesError("there is no git to ask what changed") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().split("\n")[0].removeprefix("fatal: ")
        if said.startswith("not a git repository"):
            said = f"{directory} is in no git repository"
        raise ChangesError(said or f"git {arguments[0]} failed")
    return done.stdout
