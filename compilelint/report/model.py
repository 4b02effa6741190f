"""The ground floor: what the check and the trace say, in plain frozen records.

Nothing here knows how a finding was made or how it will be shown. Lines and columns are 1-based,
`end_column` is exclusive, paths are relative to the project root with `/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from compilelint.report.confidence import Confidence
from compilelint.report.stack import StackFrame

Effect = Literal["graph-break", "recompile", "compile-error", "slow-start", "wrong-result", "not-compiled", "none"]
"""What a hazard does; "none" is for findings about the check itself, such as an unused suppression."""
Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
"""The gravest first."""
Verdict = Literal["confirmed", "refuted", "not-reached", "runtime-only"]
ObservationType = Literal[
    "graph-break",
    "frame-skipped",
    "recompile",
    "recompile-limit",
    "compile-error",
    "cudagraph-skip",
    "repeated-blocks",
]


@dataclass(frozen=True, slots=True)
class LibraryPlace:
    """A place in an installed package that the check followed into."""

    path: str
    """Relative to where the package is installed: `transformers/models/led/modeling_led.py`."""
    line: int
    end_line: int
    function: str


@dataclass(frozen=True, slots=True)
class UseOfValue:
    """What a compiled function does with a value that changes, and what comes of it there."""

    source: str
    """Its source text on one line, cut (`…`) where that is long."""
    function: str
    """Qualified name of the function that does it: the one that is called, or one that this calls."""
    effect: Effect
    """What Dynamo does there, which need not be what the finding is of: a number that is no longer the same makes
    another graph, and that one may be split where it is used."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule matched an event at a place in a compiled region."""

    code: str
    name: str
    effect: Effect
    severity: Severity
    confidence: Confidence
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    function: str
    message: str
    suggestion: str
    gb_ids: tuple[str, ...]
    reached_from: tuple[str, ...]
    """Root first, the function that holds the finding (of one in a package: that in the package) last."""
    aggravated_by: tuple[str, ...]
    """Why Dynamo drops frames, or the rest of them, instead of splitting the graph, innermost first; else empty."""
    source_line: str
    """The first physical line of the finding, without its newline."""
    fingerprint: str
    verdict: Verdict | None = None
    fix: None = None
    library: tuple[LibraryPlace, ...] = ()
    """Where it happens, if that is in an installed package and `path` and `line` are those of the user's call: the
    place that the message names, then all others."""
    unsure: tuple[LibraryPlace, ...] = ()
    """More such places, of low confidence, where those above are surer: only a run tells of them."""
    cell: int | None = None
    """Of a notebook, the cell, the first is 1; lines are those of the cell."""
    use: UseOfValue | None = None
    """Of a value that a line gives to what is compiled, what makes it matter there, if the rule tells of that."""


@dataclass(frozen=True, slots=True)
class Observation:
    """Dynamo did something at run time, however often; where it is its own word, as Dynamo's log gives it."""

    type: ObservationType
    reason: str
    """One plain sentence, without a full stop."""
    gb_id: str | None
    path: str
    line: int
    """Of a break, where it happened; of what concerns a whole frame, the first line of its function."""
    function: str
    hits: int
    compile_seconds: float
    """Spent on the pieces that a break makes, or on compiling again."""
    ranks: tuple[int, ...]
    """Those that did it; a process that is no rank of anything counts as rank 0."""
    stack: tuple[StackFrame, ...]
    finding: str | None
    """Fingerprint of the finding that predicted it."""
    severity: Severity = "warning"
    advice: str = ""
    title: str = ""
    """Dynamo's own name for it: the type of a break, the text of a guard."""
    context: str = ""
    """What else Dynamo says about it, in its own words."""
    owner: StackFrame | None = None
    """The innermost frame in the user's own code; None if there is none."""
    owner_call: str = ""
    """Of a break, the text of the owner's line from the call on that it was making; empty if nothing says which."""
    owners: tuple[StackFrame, ...] = ()
    """The owners of all hits: lines that lead to one place in a library are predicted one by one."""
    compiled_by: str = ""
    """The call of torch.compile that it belongs to: `train.py:40 torch.compile(Net)`."""
    frame: StackFrame | None = None
    """The function that was being compiled, at its first line; a break may lie in one that it calls."""
    inside: int = 0
    """Index in `stack` of the first frame inside the compiled call; those before it are its callers."""
    calls: tuple[StackFrame, ...] = ()
    """Every frame inside the compiled call, of all hits: `stack` is that of one."""
    variable: str = ""
    """Of a recompile, what changed, as the source spells it; empty where it has no name."""
    other_variables: tuple[str, ...] = ()
    """The same of versions that did not fit for another reason: had it not changed, they would have served."""
    change: str = ""
    """Of a recompile that others share: the change of mode or of size behind them all."""
    aggravated_by: tuple[str, ...] = ()
    """What made Dynamo drop the frame instead of splitting the graph."""
    frame_dropped: bool = False
    """All of `frame` runs without Dynamo."""
    dropped: tuple[StackFrame, ...] = ()
    """Every function that runs without Dynamo for this, at its first line: first `frame`, then, if the
    break lies in one that it calls, that one, which Dynamo tries next."""
    hits_after_warmup: int = 0
    source_line: str = ""
    """The line of source at path and line, without its newline; empty if it cannot be had."""
    leading_line: str = ""
    """The same of the line that led into torch or Python, where it happened in there."""
    verdict: Verdict | None = None
    """`confirmed` if a finding predicted it, `runtime-only` if none did; None if its files were not checked."""
    accepted: bool = False
    """A comment in the source accepts it: shown, but it breaks no budget."""
    values: tuple[str, ...] = ()
    """Of a recompile, what the guarded value was, as Python writes it: each once, in the order in which they came."""


@dataclass(frozen=True, slots=True)
class FrameCost:
    """What Dynamo spent on one function, or on the part of it after a graph break."""

    path: str
    line: int
    function: str
    compilations: int
    """On the rank that compiled it most often."""
    seconds: float
    """Likewise, on the rank that spent most; with its backward graphs, as far as torch says whose they are."""
    ops: int | None = None
    """Operators in its largest graph."""
    resumed_at: int | None = None
    """Of a part of a function, the line of the break after which it goes on."""
    backward_seconds: float = 0.0
    """Of `seconds`, those of backward graphs that are compiled when they first run."""


MomentType = Literal[ObservationType, "compile", "first-result"]
CompileKind = Literal["first", "after-break", "recompile", "backward"]
"""Why something was compiled: it was called first, goes on after a break, fitted no more, or is a backward graph."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that happened at a known time of a run."""

    type: MomentType
    at: float
    """Seconds since the run began; of a compilation, and of a first call, when that began."""
    process: int
    """Index in `Run.per_process`."""
    path: str = ""
    line: int = 1
    function: str = ""
    """Of a compilation, the function or its part (`step (after line 12)`); empty if nobody says whose it is."""
    compiled_by: str = ""
    """The call of torch.compile that was running; empty outside of all."""
    compile_id: str = ""
    """Dynamo's own name for the compilation: `3/1`."""
    seconds: float = 0.0
    """How long a compilation, or a first call with all compiling in it, took."""
    kind: CompileKind | None = None
    """Of a compilation, why."""
    ok: bool = True
    """Of a compilation: it came to its end, and what it gave is used. Of a first call: it raised nothing."""


@dataclass(frozen=True, slots=True)
class Process:
    """One process of a run, and what compiling cost it."""

    pid: int
    rank: int | None
    """None if no launcher gave it a number."""
    began: float
    """Seconds since the run began."""
    wall_seconds: float
    """From its beginning to its end, or to the last that was seen of it."""
    compile_seconds: float
    compilations: int
    breaks: int
    """Times that a graph broke, or a function was given up."""
    recompiles: int
    first_result_seconds: float | None
    """How long its slowest first call of something compiled took; None if none returned."""
    ended: str
    """In words, as `Run.ended`."""
    cut_off: bool


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit on what a run may do."""

    name: str
    limit: float
    found: float

    @property
    def broken(self) -> bool:
        return self.found > self.limit


@dataclass(frozen=True, slots=True)
class Run:
    """What a traced run was, and what compiling it cost."""

    program: str
    torch: str
    """Its version; empty if the program never imported torch._dynamo."""
    processes: int
    ranks: tuple[int, ...]
    ended: str
    """In words: `exit code 0`, `killed by signal 9` …"""
    cut_off: bool
    """It did not come to its end: what is missing here may still have happened."""
    compile_calls: int
    """Calls of torch.compile and its like, of all processes."""
    compiled_frames: int
    """Functions, and parts of functions after a break, of which Dynamo compiled at least one graph."""
    compilations: int
    compile_seconds: float
    """On the rank that spent most."""
    first_result_seconds: float | None
    """How long the slowest first call of something compiled took; None if none returned."""
    cache_hits: int
    cache_misses: int
    frames: tuple[FrameCost, ...] = ()
    """The most expensive first."""
    started: float = 0.0
    """When the first process began, in seconds since the epoch."""
    wall_seconds: float = 0.0
    """From the beginning of the first process to the end of the last; of runs that were recorded one after another,
    the sum."""
    per_process: tuple[Process, ...] = ()
    """In the order in which they were read."""
    timeline: tuple[Moment, ...] = ()
    """By time; what torch and Python do to themselves is in it, too."""
    budgets: tuple[Budget, ...] = ()
    unreadable: tuple[str, ...] = ()
    """What neither the recorder nor the reader understood: the run proves nothing."""
    notes: tuple[str, ...] = ()
    """What a reader must know to judge the rest: a source that this torch does not have, for one."""
    switched_off: str = ""
    """What in the environment turned torch.compile off: `TORCHDYNAMO_DISABLE=1`."""
    root: str = ""
    """The directory, absolute, that the report's paths are relative to: it follows from the script, and is not
    where the command was given."""


@dataclass(frozen=True, slots=True)
class RulePage:
    """What a rule says for itself, to formats that carry it along."""

    code: str
    name: str
    effect: Effect
    severity: Severity
    message: str
    """One sentence, without what is particular to a place."""
    page: str
    """Markdown: what `compilelint rule CODE` shows."""


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one function, to formats that show source."""

    path: str
    function: str
    """Qualified name within its file; empty for lines outside of all functions."""
    line: int
    """Of the first line of `text`: that of its first decorator, if it has any."""
    text: str
    """Lines end in `\\n`, but for the last."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that kept the tool from doing all of its work: a file it could not read, for one."""

    path: str
    message: str
    line: int | None = None
    cell: int | None = None
    """Of a notebook, the cell that `line` is in."""


@dataclass(frozen=True, slots=True)
class Report:
    """All that one command found out; every output format is a function of this."""

    target_torch: str
    files: int
    functions_in_regions: int
    duration_s: float
    findings: tuple[Finding, ...] = ()
    observations: tuple[Observation, ...] = ()
    errors: tuple[Problem, ...] = ()
    hidden_low_confidence: int = 0
    """Findings that exist but lie below the confidence asked for."""
    suppressed: int = 0
    in_baseline: int = 0
    """Findings and observations that the baseline holds back."""
    on_unchanged_lines: int = 0
    """Findings on lines that did not change since the revision that was asked for."""
    in_other_files: Mapping[str, int] = field(default_factory=dict)
    """Findings, by path, in files of the project that were not named, of what those that were compile."""
    followed: tuple[str, ...] = ()
    """The packages into which calls were followed."""
    unfollowed: tuple[str, ...] = ()
    """Packages of torch code that compiled functions call, or that are compiled, and that could be followed."""
    run: Run | None = None
    """The run that the observations are of; None if nothing was run."""
    rules: tuple[RulePage, ...] = ()
    """Those that findings and observations are of, by code; only for formats that ask for them."""
    sources: tuple[Source, ...] = ()
    """Functions that the report names, by path and line; only for formats that ask for them."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """What the files of the project that it names hold, by path; only for formats that ask for them."""

    @property
    def by_code(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for finding in self.findings:
            counts[finding.code] = counts.get(finding.code, 0) + 1
        return dict(sorted(counts.items()))
