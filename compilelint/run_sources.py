"""Which of the user's files a run is joined with, and their check.

Most of them are known before the program runs, so that they can be checked meanwhile.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from compilelint.check import CheckError, CheckOptions, CheckResult, run_check
from compilelint.check.memory import cache_directory
from compilelint.project.imported import imported_by
from compilelint.project.owned import owner_test
from compilelint.project.root import ProjectRoot, absolute, find_root
from compilelint.report.confidence import Confidence
from compilelint.run_options import RunError, RunOptions


@dataclass(frozen=True, slots=True)
class CheckAhead:
    """A check that was done before it was known what the run came to."""

    options: CheckOptions
    result: CheckResult


def script_file(program: tuple[str, ...], cwd: Path) -> Path | None:
    """The file that `SCRIPT ARGS…` runs in a directory; None for `-m` and for what is no file here."""
    if not program or program[0] == "-m":
        return None
    script = absolute(cwd / program[0])
    return script if script.is_file() else None


def project_of(options: RunOptions, script: Path | None, cwd: Path) -> ProjectRoot:
    """The project whose files are the user's own, by default."""
    start = options.check_paths[0] if options.check_paths else script.parent if script else cwd
    return find_root(absolute(start) if os.path.isdir(start) else absolute(start).parent)


def check_ahead(options: RunOptions, script: Path | None, cwd: Path) -> CheckAhead | None:
    """Check what the run will be joined with if it comes to no other files; None if that cannot be done."""
    project = project_of(options, script, cwd)
    asked = _check_options(options, project, script, ())
    try:
        return CheckAhead(asked, run_check(asked)) if asked else None
    except CheckError:
        return None  # it is said when the run is over: `check_sources` comes to the same error


def check_sources(
    options: RunOptions,
    project: ProjectRoot,
    script: Path | None,
    come_to: Iterable[str],
    ahead: CheckAhead | None = None,
) -> CheckResult | None:
    """The check that a run is joined with, None if there is nothing to check. Raises RunError.

    `come_to` are those of the user's own files that Dynamo had to do with.
    """
    asked = _check_options(options, project, script, come_to)
    if asked is None:
        return None
    if ahead is not None and ahead.options == asked:
        return ahead.result
    try:
        return run_check(asked)
    except CheckError as error:
        raise RunError(str(error)) from error


def _check_options(
    options: RunOptions, project: ProjectRoot, script: Path | None, come_to: Iterable[str]
) -> CheckOptions | None:
    """Of a project all of it; else the files next to the script, as Python finds them, those that the run came to, and
    what all these import, which tells what is called, and how: what else lies further below may be anything."""
    if not options.check:
        return None
    paths = set(options.check_paths)
    if not paths:
        touched = {Path(path) for path in come_to if os.path.isfile(path)}
        if project.is_project:
            checked_anyway = owner_test(project.scope, (), project.scope)
            paths = {project.scope, *(path for path in touched if not checked_anyway(str(path)))}
        else:
            paths = {*touched, *(script.parent.glob("*.py") if script else ())}
            paths |= imported_by(paths, project.scope)
    if not paths:
        return None
    return CheckOptions(
        paths=tuple(sorted(paths)),
        config_file=options.config_file,
        isolated=options.isolated,
        follow=options.follow,
        min_confidence=Confidence.LOW,
        cache=None if options.no_cache else options.cache_dir or cache_directory(),
        no_baseline=True,  # what it knows may still be what a run shows
    )
