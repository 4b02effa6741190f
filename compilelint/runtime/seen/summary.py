"""What a run was, from its sessions: how it ended, what compiling cost, what one must know to judge it."""

from __future__ import annotations

import math
import re
import shlex
import signal
from collections.abc import Iterable, Iterator, Sequence

from compilelint.report.model import Process, Run
from compilelint.report.words import counted
from compilelint.runtime.events import (
    IN_PROCESS,
    SWITCH,
    TORCH_TRACE,
    CompileCall,
    FrameSkipped,
    GraphBreak,
    Recompile,
    TorchLoaded,
)
from compilelint.runtime.seen import costs, timeline
from compilelint.runtime.seen.reading import Reading, rank_of
from compilelint.runtime.session import Session

_LONGEST = 240
"""Of an exception's message, so many characters stand at the head of a report."""
_TRACEBACK = "Traceback (most recent call last):"
_RULED = re.compile(r"([-=*#~_])\1{7,}")
"""A line that is drawn."""


def is_from_torch_trace(session: Session) -> bool:
    return bool(session.header.settings.get(TORCH_TRACE))


def main_session(sessions: Sequence[Session]) -> Session:
    """The process that was started, of the lowest rank, and not one of its children."""
    return min(sessions, key=lambda each: (each.header.parent is not None, rank_of(each), each.header.started))


def summary(reading: Reading) -> Run:
    """Facts of the whole run, budgets left out. Paths are as the processes saw them."""
    sessions = reading.sessions
    main = main_session(sessions)
    made = [end for session in sessions for end in costs.compilations(session)]
    per_rank: dict[int, int] = {}
    for session in sessions:
        rank = rank_of(session)
        per_rank[rank] = per_rank.get(rank, 0) + len(costs.compilations(session))
    unwell = [each for each in (main, *sessions) if not _well(each)]
    worst = min(unwell, key=lambda each: (_was_ended(each), _end_time(each)), default=main)
    return Run(
        program=_program(main),
        torch=_torch(sessions),
        processes=len(sessions),
        ranks=tuple(sorted({rank_of(each) for each in sessions})),
        ended=_ended(worst) + ("" if worst is main else f", {_which(worst)}"),
        cut_off=any(each.cut_off for each in sessions),
        compile_calls=sum(isinstance(event, CompileCall) for session in sessions for event in session.events),
        compiled_frames=len({end.code for end in made}),
        compilations=max(per_rank.values(), default=0),
        compile_seconds=costs.seconds_by_rank(sessions),
        first_result_seconds=costs.first_result(sessions),
        cache_hits=costs.cache_uses(sessions, "hit"),
        cache_misses=costs.cache_uses(sessions, "miss"),
        frames=costs.frames(sessions),
        started=min(each.header.started for each in sessions),
        wall_seconds=timeline.wall_seconds(sessions),
        per_process=tuple(map(_process, sessions, timeline.beginnings(sessions))),
        timeline=reading.moments,
        unreadable=reading.unreadable,
        notes=tuple(dict.fromkeys(_notes(sessions))),
        switched_off=next(_switches(sessions), ""),
    )


def _process(session: Session, began: float) -> Process:
    return Process(
        pid=session.header.pid,
        rank=session.header.rank,
        began=session.header.started - began,
        wall_seconds=timeline.last_seen(session) - session.header.started,
        compile_seconds=costs.seconds_by_rank([session]),
        compilations=len(costs.compilations(session)),
        breaks=sum(isinstance(event, (GraphBreak, FrameSkipped)) for event in session.events),
        recompiles=sum(isinstance(event, Recompile) for event in session.events),
        first_result_seconds=costs.first_result([session]),
        ended=_ended(session),
        cut_off=session.cut_off,
    )


def _program(session: Session) -> str:
    words = session.header.program
    is_command = not session.header.settings.get(IN_PROCESS) and not is_from_torch_trace(session)
    return shlex.join(words) if is_command else " ".join(words)


def _well(session: Session) -> bool:
    footer = session.footer
    if footer is None or session.cut_off:
        return not session.cut_off
    return not footer.exit_code and footer.exception is None and footer.stopped is None


def _was_ended(session: Session) -> bool:
    """Whether it may be that another ended it: a launcher does so with the ranks that are left when one has
    died, and the first to end by itself is the one to name."""
    return session.footer is None or session.footer.signal == signal.SIGTERM


def _end_time(session: Session) -> float:
    return session.footer.ended if session.footer is not None else math.inf


def _which(session: Session) -> str:
    if session.header.rank is not None:
        return f"rank {session.header.rank}"
    return f"process {session.header.pid}"


def _ended(session: Session) -> str:
    footer = session.footer
    if footer is None:
        return "its end was not recorded"
    if footer.stopped is not None:
        return {
            "timeout": "ended by --timeout",
            "stop-after": "ended by --stop-after",
            "strict": "ended by --strict",
        }[footer.stopped]
    if footer.signal is not None:
        try:
            return f"killed by {signal.Signals(footer.signal).name}"
        except ValueError:
            return f"killed by signal {footer.signal}"
    if footer.exception is not None:
        # That of torchrun is in a frame: a line of "=" tells nothing.
        ruled = (_RULED.sub("", line).strip() for line in footer.exception.splitlines())
        lines = [line for line in ruled if line]
        # The message of some begins with an empty line: the name stands alone then.
        told = lines[: 2 if lines and lines[0].endswith(":") else 1]
        if told[-1:] and told[-1].endswith(":") and _TRACEBACK in lines[len(told) :]:
            told = [*told, lines[-1]]  # that of another process
        return f"ended by {_cut(' '.join(told))}"
    if session.header.settings.get(IN_PROCESS):
        return "recorded in this process"
    if is_from_torch_trace(session):
        return "its end is not logged"
    return f"exit code {footer.exit_code or 0}"


def _cut(message: str) -> str:
    """Its beginning: that of `load_state_dict` names each key that is missing, and the program has printed it all."""
    return message if len(message) <= _LONGEST else f"{message[: _LONGEST - 1].rstrip()}…"


def _torch(sessions: Iterable[Session]) -> str:
    versions = dict.fromkeys(
        event.version for session in sessions for event in session.events if isinstance(event, TorchLoaded)
    )
    return ", ".join(versions)


_WITHOUT_LENGTH = re.compile(r"TypeError: \w+ does not support len\(\)")
"""What the wrapper around a compiled module says, and nobody else in these words."""
_WITHOUT_OBJECT = re.compile(r"TypeError: (?P<method>[\w.]+)\(\) missing \d+ required positional argument")


def _switches(sessions: Iterable[Session]) -> Iterator[str]:
    loaded = (event for session in sessions for event in session.events if isinstance(event, TorchLoaded))
    return (switch for event in loaded if isinstance(switch := event.settings.get(SWITCH), str))


def _notes(sessions: Sequence[Session]) -> Iterator[str]:
    yield from _missing_ranks(sessions)
    if any(_WITHOUT_LENGTH.match((session.footer and session.footer.exception) or "") for session in sessions):
        yield (
            "a compiled module was asked for its length, as `if model:` and `model or other` do: ask `model is not "
            "None` (`compilelint rule CL618`)"
        )
    if only_run := sum(sum(session.footer.only_run) for session in sessions if session.footer):
        yield (
            f"{counted(only_run, 'call')} of what is compiled under the stance `eager_on_recompile` or `force_eager`: "
            "what fits no compiled version runs without torch.compile there, and nothing tells how often"
        )
    for session in sessions:
        yield from _lost_object(session)
    if any(map(is_from_torch_trace, sessions)):
        yield (
            "logs of TORCH_TRACE do not tell of functions that Dynamo leaves out without a graph break, nor "
            "which lines it traced: there may have been more"
        )
    for session in sessions:
        for event in session.events:
            if isinstance(event, TorchLoaded):
                if event.settings.get("suppress_errors"):
                    yield "torch._dynamo.config.suppress_errors is on: what fails to compile runs without it"
            elif isinstance(event, CompileCall):
                yield from _call_notes(event)


def _lost_object(session: Session) -> Iterator[str]:
    """Whether the program ended because a compiled method was called without its object, as Dynamo (2.13) makes Python
    call it where it breaks the graph of what calls it."""
    missing = _WITHOUT_OBJECT.match((session.footer and session.footer.exception) or "")
    method = missing["method"] if missing is not None else ""
    compiled = (event.function for event in session.events if isinstance(event, CompileCall))
    if "." in method and method in compiled:
        yield (
            f"`{method}` is compiled by a decorator, and called in compiled code: where it breaks the graph Dynamo "
            "leaves its object out. Take the decorator off, or compile the bound method in `__init__` "
            f"(`self.{method.rpartition('.')[2]} = torch.compile(…)`)"
        )


def _missing_ranks(sessions: Iterable[Session]) -> Iterator[str]:
    headers = [session.header for session in sessions if session.header.rank is not None]
    world = max((header.world_size or 0 for header in headers), default=0)
    missing = sorted(set(range(world)) - {header.rank for header in headers})
    if missing:
        named = ", ".join(map(str, missing[:8])) + (" …" if len(missing) > 8 else "")
        word = "rank" if len(missing) == 1 else "ranks"
        yield (
            f"no session of {word} {named} of {world}: where they ran on other machines, join the sessions "
            "of all with `compilelint report`"
        )


def _call_notes(call: CompileCall) -> Iterator[str]:
    place = f" at {call.stack[-1].path}:{call.stack[-1].line}" if call.stack else ""
    if call.by_recorder:
        yield f"--compile wrapped {call.function}{place}: the program does not compile it itself"
    if call.asked_backend is not None and call.asked_backend != call.backend:
        yield (
            f"--backend {call.backend} instead of {call.asked_backend}: what that backend would say or cost is not seen"
        )
