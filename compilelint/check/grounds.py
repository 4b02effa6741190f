"""What the result of a check rests on, so that who has it need not do the check again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from compilelint.check.asked import CheckOptions
from compilelint.check.plan import Plan
from compilelint.project.packages import Environment
from compilelint.project.root import absolute
from compilelint.recall.grounds import Grounds

_MARKS = (
    ".git",
    ".git/info/exclude",
    ".gitignore",
    "__init__.py",
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
)
"""What directories around a file are asked for: where its project begins, what is configured and what is ignored."""


def surroundings(options: CheckOptions) -> Grounds:
    """What can be known to matter before anything is read: what the user named, and the marks of directories around."""
    named = [absolute(path) for path in options.paths]
    directories = dict.fromkeys(each for path in named for each in (path, *path.parents))
    marks = (os.path.join(directory, mark) for directory in directories for mark in _MARKS)
    return Grounds((), (*map(str, named), *marks))


def grounds_of(plan: Plan, outside: Grounds, environments: Iterable[Environment]) -> Grounds | None:
    """All that a check that is done rests on; None if files alone do not decide what it comes to.

    `outside` are its surroundings; packages were looked for in `environments`.
    """
    options, top = plan.options, plan.configs.top
    elsewhere = (options.since, options.root, options.stdin_filename, options.follow, top.follow, top.extra_rules)
    files = tuple(_read(plan))
    if any(elsewhere) or not all(map(os.path.exists, files)):
        return None
    cache = str(absolute(options.cache)) if options.cache is not None else None
    # The cache changes while it is in use.
    directories = [each for each in plan.selection.directories if each != cache]
    installed = [str(absolute(folder)) for each in environments for folder in each.folders]
    return Grounds((*directories, *installed), (*outside.files, *files, *_of_baseline(plan)))


def _read(plan: Plan) -> Iterator[str]:
    yield from sorted(map(str, plan.configs.files()))
    if plan.baseline is not None:
        yield str(plan.baseline.file)


def _of_baseline(plan: Plan) -> Iterator[str]:
    """The files that a baseline has entries of: whether they are there, and what is in them, matters to it."""
    if plan.baseline is not None:
        folder = plan.baseline.file.parent
        yield from sorted({str(folder / entry.path) for entry in plan.baseline.content.entries})
