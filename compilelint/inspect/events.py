"""Events: what happens in a region, in terms of kinds. All that a rule can match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from compilelint.inspect.kinds import Kind
from compilelint.report.model import Confidence

EventType = Literal[
    "call",
    "branch",
    "index",
    "index-write",
    "attribute",
    "attribute-write",
    "operator",
    "format",
    "iterate",
    "with",
    "import",
    "class-definition",
    "function-definition",
    "global-write",
    "compile",
]

EVENT_TYPES: dict[str, str] = {
    "call": "`callee` is called; `receiver` is what a method is called on, `args` and `keywords` what it is given",
    "branch": "the truth of `receiver` decides; `construct`: if, while, assert, ternary, not, and, or, in, comprehension",
    "index": "`receiver[args[0]]` is read",
    "index-write": "`receiver[args[0]] = args[1]`; `construct`: assign, augmented, delete",
    "attribute": "`receiver.<name>` is read; `callee` is `<class>.<name>`",
    "attribute-write": "`receiver.<name> = args[0]`; `callee` is `<class>.<name>`; `construct`: assign, augmented, delete, append",
    "operator": "an operator whose operands matter; `construct` is its name (`pow`, `matmul` …); `args` are the operands",
    "format": "`args[0]` becomes text; `construct`: f-string, percent, str.format, concat",
    "iterate": "a `for` or comprehension runs over `receiver`",
    "with": "`callee` is entered as a context manager; `receiver` is the manager",
    "import": "`callee` is imported inside a function; `construct`: import, or guarded under `try`",
    "class-definition": "a class is defined inside a function",
    "function-definition": "a function of the region is of this form; `construct`: generator, async, await (an async one that awaits)",
    "global-write": "a module's global is rebound or grows; `construct`: assign, augmented, append; args[0] is the value",
    "compile": "something is compiled; `construct`: call, decorator, method; `callee` is the API; `receiver` what is compiled",
}


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a file: 1-based lines and columns (in characters), `end_column` exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Mode:
    """How the root was compiled, as far as it changes what breaks."""

    fullgraph: bool = False
    capture_scalars: bool = False
    capture_shapes: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where an event happened, and how Dynamo got there."""

    path: str
    function: str
    """Qualified name of the function within its module."""
    reached_from: tuple[str, ...]
    mode: Mode
    aggravated_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happens in a function of a region."""

    type: EventType
    span: Span
    place: Place
    callee: str = ""
    """Fully resolved dotted name: `torch.Tensor.item`, `builtins.print`, `numpy.interp`."""
    construct: str = ""
    receiver: Kind | None = None
    args: tuple[Kind, ...] = ()
    keywords: tuple[tuple[str, Kind], ...] = ()
    starred: bool = False
    """Whether arguments were passed by `*args` or `**kwargs`, so that absence proves nothing."""
    confidence: Confidence = Confidence.HIGH
    outside: bool = False
    """Whether the subject (what is entered, iterated or advanced) was made before the region starts."""
    source: str = ""
    """The source text of the expression, on one line."""
