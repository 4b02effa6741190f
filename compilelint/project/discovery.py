"""Which files are checked, and which are only read to see who calls them."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from compilelint.project.config import CONFIG_NAME
from compilelint.project.configs import Configs
from compilelint.project.files import SourceFile, project_name, reason
from compilelint.project.gitignore import GITIGNORE, ignores_above
from compilelint.project.imported import imported_by
from compilelint.project.notebooks import SUFFIX
from compilelint.project.patterns import matcher
from compilelint.project.root import ProjectRoot, absolute, find_root, meeting_point, outermost_package
from compilelint.report.model import Problem

_SUFFIXES = (".py", SUFFIX)
_Found: TypeAlias = tuple[str, str]
"""A file, and where it is without links. Of thousands of files only those that are left become paths."""
_ENVIRONMENT_MARKS = {"pyvenv.cfg", "conda-meta"}


@dataclass(frozen=True, slots=True)
class Selection:
    """The files of one check, each once, sorted by name; `checked` and `context` share none."""

    root: Path
    checked: tuple[SourceFile, ...]
    context: tuple[SourceFile, ...]
    problems: tuple[Problem, ...]
    named: frozenset[str]
    """Names of what the user named, to tell a typing error from a broken file somewhere in a tree."""
    directories: tuple[str, ...] = ()
    """Those that were looked into, for both."""


@dataclass(frozen=True, slots=True)
class _Walk:
    """What a walk through directories needs to know, and the problems that it met."""

    root: Path
    excluded: Callable[[Path], Callable[[str], bool]]
    """Of a directory, which of the absolute paths in it are left out."""
    respect_gitignore: bool
    problems: list[Problem] = field(default_factory=list)
    entered: list[str] = field(default_factory=list)
    """The directories that it looked into."""


def discover(paths: Sequence[Path], configs: Configs) -> Selection:
    """The Python files and notebooks named or below named directories, and the others of the same project.

    Raises ConfigError.
    """
    config = configs.top
    project = find_root(meeting_point(paths))
    walk = _Walk(project.path, _excluder(configs, project.path), config.respect_gitignore)
    named = [absolute(path) for path in paths]
    found = _folded(_named(named, config.force_exclude, walk))
    around = _folded(_around(named, project, walk))
    checked = _files(found.values(), project.path)
    context = _files((path for real, path in around.items() if real not in found), project.path)
    names = frozenset(project_name(path, project.path) for path in named)
    entered = tuple(dict.fromkeys(walk.entered))
    return Selection(project.path, checked, context, tuple(walk.problems), names, entered)


def discover_stdin(filename: Path | None, configs: Configs) -> Selection:
    """The same for text that comes through a pipe, and what it is in the project, if it is anything."""
    config = configs.top
    if filename is None:
        return Selection(Path.cwd(), (SourceFile(Path("-"), "-"),), (), (), frozenset({"-"}))
    path = absolute(filename)
    project = find_root(meeting_point([path]))
    file = SourceFile(path, project_name(path, project.path))
    walk = _Walk(project.path, _excluder(configs, project.path), config.respect_gitignore)
    if config.force_exclude and _excluded_with_parents(path, walk):
        return Selection(project.path, (), (), (), frozenset())
    real = os.path.realpath(path)
    others = _folded(_around([path], project, walk))
    context = _files((other for name, other in others.items() if name != real), project.path)
    return Selection(project.path, (file,), context, (), frozenset({file.name}))


def _excluder(configs: Configs, root: Path) -> Callable[[Path], Callable[[str], bool]]:
    matchers: dict[Path | None, Callable[[str], bool]] = {}

    def excluded(directory: Path) -> Callable[[str], bool]:
        config = configs.of(directory)
        if config.file not in matchers:
            patterns = (*config.exclude, *config.extend_exclude)
            matchers[config.file] = matcher(patterns, (config.base or root).as_posix())
        return matchers[config.file]

    return excluded


def _named(paths: Sequence[Path], force_exclude: bool, walk: _Walk) -> Iterator[_Found]:
    for path in paths:
        name = project_name(path, walk.root)
        if force_exclude and _excluded_with_parents(path, walk):
            continue
        try:
            mode = os.stat(path).st_mode
        except OSError as error:
            walk.problems.append(Problem(name, reason(error)))
            continue
        if stat.S_ISDIR(mode):
            yield from _below(path, walk)
        else:
            yield str(path), os.path.realpath(path)


def _around(named: Sequence[Path], project: ProjectRoot, walk: _Walk) -> Iterator[_Found]:
    """The files of the project, or what named files import where nothing says what the project is; and those of the
    packages that named paths are part of: an installed one is in no project, or in a directory that is excluded."""
    # Unreadable directories that nobody asked about are nobody's problem.
    silent = _Walk(walk.root, walk.excluded, walk.respect_gitignore, entered=walk.entered)
    if project.is_project and project.scope not in named:
        yield from _below(project.scope, silent)
    for path in named:
        package = outermost_package(path if os.path.isdir(path) else path.parent)
        if package is not None and str(package) not in walk.entered:
            yield from _below(package, silent)
    if not project.is_project:
        files = [path for path in named if os.path.isfile(path)]
        yield from ((str(path), os.path.realpath(path)) for path in imported_by(files, project.path))


def _excluded_with_parents(path: Path, walk: _Walk) -> bool:
    """Whether a path, or a directory between it and the root, is left out."""
    above = (path, *path.parents)
    inside = above[: above.index(walk.root)] if walk.root in above else above
    return any(walk.excluded(each.parent)(each.as_posix()) for each in inside)


def _below(directory: Path, walk: _Walk) -> Iterator[_Found]:
    """The Python files and notebooks below a directory. Links to directories are not followed: what they lead to in
    the project is found where it is, and a loop cannot arise."""
    start = str(directory)
    ignored = ignores_above(directory) if walk.respect_gitignore else None
    pending = [(start, os.path.realpath(directory), ignored, walk.excluded(directory))]
    while pending:
        current, real, ignores, excluded = pending.pop()
        walk.entered.append(current)
        try:
            with os.scandir(current) as scan:
                entries = {entry.name: entry for entry in scan}
        except OSError as error:
            walk.problems.append(Problem(project_name(Path(current), walk.root), reason(error)))
            continue
        if current != start and not _ENVIRONMENT_MARKS.isdisjoint(entries):
            continue
        inside = ignores.entered(Path(current)) if ignores and GITIGNORE in entries else ignores
        if CONFIG_NAME in entries:
            excluded = walk.excluded(Path(current))
        for name in sorted(entries):
            entry = entries[name]
            is_directory = entry.is_dir(follow_symlinks=False)
            if not is_directory and not name.endswith(_SUFFIXES):
                continue
            whole = entry.path if os.sep == "/" else entry.path.replace(os.sep, "/")
            if excluded(whole):
                continue
            if inside and inside.ignored(whole, is_directory):
                continue
            place = os.path.join(real, name)
            if is_directory:
                pending.append((entry.path, place, inside, excluded))
            elif _is_file(entry):
                yield entry.path, os.path.realpath(place) if entry.is_symlink() else place


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError as error:
        # A link that leads to itself is nothing; anything else gets its message when it is read.
        return error.errno != errno.ELOOP


def _folded(found: Iterator[_Found]) -> dict[str, str]:
    """Each file once, by where it is; of its names the one that is no link, where it has one."""
    files: dict[str, str] = {}
    for path, real in found:
        if real not in files or path == real:
            files[real] = path
    return files


def _files(paths: Iterable[str], root: Path) -> tuple[SourceFile, ...]:
    """Files as they are called in a project, sorted."""
    named = {project_name(path, root): path for path in map(Path, paths)}
    return tuple(SourceFile(named[name], name) for name in sorted(named))
