"""A check held against a baseline: what it knows is held back, and what it knows in vain is said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from packaging.version import Version

from compilelint.check.asked import CheckError, CheckOptions
from compilelint.check.judging import Judged
from compilelint.project.baseline import BaselineError, has_line, namer, read_baseline, vanished, write_baseline
from compilelint.project.config import Config
from compilelint.project.root import absolute
from compilelint.report.baseline import Baseline, Entry, gone, hold, is_of_run, numbered
from compilelint.report.model import Finding
from compilelint.run_options import RunOptions


@dataclass(frozen=True, slots=True)
class Scope:
    """What a check has looked at, to tell what is gone from what it would not have seen."""

    root: Path
    named: frozenset[str]
    """Names of the files and directories that the user named."""
    on: Mapping[str, frozenset[str]]
    """By file, the codes that were looked for."""
    active: frozenset[str]
    """Codes that are on where nothing says otherwise."""
    target_torch: str
    followed: frozenset[str]
    """Packages that calls were followed into."""
    whole: bool
    """All files of the project were checked."""
    all_roots: bool
    """Not only from those roots that the command line names."""


@dataclass(frozen=True, slots=True)
class Known:
    """A baseline, and its file."""

    file: Path
    content: Baseline


@dataclass(frozen=True, slots=True)
class HeldBack:
    """What a baseline came to in a check."""

    file: Path
    baseline: Baseline
    new: tuple[Finding, ...]
    known: tuple[Finding, ...]
    gone: tuple[Entry, ...]
    """Entries of what is not there any more, as far as this check can tell."""
    renamed: Mapping[str, str]
    """Files of entries that were moved, and what they are called now."""

    @property
    def out_of_date(self) -> str:
        """What a user should know of entries that hold nothing, in one line; empty if there are none."""
        parts = [f"{len(self.gone)} of hazards that are gone"] if self.gone else []
        moved = sum(entry.path in self.renamed for entry in self.baseline.entries)
        parts += [f"{moved} of files that were moved"] if moved else []
        return f"{self.file} has entries that are out of date: {' and '.join(parts)}" if parts else ""


def baseline_file(options: CheckOptions | RunOptions, config: Config) -> Path | None:
    """The file of the baseline that is asked for, if one is."""
    if options.no_baseline:
        return None
    if options.baseline is not None:
        return options.baseline
    return config.file.parent / config.baseline if config.file is not None and config.baseline is not None else None


def load_baseline(file: Path) -> Known:
    """The baseline in a file. Raises CheckError."""
    try:
        return Known(file, read_baseline(file))
    except BaselineError as error:
        raise CheckError(str(error)) from error


def hold_back(judged: Judged, known: Known, scope: Scope) -> HeldBack:
    """Which of the findings shown are new."""
    file, baseline = known.file, known.content
    name = namer(absolute(file), scope.root)
    lost = vanished(file, baseline.entries)
    held = hold(judged.shown, baseline.entries, name, lost)
    looked_at = {name(path): codes for path, codes in scope.on.items()}
    named = [absolute(scope.root / path) for path in scope.named]
    comparable = scope.all_roots and _minor(baseline.target_torch) == _minor(scope.target_torch)

    def can_tell(entry: Entry) -> bool:
        codes = looked_at.get(entry.path, frozenset())
        if entry.path in lost:
            place = absolute(file.parent / entry.path)
            codes = scope.active if any(each == place or each in place.parents for each in named) else frozenset()
        followed = not entry.package or entry.package in scope.followed
        if not (comparable and followed and entry.code in codes) or entry.path in held.renamed:
            return False
        # A run may do it again, and roots in files that were not checked may still lead there; not without the line.
        return (scope.whole and not is_of_run(entry)) or not has_line(file, entry)

    of_nothing = tuple(gone(held.unclaimed, judged.hidden, name, can_tell))
    return HeldBack(file, baseline, held.new, held.known, of_nothing, held.renamed)


def update(held: HeldBack | None) -> str:
    """Take out of the file what is gone, and name files as they are called now; says what was done.

    Raises CheckError.
    """
    if held is None:
        raise CheckError("there is no baseline to update: name one with --baseline or in the configuration")
    if not held.out_of_date:
        return f"{held.file}: nothing to remove; {_entries(len(held.baseline.entries))}"
    gone_entries = set(held.gone)
    kept = [
        replace(entry, path=held.renamed.get(entry.path, entry.path))
        for entry in held.baseline.entries
        if entry not in gone_entries
    ]
    try:
        write_baseline(held.file, replace(held.baseline, entries=numbered(kept)))
    except BaselineError as error:
        raise CheckError(str(error)) from error
    done = [f"removed {len(held.gone)} that are gone"] if held.gone else []
    moved = sum(entry.path in held.renamed for entry in held.baseline.entries)
    done += [f"renamed {moved} of files that were moved"] if moved else []
    return f"{held.file}: {' and '.join(done)}; {_entries(len(kept))}"


def torch_warning(file: Path, written_for: str, target: str) -> Iterator[str]:
    """What to say if a baseline was written for another minor version."""
    if _minor(written_for) != _minor(target):
        yield f"{file} was written for torch {written_for}, this judges for {target}: what differs shows as new"


def _entries(number: int) -> str:
    return "1 entry" if number == 1 else f"{number} entries"


def _minor(version: str) -> tuple[int, ...]:
    return Version(version).release[:2]
