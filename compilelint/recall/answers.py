"""Answers, one file of JSON for each question, beside what else is remembered.

Nothing depends on them: where one cannot be read, or kept, the question is answered anew, as it is without a memory.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from compilelint.recall.grounds import Grounds, Seen, looked_at, program, seen
from compilelint.recall.question import Question

_ANSWER = re.compile(r".+-[0-9a-f]{16}\.answer\.json(\.\d+)?")
"""The name of one, or of what is left of a write that was interrupted."""
_MOST_BYTES = 30_000_000
"""All answers together, of all projects."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command said."""

    output: str
    """On standard output."""
    notes: str
    """On standard error, after it."""
    exit_code: int
    seconds_at: int | None = None
    """Where in the output it stands how long the work took, and is left out here; None for nowhere."""

    def output_after(self, seconds: float) -> str:
        """The output of work that took so long."""
        at = self.seconds_at
        return self.output if at is None else f"{self.output[:at]}{seconds:.3f}{self.output[at:]}"


def without_seconds(answer: Answer, before: str) -> Answer:
    """An answer that says after the first `before` how long the work took, in seconds, without these."""
    at = answer.output.index(before) + len(before)
    left, right = answer.output[:at], answer.output[at:]
    return replace(answer, output=left + right.lstrip("0123456789."), seconds_at=at)


def answer_to(question: Question) -> Answer | None:
    """What was answered when the same was asked; None if that is not known, or something is no longer as it was."""
    try:
        with open(question.file, encoding="ascii") as file:
            kept = json.load(file)
        grounds = Grounds(_texts(kept["directories"]), _texts(kept["files"]))
        output, notes = _texts([kept["output"], kept["notes"]])
        seconds_at = kept["seconds_at"]
        answer = Answer(output, notes, int(kept["exit_code"]), None if seconds_at is None else int(seconds_at))
        was, few_were = kept["seen"], kept["few_seen"]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    if _few_seen(grounds).digest != few_were:
        return None
    return answer if _seen(question, grounds).digest == was else None


def keep(question: Question, answer: Answer, grounds: Grounds) -> None:
    """Remember an answer that rests on these grounds, unless they changed since it was asked for."""
    few = _few_seen(grounds)
    if not few.settled(question.asked_ns):
        return
    now = _seen(question, grounds)
    if not now.settled(question.asked_ns):
        return
    with suppress(OSError):
        os.makedirs(question.cache, exist_ok=True)
        _write(question.file, json.dumps({**_kept(answer, grounds), "few_seen": few.digest, "seen": now.digest}))
        _shrink(question.cache)


def _few_seen(grounds: Grounds) -> Seen:
    """What is soon looked at: what somebody is working on is among it."""
    return seen(looked_at(replace(grounds, directories=())))


def _seen(question: Question, grounds: Grounds) -> Seen:
    return seen(((question.told, 0), *program(), *looked_at(grounds)))


def _kept(answer: Answer, grounds: Grounds) -> dict[str, object]:
    return {
        "output": answer.output,
        "notes": answer.notes,
        "exit_code": answer.exit_code,
        "seconds_at": answer.seconds_at,
        "directories": grounds.directories,
        "files": grounds.files,
    }


def _write(file: str, text: str) -> None:
    """Whoever reads it meanwhile finds the old one, or the new."""
    beside = f"{file}.{os.getpid()}"
    try:
        with open(beside, "w", encoding="ascii") as opened:
            opened.write(text)
        os.replace(beside, file)
    except OSError:
        with suppress(OSError):
            os.unlink(beside)
        raise


def _shrink(directory: str) -> None:
    """Remove the oldest answers if there are too many."""
    room = _MOST_BYTES
    for _, size, path in sorted(_answers(directory), reverse=True):
        room -= size
        if room < 0:
            os.unlink(path)


def _answers(directory: str) -> Iterator[tuple[int, int, str]]:
    with os.scandir(directory) as entries:
        for entry in entries:
            if _ANSWER.fullmatch(entry.name):
                found = entry.stat()
                yield found.st_mtime_ns, found.st_size, entry.path


def _texts(values: object) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        raise TypeError("texts expected")
    return tuple(values)
