"""What the recorder saw, as plain frozen records: one per line of a session file.

Every event carries where it belongs: `at`, seconds since the session began; `target`, the number of the
`CompileCall` that was running (outermost first), None outside of one; `call`, how often that target had
been called by then, 1 for its first call, 0 outside of one.

Paths are absolute, as Python saw them; lines are 1-based; stacks are outermost frame first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from compilelint.report.stack import StackFrame

Scalar = str | int | float | bool | None

IN_PROCESS = "in_process"
"""In `Header.settings`: the session is part of a process that did other things, too."""
TORCH_TRACE = "torch_trace"
"""In `Header.settings`: the session was read from a log of TORCH_TRACE."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The first line: which process this is."""

    schema_version: int
    compilelint: str
    """Version of the tool that recorded."""
    program: tuple[str, ...]
    """What was run: `SCRIPT ARGS…` or `-m MODULE ARGS…`; of a child, its own sys.argv."""
    cwd: str
    python: str
    host: str
    pid: int
    parent: int | None
    """Process id of the session's main process if this is a child of it, else None."""
    rank: int | None
    local_rank: int | None
    world_size: int | None
    started: float
    """Seconds since the epoch."""
    settings: Mapping[str, Scalar] = field(default_factory=dict)
    """Options of the trace that change what is seen: strict, backend, compile, stop_after, timeout …"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What all events have."""

    at: float
    target: int | None = None
    call: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TorchLoaded(Event):
    """The program imported torch._dynamo and the recorder listens."""

    version: str
    missing: tuple[str, ...] = ()
    """Kinds of events that this torch does not tell, or whose private names are not where they should be."""
    settings: Mapping[str, Scalar] = field(default_factory=dict)
    """Settings of Dynamo that change what is seen, such as suppress_errors and recompile_limit."""


SWITCH = "switch"
"""Among the settings of `TorchLoaded`: the variable of the environment that turns torch.compile off, if one does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedBlock:
    """Equal blocks in a row of a module."""

    name: str
    """Qualified name of their class."""
    count: int
    path: str
    """Where the module holds them: "encoder.layers"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileCall(Event):
    """The program called torch.compile (or module.compile(), torch._dynamo.optimize)."""

    number: int
    """What `Event.target` of other events refers to; counts from 0 in each process."""
    function: str
    """Qualified name of what is compiled; of a module, its class."""
    what: Literal["function", "module"]
    code: StackFrame | None
    """Where the compiled function, or the module's forward, is defined."""
    stack: tuple[StackFrame, ...]
    """The last frame is the call of torch.compile, as near to it as frames outside torch are."""
    backend: str
    asked_backend: str | None = None
    """What the program asked for, if --backend replaced it."""
    fullgraph: bool = False
    dynamic: bool | None = None
    mode: str | None = None
    by_recorder: bool = False
    """--compile did this: the program itself did not compile the module."""
    repeated: tuple[RepeatedBlock, ...] = ()
    """Of a module, what its graph holds several times."""
    parameters: tuple[str, ...] = ()
    """What the function, or the module's forward, calls what it is given by position; without a bound `self`."""
    owner: int | None = None
    """The number of the object that it is, or whose method it is: of another number, another object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstResult(Event):
    """The first call of a target returned (or raised)."""

    seconds: float
    """How long that call took, with all compilation in it."""
    ok: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileStart(Event):
    """Dynamo began with a frame. With no CompileEnd of the same id after it, it was cut off."""

    compile_id: str
    """As Dynamo prints it: "0/0", frame id / number of the recompilation; restarts are not counted."""
    code: StackFrame
    """File, first line and qualified name of the code object; resume functions are called
    `torch_dynamo_resume_in_<function>_at_<line>`."""
    stack: tuple[StackFrame, ...] = ()
    """Frames outside torch from which the frame was called; the last one is its caller."""
    wraps: tuple[str, ...] = ()
    """The functions that it closes over, as a decorator's wrapper does: `func=module.Net.forward`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileEnd(Event):
    """Dynamo is done with a frame, or AOTAutograd with a backward graph."""

    compile_id: str | None
    code: StackFrame | None
    seconds: float | None
    """The whole compilation of this frame, with restarts and the backend."""
    backend_seconds: float | None = None
    inductor_seconds: float | None = None
    ok: bool = True
    """Guarded code was installed: False if the frame runs without Dynamo from now on."""
    backward: bool = False
    fail_type: str | None = None
    fail_reason: str | None = None
    fail_place: StackFrame | None = None
    restart_reasons: tuple[str, ...] = ()
    ops: int | None = None
    """Operators in the graph."""
    guards: int | None = None
    cache_size: int | None = None
    """Compiled versions of this code that existed before this one."""
    accumulated_cache_size: int | None = None
    recompile_reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphBreak(Event):
    """Dynamo split a graph, or dropped a frame because it could not split it."""

    compile_id: str | None
    code: StackFrame | None
    """The frame that was compiled; the break may lie in a function that was inlined into it."""
    stack: tuple[StackFrame, ...]
    """User stack; the last frame is where it happened."""
    gb_type: str
    """Dynamo's name of the first cause: the title, e.g. "Unsupported Tensor.item() call"."""
    reason: str
    """The whole text of the first cause, without stack: explanation, hints, developer context."""
    gb_id: str | None = None
    """"GB0124", where this torch prints one."""
    explanation: str | None = None
    hints: tuple[str, ...] = ()
    context: str | None = None
    wrapped_by: tuple[str, ...] = ()
    """Titles of what Dynamo reported on top of the first cause, innermost first: loop, with, try."""
    frame_dropped: bool = False
    """The whole frame (and what it inlines) runs without Dynamo."""
    raised: bool = False
    """An exception reached the program: fullgraph=True, error_on_graph_break, --strict."""
    asked: int | None = None
    """Of a jump that is on another line than what it asks, the line of that. The part after the break is named by the
    jump's."""
    text: str = ""
    """The message as Dynamo gave it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameSkipped(Event):
    """Dynamo gave a frame up with no graph break to blame: a generator function, for one."""

    code: StackFrame
    reason: str
    compile_id: str | None = None
    stack: tuple[StackFrame, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardValue:
    """What a failed guard compared."""

    source: str
    """As Dynamo spells it: "L['self'].step"."""
    expected: str | None
    """What the compiled version was made for."""
    actual: str | None
    """repr of the value that was found; None if it could not be read without side effects."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recompile(Event):
    """No compiled version of a frame fitted, and Dynamo compiles another."""

    compile_id: str | None
    code: StackFrame
    guards: tuple[str, ...]
    """One text per compiled version that did not fit, newest version first; without Dynamo's "0/0: "."""
    versions: tuple[str, ...] = ()
    """Compile id of the version that each text in `guards` is of, "" where it does not say."""
    values: tuple[GuardValue | None, ...] = ()
    """For each text in `guards`, what it compared, where that can be told."""
    stack: tuple[StackFrame, ...] = ()
    """Frames outside torch from which the frame was called; the last one is its caller."""
    guard_stack: tuple[StackFrame, ...] = ()
    """The user code for whose sake the first failed guard was made, where this torch tells."""
    closed_over: tuple[str, ...] = ()
    """The frame's variables that are of a function around it, not its own."""
    wraps: tuple[str, ...] = ()
    """As of its CompileStart; found when a session is read."""
    other_function: tuple[str, str, str] | None = None
    """All versions are of another function under the same decorator: the variable that holds it, that of the newest
    version, and that of now; found when a session is read."""
    other_object: str = ""
    """All versions are of other objects of this class than the one that is called; likewise."""
    forbidden: bool = False
    """It was not compiled again: the program had forbidden that, and torch raised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitHit(Event):
    """A frame was recompiled too often: what fits no version of it is silently run eagerly from here on."""

    limit: str
    """"recompile_limit" or "accumulated_recompile_limit"."""
    value: int | None
    code: StackFrame | None
    reason: str
    """The last guard that failed."""
    compile_id: str | None = None
    stack: tuple[StackFrame, ...] = ()
    closed_over: tuple[str, ...] = ()
    """As of a recompile."""
    raised: bool = False
    """The program asked for an exception instead: fullgraph, config.fail_on_recompile_limit_hit."""
    shared: bool = False
    """The version that did not fit is of another function, which Dynamo runs through the same one of its own; found
    when a session is read."""
    wrapped: tuple[str, ...] = ()
    """Functions under one decorator for which most versions were made, as `CompileStart.wraps` tells them; likewise."""
    other_object: str = ""
    """As of a recompile, of most versions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CudagraphSkip(Event):
    reason: str
    compile_id: str | None = None
    stack: tuple[StackFrame, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheUse(Event):
    """A compile cache was asked."""

    cache: Literal["fx-graph", "aot-autograd", "dynamo"]
    outcome: Literal["hit", "miss", "bypass"]
    reason: str | None = None
    compile_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileError(Event):
    """Compilation failed with something that is no graph break: a backend, an operator, Dynamo itself."""

    compile_id: str | None
    code: StackFrame | None
    error: str
    """Type of the exception."""
    message: str
    suppressed: bool
    """The frame runs without Dynamo and the program never learns (suppress_errors); else it was raised."""
    stack: tuple[StackFrame, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LinesTraced(Event):
    """Source lines that Dynamo traced; written at intervals, each time only what is new."""

    path: str
    ranges: tuple[tuple[int, int], ...]
    """First and last line of each run of lines, both included, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable(Event):
    """Dynamo said something that the recorder could not read. A run with one of these never passes."""

    source: str
    """Which hook or logger."""
    message: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Footer:
    """The last line: how the process ended. Nothing of it is known if there is none."""

    ended: float
    """Seconds since the epoch."""
    exit_code: int | None = None
    signal: int | None = None
    exception: str | None = None
    """"ValueError: message", if an exception ended the program."""
    stopped: Literal["timeout", "stop-after", "strict"] | None = None
    """The recorder or its launcher ended the run."""
    calls: tuple[int, ...] = ()
    """How often each target was called."""
    only_run: tuple[int, ...] = ()
    """How many of these calls were made under a stance in which nothing is compiled: `eager_on_recompile`,
    `force_eager`. Empty if none was ever set."""
    from_launcher: bool = False
    """The process could not write this itself: it was killed, or left with os._exit."""


KINDS: Mapping[str, type[Header | Event | Footer]] = {
    "session": Header,
    "torch": TorchLoaded,
    "compile-call": CompileCall,
    "first-result": FirstResult,
    "compile-start": CompileStart,
    "compile-end": CompileEnd,
    "graph-break": GraphBreak,
    "frame-skipped": FrameSkipped,
    "recompile": Recompile,
    "limit-hit": LimitHit,
    "cudagraph-skip": CudagraphSkip,
    "cache": CacheUse,
    "compile-error": CompileError,
    "lines-traced": LinesTraced,
    "unreadable": Unreadable,
    "end": Footer,
}
