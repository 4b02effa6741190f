"""What a baseline accepts: findings and observations that were there when it was written.

An entry says what a finding is about (rule, file, function, line of source), never where it stands. Of
equal lines in one function there is one entry each: as many are accepted, and one more is new.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from compilelint.report.fingerprint import fingerprint
from compilelint.report.model import Finding, Observation
from compilelint.report.run_rules import RUN_RULES
from compilelint.report.stack import StackFrame

Key = tuple[str, str, str, str, str]
Name = Callable[[str], str]
"""How the baseline calls a file of the report."""
Line = Callable[[str, int], str]
"""The line of source at a path and line of the report."""
_ITEM = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One accepted hazard; entries sort by where it is."""

    path: str
    """Relative to the baseline's directory, with `/`."""
    function: str
    source: str
    """The line, its whitespace folded."""
    code: str
    about: str = ""
    """Of a recompile, the variable that changed."""
    package: str = ""
    """The followed package in which a finding happens."""
    fingerprint: str = ""

    @property
    def key(self) -> Key:
        """What entries of equal lines share."""
        return self.path, self.function, "".join(self.source.split()), self.code, self.about


@dataclass(frozen=True, slots=True)
class Baseline:
    """The entries of one baseline, and the torch that they were judged for."""

    target_torch: str
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Held:
    """Findings held against a baseline."""

    new: tuple[Finding, ...]
    known: tuple[Finding, ...]
    unclaimed: tuple[Entry, ...]
    """Entries that no finding is of."""
    moved: Mapping[Entry, str]
    """Entries of files that are gone, whose findings are now in another file."""

    @property
    def renamed(self) -> Mapping[str, str]:
        """The files of those entries, and what they are called now."""
        return {entry.path: path for entry, path in self.moved.items()}


def entries_of(
    findings: Iterable[Finding], observations: Iterable[Observation], name: Name, line: Line
) -> tuple[Entry, ...]:
    """What a baseline holds that accepts all of these, sorted; of one rule at one place one entry."""
    places = {(entry.key, _place(each)): entry for each in findings for entry in [_entry(each, name)]}
    seen = {entry.key: entry for each in observations for entry in [_seen(each, name, line)]}
    return numbered((*places.values(), *seen.values()))


def numbered(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """The entries sorted, each with its fingerprint."""
    counts: dict[Key, int] = defaultdict(int)
    done: list[Entry] = []
    for entry in sorted(entries):
        code = f"{entry.code} {entry.about}" if entry.about else entry.code
        identity = fingerprint(code, entry.path, entry.function, entry.source, counts[entry.key])
        done.append(replace(entry, fingerprint=identity))
        counts[entry.key] += 1
    return tuple(sorted(done))


def hold(findings: Iterable[Finding], entries: Iterable[Entry], name: Name, vanished: Collection[str] = ()) -> Held:
    """Which of the findings the entries accept.

    Entries of `vanished` files hold for the same line of the same function in a file that has none itself: it was
    moved.
    """
    left: dict[Key, list[Entry]] = defaultdict(list)
    for entry in entries:
        left[entry.key].append(entry)
    files = {path for path, *_ in left}
    homeless: dict[tuple[str, ...], list[Key]] = defaultdict(list)
    for key in sorted(left):
        if key[0] in vanished:
            homeless[key[1:]].append(key)
    judged: list[tuple[Finding, bool]] = []
    claims: dict[tuple[object, ...], Entry | None] = {}
    moved: dict[Entry, str] = {}
    # Of equal lines the first ones are known.
    for finding in sorted(findings, key=_place):
        wanted = _entry(finding, name)
        place = (wanted.key, _place(finding))
        if place not in claims:
            claims[place] = _claimed(left, [wanted.key])
            if wanted.path not in files and (found := _claimed(left, homeless[wanted.key[1:]])):
                claims[place] = found
                moved[found] = wanted.path
        judged.append((finding, claims[place] is not None))
    return Held(
        tuple(each for each, known in judged if not known),
        tuple(each for each, known in judged if known),
        tuple(sorted(entry for alike in left.values() for entry in alike)),
        moved,
    )


def _claimed(left: Mapping[Key, list[Entry]], keys: Sequence[Key]) -> Entry | None:
    return next((left[key].pop(0) for key in keys if left.get(key)), None)


def new_observations(
    observations: Iterable[Observation],
    entries: Sequence[Entry],
    known: Iterable[Finding],
    name: Name,
    line: Line,
    vanished: Collection[str] = (),
) -> tuple[Observation, ...]:
    """Those that no entry accepts and no known finding predicted. Of `vanished` files see `hold`."""
    accepted = {entry.key for entry in entries}
    files = {entry.path for entry in entries}
    homeless = {key[1:] for key in accepted if key[0] in vanished}
    predicted = {finding.fingerprint for finding in known}

    def is_new(observation: Observation) -> bool:
        key = _seen(observation, name, line).key
        return key not in accepted and (key[0] in files or key[1:] not in homeless)

    return tuple(each for each in observations if each.finding not in predicted and is_new(each))


def gone(
    unclaimed: Iterable[Entry], hidden: Iterable[Finding], name: Name, can_tell: Callable[[Entry], bool]
) -> Iterator[Entry]:
    """The entries of what is not there any more.

    `hidden` are the findings that are there but not shown; `can_tell` says whether the check would have found what
    an entry is about.
    """
    there = {_entry(finding, name).key for finding in hidden}
    return (entry for entry in unclaimed if entry.key not in there and can_tell(entry))


def is_of_run(entry: Entry) -> bool:
    """Whether an entry is of what a run did, not of what a check found."""
    return entry.code in RUN_RULES.values()


def _entry(finding: Finding, name: Name) -> Entry:
    return Entry(
        name(finding.path),
        finding.function,
        " ".join(finding.source_line.split()),
        finding.code,
        package=finding.library[0].path.partition("/")[0] if finding.library else "",
    )


def _seen(observation: Observation, name: Name, line: Line) -> Entry:
    """Of what happened in somebody else's code, the user's own line is what is accepted."""
    place = observation.owner or StackFrame(observation.path, observation.line, observation.function)
    return Entry(
        name(place.path),
        place.function.partition(" (after line ")[0],
        " ".join(line(place.path, place.line).split()),
        RUN_RULES[observation.type],
        # Which of a list's items changed first differs from run to run.
        about=_ITEM.sub("[]", observation.variable) if observation.type == "recompile" else "",
    )


def _place(finding: Finding) -> tuple[object, ...]:
    return finding.path, finding.cell or 0, finding.line, finding.column
