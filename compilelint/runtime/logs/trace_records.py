"""Splits the files that torch writes under TORCH_TRACE into records. Needs no torch.

A record is one line, a glog prefix and JSON, and perhaps a payload on lines that begin with a tab; the
JSON holds the MD5 of the payload (`torch._logging._internal.TorchLogsFormatter`, `trace_structured`,
torch 2.5 to 2.13). So a payload can be told from one that is cut off, and when several processes wrote
into one file, payload lines that come late still find their record.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import IO, Any

_HEAD = re.compile(
    r"[VDIWEC](?P<month>\d\d)(?P<day>\d\d) (?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)\.(?P<micro>\d{6})"
    r" +(?P<pid>\d+) [^\s\]]+:\d+\] ?(?P<json>.*)"
)
_MOST_OPEN = 64
"""Records whose payload is still awaited; processes that write into one file are not more than this."""


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a structured log."""

    number: int
    """Line of the file, 1-based."""
    pid: int
    moment: float
    """Seconds since the beginning of the year that the file was written in, which no line tells."""
    content: dict[str, Any]
    payload: str | None
    whole: bool
    """False if the payload is not what was written."""


@dataclass(frozen=True, slots=True)
class Damage:
    """A line that is no record and no part of one."""

    number: int
    message: str
    at_end: bool = False
    """It is the file's last line, without a newline: the process died, or still runs."""


@dataclass(slots=True)
class _Open:
    record: Record
    digest: str
    hashed: Any = field(default_factory=lambda: hashlib.md5(usedforsecurity=False))
    lines: list[str] = field(default_factory=list)

    def add(self, line: str) -> bool:
        """Take one more line; whether the payload is complete."""
        self.hashed.update(("\n" if self.lines else "").encode() + line.encode(errors="surrogateescape"))
        self.lines.append(line)
        return bool(self.hashed.hexdigest() == self.digest)

    def closed(self, whole: bool) -> Record:
        record = self.record
        payload = "\n".join(self.lines)
        return Record(record.number, record.pid, record.moment, record.content, payload, whole)


def read_records(path: Path) -> Iterator[Record | Damage]:
    """The records of one file in the order in which they are complete. Raises OSError."""
    waiting: list[_Open] = []
    with _opened(path) as file:
        for number, raw in enumerate(file, 1):
            line = raw.removesuffix("\n")
            if line.startswith("\t"):
                for index in range(len(waiting) - 1, -1, -1):
                    # The latest record takes it; one that is already too long does not get it by accident,
                    # because complete ones are gone from the list.
                    if waiting[index].add(line[1:]):
                        yield waiting.pop(index).closed(whole=True)
                    break
                continue
            found = _record(number, line, at_end=not raw.endswith("\n"))
            if isinstance(found, Damage):
                yield found
            elif found is not None:
                digest = found.content.get("has_payload")
                if isinstance(digest, str):
                    waiting.append(_Open(found, digest))
                    if len(waiting) > _MOST_OPEN:
                        yield waiting.pop(0).closed(whole=False)
                else:
                    yield found
    yield from (each.closed(whole=False) for each in waiting)


def _record(number: int, line: str, at_end: bool) -> Record | Damage | None:
    if not line.strip():
        return None
    head = _HEAD.fullmatch(line)
    if head is None:
        return Damage(number, "not a line of a structured log", at_end)
    try:
        content = json.loads(head["json"])
    except ValueError:
        return Damage(number, "a record that breaks off", at_end)
    if not isinstance(content, dict):
        return Damage(number, "a record that is no object", at_end)
    return Record(number, int(head["pid"]), _moment(head), content, None, whole=True)


def _moment(head: re.Match[str]) -> float:
    leap_year = 2000
    at = datetime(
        leap_year,
        int(head["month"]),
        int(head["day"]),
        int(head["hour"]),
        int(head["minute"]),
        int(head["second"]),
        int(head["micro"]),
    )
    return (at - datetime(leap_year, 1, 1)).total_seconds()


def _opened(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8", errors="surrogateescape", newline="\n")
    return path.open(encoding="utf-8", errors="surrogateescape", newline="\n")
