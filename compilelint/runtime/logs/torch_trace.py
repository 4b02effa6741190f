"""Reads what a run left under TORCH_TRACE as sessions, without torch: graph breaks, recompiles, metrics.

Names and fields are those of `torch._logging.trace_structured` calls in torch 2.5 to 2.15. Two things are
not in these logs: frames that Dynamo gives up without a graph break, such as generator functions, and
which lines it traced. A log does not say how its process ended either.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from compilelint import __version__
from compilelint.report.stack import StackFrame
from compilelint.runtime.dynamo.break_text import graph_break, is_told_elsewhere, parse_break, parse_stack
from compilelint.runtime.events import (
    TORCH_TRACE,
    CacheUse,
    CompileEnd,
    CompileStart,
    Event,
    Footer,
    Header,
    Recompile,
    TorchLoaded,
    Unreadable,
)
from compilelint.runtime.logs.trace_metrics import metrics_events
from compilelint.runtime.logs.trace_records import Damage, Record, read_records
from compilelint.runtime.session import SCHEMA_VERSION, Session, SessionError
from compilelint.runtime.words.guard_values import split_reason

PREFIX = "dedicated_log_torch_trace_"
"""Of the files that torch writes (`torch._logging._internal.LOG_PREFIX`)."""

_RANK_IN_NAME = re.compile(r"(?:^|_)rank_(\d+)_")
_TORCH_FILE = re.compile(r"(?:site|dist)-packages[/\\]torch[/\\]|[/\\]torch[/\\]_dynamo[/\\]")
_CACHE = re.compile(r"(?P<cache>fx_graph|aotautograd)_cache_(?P<outcome>hit|miss|bypass)")
_CACHE_NAMES = {"fx_graph": "fx-graph", "aotautograd": "aot-autograd"}
_SINCE_2_6 = "config_suppress_errors"
"""A field of the metrics that came when graph breaks came into these logs."""
_ARTIFACTS = {"dynamo_graph_break_reason", "recompile_reasons", "torch_version"}


def read_torch_trace(path: Path) -> tuple[Session, ...]:
    """One session per process, of a directory (and those below it) or a single file, by rank.

    Raises SessionError if there is no such log, all are empty, or one cannot be opened. What is damaged in
    a log is in its session's `unreadable`, or an Unreadable event where it was an event.
    """
    files = _files(path)
    if not files:
        raise SessionError(f"{path}: no logs of TORCH_TRACE in it ({PREFIX}*.log)")
    sessions: list[Session] = []
    for file in files:
        try:
            sessions += _sessions(file)
        except (OSError, EOFError) as error:
            raise SessionError(f"{file}: {error}") from error
    if not sessions:
        raise SessionError(f"{path}: the logs of TORCH_TRACE in it are empty")
    return tuple(sorted(sessions, key=lambda each: (each.header.rank or 0, each.path, each.header.pid)))


def _files(path: Path) -> tuple[Path, ...]:
    if not path.is_dir():
        return (path,) if path.exists() else ()
    found = sorted(each for each in path.rglob("*") if each.name.endswith((".log", ".log.gz")))
    own = [each for each in found if each.name.startswith(PREFIX)]
    return tuple(own or found)


def _sessions(path: Path) -> Iterable[Session]:
    """The processes that wrote one file: one, unless somebody joined their logs."""
    records: dict[int, list[Record]] = {}
    damages: list[Damage] = []
    for each in read_records(path):
        if isinstance(each, Damage):
            damages.append(each)
        else:
            records.setdefault(each.pid, []).append(each)
    if not records:
        if damages:
            yield _unread(path, damages)
        return
    broken = tuple(f"{path}:{each.number}: {each.message}" for each in damages if not each.at_end)
    breaks_off = any(each.at_end for each in damages)
    written = path.stat().st_mtime
    # A forked child goes on with the names that its parent has written down.
    names = {each[1]: each[0] for every in records.values() for each in map(_interned, every) if each}
    for position, (pid, own) in enumerate(records.items()):
        own.sort(key=lambda record: record.number)
        yield _session(path, pid, own, names, written, broken if position == 0 else (), breaks_off)


def _as_recorded(events: Iterable[Event]) -> Iterator[Event]:
    """In the order of the recorder: what is compiled again begins, and then it is told why; a log tells that first."""
    ordered: list[Event | None] = []
    early: dict[str | None, int] = {}
    for event in events:
        if isinstance(event, CompileStart) and (position := early.pop(event.compile_id, None)) is not None:
            ordered += (event, ordered[position])
            ordered[position] = None
            continue
        if isinstance(event, Recompile):
            early[event.compile_id] = len(ordered)
        elif isinstance(event, CompileEnd):
            early.pop(event.compile_id, None)
        ordered.append(event)
    return (event for event in ordered if event is not None)


def _unread(path: Path, damages: Sequence[Damage]) -> Session:
    messages = tuple(f"{path}:{each.number}: {each.message}" for each in damages[:3])
    return Session(str(path), _header(path, 0, None, None, path.stat().st_mtime), (), None, messages)


def _session(
    path: Path,
    pid: int,
    records: Sequence[Record],
    names: Mapping[int, str],
    written: float,
    broken: tuple[str, ...],
    breaks_off: bool,
) -> Session:
    first, last = records[0].moment, records[-1].moment
    started = written - max(last - first, 0.0)
    ranks = [each.content["rank"] for each in records if isinstance(each.content.get("rank"), int)]
    in_name = _RANK_IN_NAME.search(path.name)
    rank = ranks[-1] if ranks else int(in_name[1]) if in_name else None
    events = _Reader(path, first, names).events(records)
    breaks_off = breaks_off or (not records[-1].whole)
    footer = None if breaks_off else Footer(ended=written)
    return Session(str(path), _header(path, pid, rank, records, started), events, footer, broken)


def _header(path: Path, pid: int, rank: int | None, records: Sequence[Record] | None, started: float) -> Header:
    python = ""
    for each in records or ():
        metrics = each.content.get("compilation_metrics")
        if isinstance(metrics, dict) and isinstance(metrics.get("python_version"), str):
            python = metrics["python_version"].partition(" ")[0]
            break
    return Header(
        schema_version=SCHEMA_VERSION,
        compilelint=__version__,
        program=(f"logged by TORCH_TRACE in {path.parent}",),
        cwd="",
        python=python,
        host="",
        pid=pid,
        parent=None,
        rank=rank,
        local_rank=None,
        world_size=None,
        started=started,
        settings={TORCH_TRACE: str(path)},
    )


class _Reader:
    """Holds what later records refer to: interned file names, and the code of each frame."""

    def __init__(self, path: Path, first: float, names: Mapping[int, str]) -> None:
        self.path = path
        self.first = first
        self.names = dict(names)
        self.codes: dict[str, StackFrame] = {}
        self.broken: set[str | None] = set()

    def events(self, records: Sequence[Record]) -> tuple[Event, ...]:
        for record in records:  # a frame is named in its first compilation; a recompile comes before its own
            self._learn(record)
        events: list[Event] = [self._torch(records)]
        for record in records:
            try:
                events += self._read(record)
            except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
                events.append(self._unreadable(record, f"{type(error).__name__}: {error}"))
        return tuple(_as_recorded(events))

    def _learn(self, record: Record) -> None:
        if interned := _interned(record):
            self.names[interned[1]] = interned[0]
        start = record.content.get("dynamo_start")
        frame = record.content.get("frame_id")
        if isinstance(start, dict) and start.get("stack") and frame is not None:
            stack = self._stack(start["stack"])
            self.codes.setdefault(self._frame(record), stack[-1])

    def _torch(self, records: Sequence[Record]) -> TorchLoaded:
        version, old = "", False
        for record in records:
            if _artifact(record) == "torch_version" and record.payload and record.whole:
                version = str(json.loads(record.payload).get("pytorch_version", ""))
            metrics = record.content.get("compilation_metrics")
            if isinstance(metrics, dict):
                version = version or str(metrics.get("pytorch_version") or "")
                old = old or _SINCE_2_6 not in metrics
        if version or not old or any(_artifact(each) == "dynamo_graph_break_reason" for each in records):
            return TorchLoaded(at=0.0, version=version)
        return TorchLoaded(at=0.0, version="2.5", missing=("graph breaks",))

    def _read(self, record: Record) -> Iterable[Event]:
        content = record.content
        artifact = _artifact(record)
        if not record.whole:
            return [self._unreadable(record, "its payload is not whole")] if artifact in _ARTIFACTS else []
        if artifact == "dynamo_graph_break_reason":
            # What failed inside an operator comes under the same name; the break that it becomes follows.
            return [] if is_told_elsewhere(record.payload or "") else [self._break(record)]
        if artifact == "recompile_reasons":
            return [self._recompile(record)]
        if artifact and (cache := _CACHE.fullmatch(artifact)):
            return [self._cache(record, cache)]
        if "dynamo_start" in content:
            return [self._start(record)]
        for name in ("compilation_metrics", "bwd_compilation_metrics"):
            if isinstance(metrics := content.get(name), dict):
                compile_id = _compile_id(record) or metrics.get("compile_id")
                return metrics_events(
                    metrics,
                    self._at(record),
                    compile_id,
                    self.codes.get(self._frame(record)),
                    told=compile_id in self.broken,
                    backward=name.startswith("bwd"),
                )
        return []

    def _start(self, record: Record) -> Event:
        stack = self._stack(record.content["dynamo_start"]["stack"])
        if not record.content.get("attempt"):  # after torch._dynamo.reset() the same ids are of other frames
            self.codes[self._frame(record)] = stack[-1]
            self.broken.discard(_compile_id(record))
        return CompileStart(
            at=self._at(record),
            compile_id=_compile_id(record) or "",
            code=stack[-1],
            stack=tuple(each for each in stack[:-1] if not _TORCH_FILE.search(each.path)),
        )

    def _break(self, record: Record) -> Event:
        text = record.payload or ""
        said = parse_break(text)
        compile_id, code = _compile_id(record), self.codes.get(self._frame(record))
        stack = said.to_place(code.function if code else "<unknown>")
        self.broken.add(compile_id)
        return graph_break(said, text, at=self._at(record), compile_id=compile_id, code=code, stack=stack)

    def _recompile(self, record: Record) -> Event:
        code = self.codes.get(self._frame(record))
        if code is None:
            raise ValueError("a recompile of a frame that was never begun")
        parts = [split_reason(each) for each in _reasons(record.payload or "")]
        return Recompile(
            at=self._at(record),
            compile_id=_compile_id(record),
            code=code,
            guards=tuple(guard for _, guard, _ in parts),
            versions=tuple(version for version, _, _ in parts),
            values=(None,) * len(parts),
            guard_stack=parse_stack(parts[0][2]) if parts else (),
        )

    def _cache(self, record: Record, found: re.Match[str]) -> Event:
        reason: str | None = None
        if record.payload:
            value = json.loads(record.payload)
            said = value.get("cache_bypass_reason") if isinstance(value, dict) else None
            reason = str(said) if said else None
        return CacheUse(
            at=self._at(record),
            cache=_CACHE_NAMES[found["cache"]],  # type: ignore[arg-type]
            outcome=found["outcome"],  # type: ignore[arg-type]
            reason=reason,
            compile_id=_compile_id(record),
        )

    def _unreadable(self, record: Record, message: str) -> Event:
        kind = _artifact(record) or next(iter(record.content), "record")
        return Unreadable(at=self._at(record), source=f"{self.path}:{record.number}", message=f"{kind}: {message}")

    def _stack(self, frames: Sequence[Mapping[str, Any]]) -> tuple[StackFrame, ...]:
        return tuple(StackFrame(self._name(each["filename"]), int(each["line"]), str(each["name"])) for each in frames)

    def _name(self, filename: object) -> str:
        return self.names.get(filename, "<unknown>") if isinstance(filename, int) else str(filename)

    def _at(self, record: Record) -> float:
        return round(max(record.moment - self.first, 0.0), 6)

    @staticmethod
    def _frame(record: Record) -> str:
        autograd = record.content.get("compiled_autograd_id")
        return f"{'' if autograd is None else f'!{autograd}/'}{record.content.get('frame_id')}"


def _interned(record: Record) -> tuple[str, int] | None:
    """A file name and the number that stands for it from then on."""
    found = record.content.get("str")
    return (found[0], found[1]) if isinstance(found, list) and len(found) == 2 else None


def _artifact(record: Record) -> str | None:
    artifact = record.content.get("artifact")
    name = artifact.get("name") if isinstance(artifact, dict) else None
    return name if isinstance(name, str) else None


def _compile_id(record: Record) -> str | None:
    """As Dynamo prints it (`torch._guards.CompileId.__str__`)."""
    frame, number = record.content.get("frame_id"), record.content.get("frame_compile_id")
    autograd = record.content.get("compiled_autograd_id")
    if frame is None:
        return None if autograd is None else f"!{autograd}"
    return f"{'' if autograd is None else f'!{autograd}/'}{frame}/{number}"


def _reasons(payload: str) -> list[str]:
    """The texts of a recompile: one as it is, several as a JSON list."""
    if payload.startswith("["):
        given = json.loads(payload)
        return [str(each) for each in given]
    if not payload.strip():
        raise ValueError("a recompile without a reason")
    return [payload]
