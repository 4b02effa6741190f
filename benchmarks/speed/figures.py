"""What was measured, in a file that the documentation is made from."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.speed.measuring import Cost, Measured


class FiguresError(Exception):
    """A file that holds no figures; the message is one line for the user."""


@dataclass(frozen=True, slots=True)
class Part:
    """What was measured together, in one run of one machine. Only within a part are figures compared."""

    name: str
    subject: str
    """What was worked on: `timm 1.0.31, 304 files, 141,115 lines`."""
    date: str
    machine: str
    versions: Mapping[str, str]
    """Of Python and all tools."""
    lines: int
    """Of Python in it; 0 where lines do not matter."""
    measured: Mapping[str, Measured]
    """By the name of the work."""

    def wall(self, work: str) -> float:
        """The median, in seconds. Raises KeyError for what was left out."""
        return statistics.median(cost.wall for cost in self.measured[work].costs)

    def processor(self, work: str) -> float:
        return statistics.median(cost.processor for cost in self.measured[work].costs)

    def peak(self, work: str) -> int:
        """Bytes."""
        return self.measured[work].peak


def ratio(part: Part, work: str, other: str) -> float:
    """How many times as long as another a work took on the wall: the ratio of medians."""
    return part.wall(work) / part.wall(other)


def round_ratio(part: Part, work: str, other: str) -> float:
    """The median of each round's ratio: what else the machine did in a round hit both."""
    return statistics.median(mine.wall / its.wall for mine, its in _rounds(part, work, other))


def processor_round_ratio(part: Part, work: str, other: str) -> float:
    """The same of processor time."""
    return statistics.median(mine.processor / its.processor for mine, its in _rounds(part, work, other))


def _rounds(part: Part, work: str, other: str) -> Iterable[tuple[Cost, Cost]]:
    return zip(part.measured[work].costs, part.measured[other].costs, strict=True)


def load(path: Path) -> dict[str, Part]:
    """By name; nothing if there is no such file. Raises FiguresError."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise FiguresError(f"{path}: {error}") from error
    try:
        return {part["name"]: _part(part) for part in found}
    except (KeyError, TypeError) as error:
        raise FiguresError(f"{path}: no figures of this benchmark: {error!r}") from error


def dumps(parts: Mapping[str, Part]) -> str:
    """The text of the file."""
    return json.dumps([_plain(part) for _, part in sorted(parts.items())], indent=1) + "\n"


def _plain(part: Part) -> dict[str, Any]:
    plain = asdict(part)
    plain["measured"] = [
        {
            "work": each.work,
            "wall": [round(cost.wall, 4) for cost in each.costs],
            "processor": [round(cost.processor, 4) for cost in each.costs],
            "peak": each.peak,
        }
        for each in part.measured.values()
    ]
    return plain


def _part(plain: Mapping[str, Any]) -> Part:
    measured = [
        Measured(each["work"], tuple(map(Cost, each["wall"], each["processor"])), each["peak"])
        for each in plain["measured"]
    ]
    return Part(**{**plain, "measured": {each.work: each for each in measured}})
