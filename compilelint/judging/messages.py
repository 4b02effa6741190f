"""Reads what Dynamo's log records and exceptions say; knows their texts from torch 2.5 on."""

from __future__ import annotations

import re
import traceback
from dataclasses import dataclass

_GB_ID = re.compile(r"/gb/gb(\d{4})\.html", re.IGNORECASE)
_GB_TYPE = re.compile(r"^(?P<type>[^\n]*\S)\n\s+Explanation:", re.MULTILINE)
_FRAME = re.compile(r'File "(?P<path>[^"]+)", line (?P<line>\d+)')
_AT = re.compile(r"in user code at (?P<path>.*):(?P<line>\d+)")
_REASON = re.compile(r"^(?:Graph Break )?Reason: (?P<reason>.*)", re.MULTILINE)
_DROPPED = re.compile(r"WON'T CONVERT (?P<function>\S+) (?P<path>.*) line (?P<line>\d+)")
_RAISED = re.compile(
    r"^(?:\w+\.)+(?:Unsupported|SkipFrame|UserError|InternalTorchDynamoError): (?P<reason>.*\S)", re.MULTILINE
)
_IN_LOOP = re.compile(r"graph break in a for/while loop\s+<FrameSummary file (?P<path>.+), line (?P<line>\d+) in ")
_PREFIX = re.compile(r"^(?:Graph Break Reason: |(?:\w+\.)+Unsupported: )")
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_LIBRARY = re.compile(r"/[^\s'\"]*/lib/python3\.\d+/(?:site-packages/)?")
_SCRATCH = re.compile(r"\S*/compilelint-example-[^/\s]*/")
_STACK_STARTS = (
    "User code traceback:",
    "in the following user code:",
    "from user code:",
)


@dataclass(frozen=True)
class Break:
    """A graph break; `line` is the innermost line of the example, None where the stack has none."""

    line: int | None
    reason: str
    gb_id: str | None
    drops_frame: bool
    """Dynamo gave the whole frame up instead of splitting the graph."""


@dataclass(frozen=True)
class Failure:
    """An exception that reached the caller of the compiled function."""

    type: str
    line: int | None
    message: str
    gb_id: str | None = None


def read_break(text: str, path: str) -> Break:
    """The break that a record of a `__graph_breaks` logger tells, as seen from the file at `path`."""
    line = _innermost(text, path)
    if line is None and (at := _AT.search(text)) is not None and at["path"] == path:
        line = int(at["line"])
    drops = "frame skipped" in text or "Skipping the f" in text or "will skip tracing the frame" in text
    return Break(line, read_reason(text), read_gb_id(text), drops)


def _innermost(text: str, path: str) -> int | None:
    """The last line of the file at `path` in the stack that a message of Dynamo ends with."""
    lines = [line for frame_path, line in _stack(text) if frame_path == path]
    return lines[-1] if lines else None


def ends_in(text: str, path: str) -> bool:
    """Whether the innermost frame of all is in the file at `path`, and not in a library."""
    return [frame_path for frame_path, _ in _stack(text)][-1:] == [path]


def _stack(text: str) -> list[tuple[str, int]]:
    for start in _STACK_STARTS:
        _, found, rest = text.rpartition(start)
        if found:
            text = rest
            break
    return [(frame["path"], int(frame["line"])) for frame in _FRAME.finditer(text)]


def read_reason(text: str) -> str:
    """The type of the first cause; wrappers such as "graph break in loop" come after it."""
    if (found := _GB_TYPE.search(text)) is not None:
        return _PREFIX.sub("", _stable(found["type"].strip()))
    if (found := _REASON.search(text)) is not None:
        return _stable(found["reason"].strip())
    if raised := _RAISED.findall(text):  # torch 2.5 gives a traceback and nothing else
        return _stable(raised[-1])
    return _stable(text.strip().splitlines()[0]) if text.strip() else ""


def _stable(text: str) -> str:
    """Without what differs from one run or machine to the next: addresses, the scratch folder, where libraries are."""
    return _LIBRARY.sub("", _SCRATCH.sub("", _ADDRESS.sub("", text)))


def read_gb_id(text: str) -> str | None:
    """The first GB id that a text links to."""
    found = _GB_ID.search(text)
    return f"GB{found.group(1)}" if found else None


def read_guard(text: str) -> str:
    """The first failed guard of a recompile message, without its source comment and hints."""
    for line in text.splitlines()[1:]:
        guard = line.strip().lstrip("- ")
        if guard and not guard.startswith("triggered by"):
            return _stable(guard.partition("  # ")[0].partition(" (HINT")[0].strip())
    return ""


def read_failure(error: BaseException, path: str) -> Failure:
    """An exception, with the innermost line of the file at `path` that led to it."""
    message = str(error)
    line = _innermost(message, path) if any(start in message for start in _STACK_STARTS) else None
    if line is None:
        stack = getattr(error, "real_stack", None) or traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in stack if frame.filename == path]
        line = lines[-1] if lines else None
    short = next((part.strip() for part in message.splitlines() if part.strip()), "")
    return Failure(type(error).__name__, line, _stable(short), read_gb_id(message))


def describe(error: BaseException, path: str) -> str:
    """An exception in one line."""
    failure = read_failure(error, path)
    where = f" at line {failure.line}" if failure.line else ""
    return f"{failure.type}{where}: {failure.message}"


def read_dropped(text: str, path: str) -> tuple[str, int] | None:
    """The function of the file at `path`, and its first line, that a record says is not compiled."""
    found = _DROPPED.search(text)
    if found is None or found["path"] != path:
        return None
    return found["function"], int(found["line"])


def read_dropping_line(text: str, path: str) -> int | None:
    """The line of the file at `path` for which a record says that a whole frame is given up; None if it does not."""
    if (found := _IN_LOOP.search(text)) is not None:
        return int(found["line"]) if found["path"] == path else None
    return _innermost(text, path) if any(start in text for start in _STACK_STARTS) else None
