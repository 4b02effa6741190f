"""A baseline of all that is there now: what `compilelint baseline` does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path

from compilelint.check import CheckError, CheckOptions, CheckResult, run_check
from compilelint.check.asked import configured
from compilelint.check.baseline import load_baseline
from compilelint.match.analysis import Progress
from compilelint.project.baseline import DEFAULT_NAME, BaselineError, has_line, namer, write_baseline
from compilelint.project.config import Config
from compilelint.project.files import Unreadable, read_source
from compilelint.project.root import absolute, find_root, meeting_point
from compilelint.report.baseline import Baseline, Entry, entries_of, hold, is_of_run
from compilelint.report.model import Finding, Observation, Problem
from compilelint.report.place import problem_place
from compilelint.report.views import problems_seen_from
from compilelint.run_options import RunOptions


@dataclass(frozen=True, slots=True)
class NewBaseline:
    """What was written, and where."""

    file: Path
    entries: int
    before: int | None
    """How many entries the file had; None if it is new."""
    kept: int
    """Of the entries, those that were there before, and that only a run can judge."""
    unread: int
    """Of the entries, those that were there before, of files that could not be looked at."""
    is_configured: bool
    """The configuration names the file: it holds without being asked for."""
    errors: tuple[Problem, ...]
    """What could not be looked at; paths are relative to the current directory."""
    exit_code: int
    """0; 1 if something could not be looked at."""


def write_new(
    options: CheckOptions, sessions: Iterable[Path] = (), output: Path | None = None, progress: Progress | None = None
) -> NewBaseline:
    """Write a baseline that accepts all that the check shows, and all that the sessions do.

    What only a run shows is kept from the file that was there, if no session is given. Nothing is written if something
    that is named cannot be checked: a slip in a path must not cost what the file holds. Raises CheckError, RunError.
    """
    config = configured(options).top
    checked = run_check(replace(options, no_baseline=True), progress=progress)
    errors = problems_seen_from(checked.report.errors, checked.root, Path.cwd())
    if checked.exit_code == 2:
        raise CheckError("; ".join(f"{problem_place(each)}: {each.message}" for each in errors))
    file = output if output is not None else default_file(config, options.paths)
    old = load_baseline(file).content.entries if file.exists() else None
    runs = tuple(sessions)
    findings, observations = _of_runs(runs, options)
    name = namer(absolute(file), checked.root)
    entries = entries_of((*checked.report.findings, *findings), observations, name, _line_from(checked.root))
    written = {each.key for each in entries}
    kept = () if runs else _only_of_runs(old or (), checked, file, written)
    unread = tuple(_of_unread(set(old or ()) - set(kept), checked.report.errors, name, written))
    try:
        write_baseline(file, Baseline(checked.report.target_torch, (*entries, *kept, *unread)))
    except BaselineError as error:
        raise CheckError(str(error)) from error
    return NewBaseline(
        file=file,
        entries=len(entries) + len(kept) + len(unread),
        before=None if old is None else len(old),
        kept=len(kept),
        unread=len(unread),
        is_configured=output is None and config.baseline is not None,
        errors=errors,
        exit_code=1 if errors else 0,
    )


def default_file(config: Config, paths: Sequence[Path]) -> Path:
    """What the configuration names, else a file beside it, else one in the project's root, else one here."""
    if config.file is not None:
        return config.file.parent / (config.baseline or DEFAULT_NAME)
    project = find_root(meeting_point(paths))
    return (project.path if project.is_project else Path.cwd()) / DEFAULT_NAME


def _of_runs(sessions: tuple[Path, ...], options: CheckOptions) -> tuple[tuple[Finding, ...], tuple[Observation, ...]]:
    """What runs did that no comment accepts, and the findings that they confirm."""
    if not sessions:
        return (), ()
    from compilelint.run_report import read_sessions, run_report

    asked = RunOptions(
        check_paths=options.paths, config_file=options.config_file, isolated=options.isolated, no_baseline=True
    )
    report = run_report(read_sessions(sessions), asked).report
    confirmed = tuple(each for each in report.findings if each.verdict == "confirmed")
    # What a finding predicted, too: the next run may be reported without a check.
    return confirmed, tuple(each for each in report.observations if not each.accepted and each.severity != "info")


def _only_of_runs(
    old: Iterable[Entry], checked: CheckResult, file: Path, written: Set[tuple[str, ...]]
) -> tuple[Entry, ...]:
    """The entries that a check cannot judge: of the run's own rules, and of findings that only a run makes sure."""
    name = namer(absolute(file), checked.root)
    left = [entry for entry in old if entry.key not in written]
    unsure = set(left) - set(hold(checked.hidden, left, name).unclaimed)
    return tuple(entry for entry in left if entry in unsure or (is_of_run(entry) and has_line(file, entry)))


def _of_unread(
    old: Iterable[Entry], errors: Iterable[Problem], name: Callable[[str], str], written: Set[tuple[str, ...]]
) -> Iterator[Entry]:
    """The entries of files, or below directories, that could not be looked at: a conflict in a file is no mending."""
    unread = [name(each.path) for each in errors]
    for entry in old:
        if entry.key not in written and any(entry.path == each or entry.path.startswith(f"{each}/") for each in unread):
            yield entry


def _line_from(root: Path) -> Callable[[str, int], str]:
    def line(path: str, number: int) -> str:
        try:
            lines = read_source(root / path).split("\n")
        except Unreadable:
            return ""
        return lines[number - 1] if 0 < number <= len(lines) else ""

    return line
