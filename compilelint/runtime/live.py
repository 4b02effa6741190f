"""--live: one line per event on stderr, while the program runs."""

from __future__ import annotations

import sys

from compilelint.report.stack import StackFrame
from compilelint.runtime.events import (
    CompileCall,
    CompileEnd,
    CompileError,
    CudagraphSkip,
    Event,
    FirstResult,
    FrameSkipped,
    GraphBreak,
    LimitHit,
    Recompile,
    Unreadable,
)
from compilelint.runtime.seen.parts import part
from compilelint.runtime.words.reasons import explain


def print_event(event: Event) -> None:
    """Print what a person wants to see at once; the rest is for the report."""
    if (said := line_of(event)) is not None and sys.stderr is not None:
        print(f"compilelint {event.at:8.2f}s  {said}", file=sys.stderr, flush=True)


def line_of(event: Event) -> str | None:
    """One line on an event, None for events that are detail."""
    match event:
        case CompileCall():
            where = _at(event.stack[-1]) if event.stack else ""
            return f"compile      {event.function} with {event.backend}{where}"
        case CompileEnd():
            name = part(event.code.function) if event.code is not None else "a backward graph"
            done = f"{event.ops if event.ops is not None else '?'} ops" if event.ok else "given up"
            return f"compiled     {name} [{event.compile_id}] {event.seconds or 0:.2f}s, {done}"
        case GraphBreak():
            dropped = " (frame dropped)" if event.frame_dropped else ""
            why = explain(event.gb_type, event.explanation, event.context, event.hints)
            return f"graph break  {why.words}{dropped}{_at(event.stack[-1])}"
        case FrameSkipped():
            return f"given up     {event.reason}{_at(event.code)}"
        case Recompile():
            guard = event.guards[0].partition("  # ")[0] if event.guards else "no reason told"
            return f"recompile    {part(event.code.function)} [{event.compile_id}] {guard}"
        case LimitHit():
            name = part(event.code.function) if event.code is not None else "a frame"
            fate = "raised" if event.raised else "eager from now on"
            return f"limit        {name} hit {event.limit}: {fate}"
        case CompileError():
            first = event.message.strip().partition("\n")[0]
            return f"error        {event.error}: {first}" + (" (suppressed)" if event.suppressed else "")
        case CudagraphSkip():
            return f"cudagraphs   {event.reason.strip().partition(chr(10))[0]}"
        case FirstResult():
            return f"first result after {event.seconds:.2f}s"
        case Unreadable():
            return f"unreadable   {event.source}: {event.message}"
        case _:
            return None


def _at(place: StackFrame) -> str:
    return f"  {place.path}:{place.line}"
