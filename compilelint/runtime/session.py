"""A session: what one traced process did, in a file that survives the process.

One JSON object per line, appended and flushed as things happen. The first line is a `Header`, the last
one a `Footer`; a file without footer is of a run that was cut off. A process that compiles writes one
file: the children and ranks of a run have files of their own next to it or in the same directory.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from compilelint.runtime.events import KINDS, Event, Footer, Header

SCHEMA_VERSION = 1

_RELATIVE = re.compile(r'("path": )"((?![</])(?:[^"\\]|\\.)+)"')
"""A path that says not where it begins: code that `exec(compile(text, "model.py", "exec"))` runs, and what
`-m cProfile`, `-m trace` and `runpy` run, is called as the program calls it."""
_NAMES = {record: kind for kind, record in KINDS.items()}


@dataclass(frozen=True, slots=True)
class Session:
    """One process of a run, as far as its file tells."""

    path: str
    header: Header
    events: tuple[Event, ...]
    footer: Footer | None
    unreadable: tuple[str, ...] = ()
    """What could not be read in the file itself: a line in its middle, a kind of event that is not known."""

    @property
    def cut_off(self) -> bool:
        """The program did not come to its end: it was killed, or the file stops.

        A helper process that says nothing of its end was ended by its parent, as multiprocessing's pools do.
        """
        if self.footer is None:
            return self.header.parent is None or self.header.rank is not None
        return self.footer.signal is not None or self.footer.stopped == "timeout"


class SessionError(Exception):
    """A file that is no session, or one of another schema. The message says which and why."""


def to_line(record: Header | Event | Footer) -> str:
    """One line of a session file, with its newline."""
    return json.dumps({"kind": _NAMES[type(record)], **_values(record)}, ensure_ascii=True, default=_values) + "\n"


def from_json(value: Any) -> Header | Event | Footer:
    """The record that a decoded line stands for.

    Fields that are not known are left out: a newer recorder may say more. Raises ValueError if the kind
    is not known, or a field is missing or of another type.
    """
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str):
        raise ValueError("no record of a session")
    record = KINDS.get(value["kind"])
    if record is None:
        raise ValueError(f"unknown kind {value['kind']!r}")
    made = _decode(record, value)
    assert isinstance(made, (Header, Event, Footer))
    return made


def read_session(path: Path) -> Session:
    """Read one session file; a last line that was being written when the process died is left out.

    Raises SessionError if the file cannot be read or is no session.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise SessionError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    lines = text.split("\n")
    header: Header | None = None
    events: list[Event] = []
    footer: Footer | None = None
    unreadable: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = from_json(
                json.loads(line if header is None else _RELATIVE.sub(partial(_located, header.cwd), line))
            )
        except ValueError as error:
            if number == len(lines) and header is not None:  # no newline: cut off while it was written
                break
            if header is None:
                raise SessionError(f"{path}: not a session of compilelint trace: {error}") from error
            unreadable.append(f"{path}:{number}: {error}")
            continue
        if isinstance(record, Header):
            if record.schema_version != SCHEMA_VERSION:
                raise SessionError(
                    f"{path}: recorded as schema {record.schema_version}, this version reads {SCHEMA_VERSION}"
                )
            header = header or record
        elif header is None:
            raise SessionError(f"{path}: not a session of compilelint trace: it has no header")
        elif isinstance(record, Footer):
            footer = _joined(footer, record)
        else:
            events.append(record)
    if header is None:
        raise SessionError(f"{path}: empty: the process ended before it was recorded")
    return Session(str(path), header, tuple(events), footer, tuple(unreadable))


def _located(folder: str, path: re.Match[str]) -> str:
    """The path of a file as it is found from the folder where the program began; what is no file there as it is."""
    file = os.path.join(folder, json.loads(f'"{path[2]}"'))
    return f'{path[1]}"{path[2]}"' if not os.path.isfile(file) else f"{path[1]}{json.dumps(os.path.normpath(file))}"


def _joined(own: Footer | None, launchers: Footer) -> Footer:
    """What the process knew about its end, and what its launcher added."""
    if own is None:
        return launchers
    return replace(
        own,
        ended=launchers.ended,
        exit_code=launchers.exit_code,
        signal=launchers.signal,
        stopped=launchers.stopped or own.stopped,
    )


def line_ranges(lines: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """`LinesTraced.ranges` of a set of lines."""
    return tuple(_runs(sorted(set(lines))))


def _runs(lines: list[int]) -> Iterator[tuple[int, int]]:
    start = previous = None
    for line in lines:
        if start is None or previous is None:
            start = line
        elif line != previous + 1:
            yield start, previous
            start = line
        previous = line
    if start is not None and previous is not None:
        yield start, previous


def _values(value: Any) -> Any:
    """What json cannot write by itself: the fields of a record; its repr of anything else."""
    names = getattr(type(value), "__dataclass_fields__", None)
    return repr(value) if names is None else {name: getattr(value, name) for name in names}


@cache
def _hints(record: type[Any]) -> Mapping[str, Any]:
    return get_type_hints(record)


def _decode(hint: Any, value: Any) -> Any:
    """A JSON value as the type that a field is annotated with; ValueError if it is something else."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hasattr(hint, "__dataclass_fields__"):
        if not isinstance(value, dict):
            raise ValueError(f"{hint.__name__} expected, not {value!r}")
        hints = _hints(hint)
        given = {each.name: _decode(hints[each.name], value[each.name]) for each in fields(hint) if each.name in value}
        try:
            return hint(**given)
        except TypeError as error:
            raise ValueError(str(error)) from error
    if origin is tuple:
        if not isinstance(value, list):
            raise ValueError(f"a list expected, not {value!r}")
        if arguments[-1] is Ellipsis:
            return tuple(_decode(arguments[0], each) for each in value)
        if len(value) != len(arguments):
            raise ValueError(f"{len(arguments)} values expected, not {value!r}")
        return tuple(_decode(each_hint, each) for each_hint, each in zip(arguments, value, strict=True))
    if origin is Literal:
        if value not in arguments:
            raise ValueError(f"one of {arguments} expected, not {value!r}")
        return value
    if origin is Mapping or (isinstance(origin, type) and issubclass(origin, Mapping)):
        if not isinstance(value, dict):
            raise ValueError(f"an object expected, not {value!r}")
        return dict(value)
    if arguments:  # a union
        for each_hint in arguments:
            try:
                return _decode(each_hint, value)
            except ValueError:
                continue
        raise ValueError(f"{hint} expected, not {value!r}")
    if hint is type(None):
        if value is None:
            return None
    elif hint is float:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return float(value)
    elif isinstance(value, hint) and not (hint is int and isinstance(value, bool)):
        return value
    raise ValueError(f"{getattr(hint, '__name__', hint)} expected, not {value!r}")
