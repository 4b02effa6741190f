"""The state of walking one function: what its names are now, where it is, and what it has been seen to do."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.events import Event, EventType, Mode, Place, Span
from compilelint.inspect.kinds import Array, Const, Instance, Kind, Python, Scalar, Tensor
from compilelint.report.confidence import Confidence
from compilelint.source.model import FunctionInfo, Key, ModuleIndex

if TYPE_CHECKING:
    from compilelint.inspect.deciding.asked_again import Asked
    from compilelint.inspect.inspector import Inspector

_NOT_LOOKED_FOR = Span(0, 0, 0, 0)


class Route(Struct, frozen=True):
    """How a function is reached: from the root down, and under which mode it is compiled."""

    steps: tuple[str, ...] = ()
    mode: Mode = field(default_factory=Mode)
    ceiling: Confidence = Confidence.HIGH
    """LOW on a path that is taken only when something went wrong."""
    depth: int = 0
    body: str = ""
    """The sort of higher-order operator whose body this is part of, see `bodies.py`."""
    enters_body: bool = False
    """Whether the function is that body itself, not one that it calls."""
    home: str = ""
    """Where only the usual paths count as sure: the one file of which all paths do, that of the root; else empty."""
    once: bool = False
    """Whether only the first call of the root comes here, see `once.py`."""
    border: int = 0
    """In a followed package: the number of the call that led into it, see `borders.py`; else 0."""
    single: bool = False
    """Whether it is called only where a length is one, see `sizing/single_size.py`."""


class Frame(Struct, eq=False):
    """One activation of a function, or of a module's top level, in the abstract."""

    inspector: Inspector
    module: ModuleIndex
    function: FunctionInfo | None
    route: Route
    env: dict[str, Kind] = field(default_factory=dict)
    closure: Mapping[str, Kind] = field(default_factory=dict)
    assumed: tuple[tuple[str, Kind], ...] = ()
    """What is assumed of items and attributes of what it was given, by path."""
    receiver: Kind | None = None
    owner: Key | None = None
    """The class in whose body the function stands, for `super()`."""
    globals_written: set[str] = field(default_factory=set)
    globals_filled: set[str] = field(default_factory=set)
    """Those that were given an item, `LATEST["loss"] = x`: what they hold since is known as of a local."""
    aggravators: list[str] = field(default_factory=list)
    rehearsals: int = 0
    """Above zero while a loop's body is walked only to learn what its names become."""
    ceiling: Confidence = Confidence.HIGH
    returns: list[Kind] = field(default_factory=list)
    supposed: set[int] = field(default_factory=set)
    """Which of these are returned only if something of which nothing is known is a tensor."""
    yields: list[Kind] = field(default_factory=list)
    loop_exits: list[list[dict[str, Kind]]] = field(default_factory=list)
    breaks: int = 0
    """The number of breaks that the names have been settled for."""
    replaced: set[str] = field(default_factory=set)
    """Attributes that this activation has assigned anew."""
    conditions: list[ast.expr] = field(default_factory=list)
    """The tests of the `if`s and `while`s around, outermost first."""
    once: bool = False
    """Whether what is being walked runs in the first call only, see `once.py`."""
    chosen: Asked = field(default_factory=dict)
    """The conditions of the `if`s so far of which both branches were walked."""
    rests_on_annotation: bool = False
    """Whether only its annotations say that some of what it is given are tensors."""
    given_up: bool = False
    """Whether something has been seen here for which Dynamo gives up the whole frame."""
    operator: str = ""
    """The sort of higher-order operator whose body is being entered from here."""
    statement: ast.stmt | None = None
    """What is being walked."""
    leaves_out: bool = False
    """Whether something was not walked, as a condition was decided by what is known here."""
    runs_before: bool = False
    """Whether Python has run all this before anything is compiled, as it has an `__init__`."""
    made: dict[Instance, int] = field(default_factory=dict)
    """The objects that calls have made here, with the number of breaks that there were by then."""

    def __post_init__(self) -> None:
        self.breaks = self.inspector.breaks

    @property
    def qualname(self) -> str:
        return self.function.qualname if self.function else "<module>"

    def closed_over(self) -> dict[str, Kind] | None:
        """What a function that is defined here sees of the names around it; None at a module's top level, whose names
        are globals: they may change after they were read."""
        return None if self.function is None and not self.closure else {**self.closure, **self.env}

    @property
    def is_heard(self) -> bool:
        """Whether events are reported; where they are not, nobody need gather what they would say."""
        return not self.rehearsals and not self.inspector.silent

    def is_idle(self, call: ast.AST) -> bool:
        """Whether nothing that a function does matters that is called here: it is called as a statement of its own, for
        its effects, and nobody looks at these."""
        if not self.inspector.silent or self.inspector.seeks_effects:
            return False
        return isinstance(self.statement, ast.Expr) and self.statement.value is call

    def emit(
        self,
        type_: EventType,
        node: ast.AST,
        *,
        callee: str = "",
        construct: str = "",
        receiver: Kind | None = None,
        args: Sequence[Kind] = (),
        keywords: Mapping[str, Kind] | None = None,
        starred: bool = False,
        confidence: Confidence = Confidence.HIGH,
        subject: ast.expr | None = None,
    ) -> None:
        """Report an event at a node, unless nobody asked for its like."""
        inspector = self.inspector
        if self.rehearsals or inspector.silent or not inspector.wants(type_, callee):
            return
        happened = Event(
            type_,
            _NOT_LOOKED_FOR,
            _anywhere(self.route.mode, self.route.body),
            callee,
            construct,
            receiver,
            tuple(args),
            tuple((keywords or {}).items()),
            starred,
            min(confidence, self.ceiling, self.route.ceiling),
            subject is not None and self.is_outside(subject),
        )
        # Where it happened is only found out for the few events that may concern somebody.
        if not inspector.concerns(happened):
            return
        place = Place(
            self.module.name,
            self.qualname,
            (*self.route.steps, self.qualname),
            self.route.mode,
            tuple(reversed(self.aggravators)),
            self.route.body,
            rests_on_annotation=self.rests_on_annotation,
        )
        event = replace(happened, span=span_of(self.module, node), place=place, source=source_of(self.module, node))
        inspector.events.append(event)
        if not self.runs_once:
            inspector.breaks += inspector.splits(event)
        self.given_up = self.given_up or inspector.gives_up(event)

    @property
    def runs_once(self) -> bool:
        """Whether only the first call of the root comes to what is being walked."""
        return self.once or self.route.once

    def outlives_calls(self, owner: Instance) -> bool:
        """Whether an object was there before the region. If it is no module, it may be one that a caller renews, as
        a cache: whether it is held by what the root belongs to, rules ask of the event (`held`)."""
        return not owner.fresh

    def settle_before_ways_part(self) -> None:
        """Settle the names for the breaks so far: what is settled on one way later on is so on that alone."""
        if self.breaks != self.inspector.breaks:
            self.settle()

    def settle(self) -> None:
        """After a break all that was computed before it is an input of the next graph. A break where Dynamo cannot
        resume drops the frame: until it is mended no graph follows, and afterwards the same graph goes on."""
        self.breaks = self.inspector.breaks
        if self.aggravators:
            return
        for name, kind in self.env.items():
            if type(kind) in _OF_GRAPHS and (settled := _settled(kind)) is not kind:
                self.env[name] = settled

    def settled_since(self, breaks: int, kind: Kind) -> Kind:
        """What a call gave: an input of the next graph, too, if the graph broke in it."""
        return kind if breaks == self.inspector.breaks or self.aggravators else _settled(kind)

    def is_outside(self, node: ast.expr) -> bool:
        """Whether an expression only names what is there before the region: a global, or an attribute of such."""
        path = path_of(node)
        if path is None or path in self.env:
            return False
        head, _, rest = path.partition(".")
        if rest and isinstance(node, ast.Attribute) and self.inspector.runs_to_read(self, node):
            return False
        return bool(rest) if head in self.env else head not in self.closure or self._is_itself(head)

    def _is_itself(self, name: str) -> bool:
        """Whether an inner function means itself by a name, and was there before: the `wrapper` of a decorator, unless
        the region comes to it by the function that makes it."""
        makes, _, own = self.qualname.rpartition(".<locals>.")
        return own == name and not any(step.partition(" (")[0] == makes for step in self.route.steps)

    @contextmanager
    def aggravated(self, reason: str) -> Iterator[None]:
        self.aggravators.append(reason)
        yield
        self.aggravators.pop()

    @contextmanager
    def entering(self, operator: str) -> Iterator[None]:
        before, self.operator = self.operator, operator
        yield
        self.operator = before

    @contextmanager
    def at_most(self, ceiling: Confidence) -> Iterator[None]:
        before, self.ceiling = self.ceiling, min(self.ceiling, ceiling)
        yield
        self.ceiling = before

    @contextmanager
    def under(self, condition: ast.expr) -> Iterator[None]:
        self.conditions.append(condition)
        yield
        self.conditions.pop()

    @property
    def receiver_instance(self) -> Instance | None:
        return self.receiver if isinstance(self.receiver, Instance) else None


@functools.cache
def _anywhere(mode: Mode, body: str) -> Place:
    """A place of which nothing else is known."""
    return Place("", "", (), mode, body=body)


def path_of(node: ast.expr) -> str | None:
    """`self.a.b` as the key under which a frame remembers what was assigned to it; None if there is more to it."""
    if type(node) is ast.Name:
        return node.id
    if type(node) is not ast.Attribute:
        return None
    if type(node.value) is ast.Name:
        return f"{node.value.id}.{node.attr}"
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    parts.append(node.id)
    return ".".join(reversed(parts))


def item_of(path: str, index: Const) -> str:
    """The key under which a frame remembers what the item of a container is, where that is known of this item alone."""
    return f"{path}[{index.value!r}]"


def span_of(module: ModuleIndex, node: ast.AST) -> Span:
    """The place of a node, in characters (ast counts bytes of UTF-8)."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return _header_span(module, node)
    line, end_line = getattr(node, "lineno", 1), getattr(node, "end_lineno", None) or 1
    return Span(
        line,
        _characters(module, line, getattr(node, "col_offset", 0)) + 1,
        end_line,
        _characters(module, end_line, getattr(node, "end_col_offset", None) or 0) + 1,
    )


def _header_span(module: ModuleIndex, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Span:
    """Of a definition only its name is pointed at, not its body."""
    line = module.lines[node.lineno - 1] if node.lineno <= len(module.lines) else ""
    column = line.find(node.name, _characters(module, node.lineno, node.col_offset)) + 1
    return Span(node.lineno, max(column, 1), node.lineno, max(column, 1) + len(node.name))


def _characters(module: ModuleIndex, line: int, offset: int) -> int:
    text = module.lines[line - 1] if 0 < line <= len(module.lines) else ""
    return offset if text.isascii() else len(text.encode()[:offset].decode(errors="ignore"))


def source_of(module: ModuleIndex, node: ast.AST) -> str:
    """The source text of a node, on one line and at most some 60 characters long."""
    span = span_of(module, node)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return f"{'class' if isinstance(node, ast.ClassDef) else 'def'} {node.name}"
    if span.line == span.end_line:
        text = module.lines[span.line - 1][span.column - 1 : span.end_column - 1]
    else:
        lines = module.lines[span.line - 1 : span.end_line]
        text = " ".join(
            [
                lines[0][span.column - 1 :],
                *(line.strip() for line in lines[1:-1]),
                lines[-1][: span.end_column - 1].strip(),
            ]
        )
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "…"


def nowhere() -> ast.AST:
    """What stands for a call that is written nowhere."""
    return ast.Pass(lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)


_OF_GRAPHS = frozenset({Array, Instance, Python, Scalar, Tensor, kinds.Sequence})
"""What may be another thing in the next graph."""


def _settled(kind: Kind) -> Kind:
    """What a value is in the next graph. That a tensor is sparse was told where it was made: there the graph broke."""
    match kind:
        case Tensor(parameter=False):
            return replace(kind, parameter=True, sparse=False)
        case kinds.Sequence(items=tuple(items)) if any(_settled(item) is not item for item in items):
            return replace(kind, items=tuple(map(_settled, items)))
        case Instance(fresh=True, given=(_, *_) as given) if any(_settled(each) is not each for _, each in given):
            return replace(kind, given=tuple((name, _settled(each)) for name, each in given))
        case Scalar(drawn=True):
            return Python(kind.type)
        case Array(kept=False) if kind.number:
            return replace(kind, kept=True)
        case Python(type="int", numpy=True):
            return Python(kind.type)
        case _:
            return kind
