"""Events: what happens in a region, in terms of kinds. All that a rule can match."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from compilelint.inspect.kinds import Kind
from compilelint.report.confidence import Confidence

EventType = Literal[
    "call",
    "operator",
    "branch",
    "match",
    "index",
    "index-write",
    "attribute",
    "attribute-write",
    "format",
    "iterate",
    "with",
    "import",
    "class-definition",
    "function-definition",
    "global-write",
    "body-write",
    "body-return",
    "compile",
]

EVENT_TYPES: dict[str, str] = {
    "call": "`callee` is called; `receiver` is what a method is called on, `args` and `keywords` are what it gets",
    "operator": "syntax or a builtin calls a method of a container or of an object from outside: `a | b` is "
    "`builtins.set.__or__`, `del a[0]` `builtins.list.__delitem__`, `len(d)` `collections.UserDict.__len__`; "
    "of tensors only `x == None`, and all of sparse ones from before the region, "
    "of objects from outside also `x is None` (`operator.is_`) and `isinstance`, "
    "of numbers only those that Python's `random` drew, met by another number",
    "branch": "the truth of `receiver` decides; `construct`: if, while, assert (`args[0]` is its message), "
    "assert-part, ternary, not, and, or, compare, match, comprehension, in, in-tensor; "
    "filter, order where `callee` decides",
    "match": "a `case` asks `receiver`, if it is the whole pattern, for its form; `construct`: class, mapping",
    "index": "`receiver[args]` is read, an argument for each part; `construct`: read, slice-bound (of `args[0]`)",
    "index-write": "`receiver[args[0]] = args[1]`; `construct`: assign, augmented",
    "attribute": "`receiver.<name>` is read; `callee` is `<class>.<name>`; `construct`: override (the class decides "
    "about every attribute)",
    "attribute-write": "`receiver.<name> = args[0]`; `callee` is `<class>.<name>`; `construct`: assign, augmented, "
    "item-augmented (both with `-and-read` where a float is used besides), append, resized, "
    "fill (in an `if` that asks whether it is missing), carry (for the next call, "
    "of what this one has asked whether it is there), first-item (into a dict that was empty)",
    "format": "`args[0]` becomes text; `construct`: f-string, conversion (`{x!r}` in one), percent, concat, "
    "used (the text of a tensor is looked at)",
    "iterate": "a `for` or comprehension runs over `receiver`; `construct`: constant-by-size, or counted-to-size "
    "(a `while`)",
    "with": "`callee` is entered as a context manager; `receiver` is the manager",
    "import": "`callee` is imported inside a function; `construct`: import, or guarded under `try`",
    "class-definition": "a class is defined inside a function; `args` are its bases",
    "function-definition": "a function of the region is of this form; `construct`: generator, async, await, "
    "context-manager (a generator under `@contextmanager`)",
    "global-write": "a module's global is rebound or grows; `construct`: assign, augmented, item-augmented, "
    "append, fill",
    "body-write": "what outlives it is written (`callee`: its name) in the body of a higher-order operator; "
    "`construct`: checkpoint, branch (of cond, while_loop and scan), hook (of a tensor)",
    "body-return": "the body of such an operator (`construct`: branch) gives back what shares memory with what it was "
    "given, or with another part of its result; `callee`: operand, view, twice",
    "compile": "something is compiled; `callee` is the API, `receiver` what is compiled; `construct`: call, method, "
    "and what regions/wrapping.py sees a file do with it",
}


class Span(Struct, frozen=True):
    """A place in a file: 1-based lines and columns (in characters), `end_column` exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Mode(Struct, frozen=True):
    """How the root was compiled, and what runs around in it, as far as it changes what breaks."""

    fullgraph: bool = False
    capture_scalars: bool = False
    capture_shapes: bool = False
    inference: bool = False
    """Inside an `inference_mode` that the compiled code has entered itself."""
    caught: bool = False
    """Inside a `try` whose handlers would go on after an operator failed."""
    strict: bool = False
    """Inside an `error_on_graph_break(True)`, so that a break is an error without `fullgraph`, too."""
    evaluation: bool = False
    """Compiled by a file that only evaluates it, so that `self.training` is false."""


class CallSite(Struct, frozen=True):
    """Where the project's own code goes over into a followed package."""

    path: str
    function: str
    """Qualified name: of the function that calls, of the class that inherits, `<module>` at the top level."""
    span: Span


class Place(Struct, frozen=True):
    """Where an event happened, and how Dynamo got there."""

    path: str
    function: str
    """Qualified name of the function within its module."""
    reached_from: tuple[str, ...]
    mode: Mode
    aggravated_by: tuple[str, ...] = ()
    body: str = ""
    """The sort of higher-order operator whose body this is, see `body-write`; mostly empty."""
    rests_on_annotation: bool = False
    """Whether only annotations say that some of what the function is given are tensors."""
    via: CallSite | None = None
    """Of what happens in a followed package: the innermost place in the project on the way there."""


class Event(Struct, frozen=True):
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
    held: Literal["", "object", "module", "global"] = ""
    """What of the root's own holds the object that is written to, by way of a module or not, or whether a global does,
    see `held.py`."""
    source: str = ""
    """The source text of the expression, on one line."""
    use: str = ""
    """Of an argument that a function is sensitive to, the source text of what that does with it."""
    used_in: str = ""
    """Qualified name of the function that does it: the one that is called, or one that this calls."""

    @property
    def subject(self) -> str:
        """What the event is about, in a word: two events of one subject are told apart by their kinds only."""
        return " ".join(filter(None, (self.type, self.callee, self.construct)))
