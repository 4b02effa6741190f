"""What a unit showed, where a text it rests on changed: the same, if only what nobody looked into is another.

What was looked into may stand elsewhere now, so the lines of it are other ones.
"""

from __future__ import annotations

import dataclasses
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from compilelint.analysis.job import Walked
from compilelint.analysis.outlines import Outline
from compilelint.match.sightings import Sighting
from compilelint.source.watched import Body


class Change(Struct, frozen=True):
    """What is known of a file's text as it was, and of another one."""

    before: Outline
    now: Outline
    digest: str
    """Of the text that is there now."""


class _Lines(Struct, frozen=True):
    """Where the lines of a text are in another one with the same outline."""

    before: Sequence[Body]
    now: Sequence[Body]

    def moved(self, line: int) -> int:
        """Of a line of the outline, or of a body that is as it was, where it is."""
        number = bisect_right(self.before, line, key=lambda body: body.first) - 1
        if number < 0:
            return line
        before, now = self.before[number], self.now[number]
        return line - before.first + now.first if line <= before.last else line - before.last + now.last

    @property
    def are_the_same(self) -> bool:
        return all(
            (old.first, old.last) == (new.first, new.last) for old, new in zip(self.before, self.now, strict=True)
        )


def moved(walked: Walked, changes: Mapping[str, Change]) -> Walked | None:
    """What a unit shows now that these files have changed; None if that has to be found out.

    `changes` are those of all files whose text it rests on and that have another one.
    """
    if not all(name in walked.bodies and _is_untouched(walked.bodies[name], each) for name, each in changes.items()):
        return None
    lines = {name: _Lines(each.before.bodies(), each.now.bodies()) for name, each in changes.items()}
    lines = {name: each for name, each in lines.items() if not each.are_the_same}
    texts = {**walked.texts, **{name: each.digest for name, each in changes.items()}}
    if not lines:
        return replace(walked, texts=texts)
    result = walked.result
    if any(map(lines.__contains__, (problem.path for problem in result.problems))) or _told(result.sightings, lines):
        return None
    return replace(
        walked,
        texts=texts,
        result=replace(
            result,
            sightings=tuple(_moved(each, lines) for each in result.sightings),
            entered=frozenset(
                (name, lines[name].moved(line), column) if name in lines else (name, line, column)
                for name, line, column in result.entered
            ),
        ),
    )


def _is_untouched(looked_into: Iterable[int], change: Change) -> bool:
    before, now = change.before, change.now
    if before.rest != now.rest or len(before.numbers) != len(now.numbers):
        return False
    return all(before.digest(each) == now.digest(each) for each in looked_into)


def _told(sightings: Iterable[Sighting], names: Iterable[str]) -> bool:
    """Whether words name a line of these files."""
    places = [f"{name}:" for name in names]
    return any(
        place in word
        for each in sightings
        for word in (
            each.advice,
            each.finding.message,
            each.finding.suggestion,
            *each.finding.reached_from,
            *each.finding.aggravated_by,
        )
        for place in places
    )


def _moved(sighting: Sighting, lines: Mapping[str, _Lines]) -> Sighting:
    finding = sighting.finding
    if finding.path not in lines:
        return sighting
    of_file = lines[finding.path]
    line, end_line = of_file.moved(finding.line), of_file.moved(finding.end_line)
    return replace(sighting, finding=dataclasses.replace(finding, line=line, end_line=end_line))
