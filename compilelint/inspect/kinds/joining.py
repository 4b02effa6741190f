"""What is asked of kinds, and made of them: the possibilities of a value, and one kind for several."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from compilelint.inspect.kinds.sorts import (
    MAX_DEPTH,
    MAX_ITEMS,
    MAX_OPTIONS,
    MEMBER,
    NONE,
    OBJECT,
    UNKNOWN,
    Array,
    Const,
    Constant,
    Dictionary,
    External,
    Function,
    Instance,
    Kind,
    Method,
    Partial,
    Python,
    Scalar,
    Sequence,
    Tensor,
    Union,
    Unknown,
)
from compilelint.report.confidence import Confidence


def options(kind: Kind) -> tuple[Kind, ...]:
    """The possibilities that a kind stands for; a kind that is no Union is its own only one."""
    return kind.options if type(kind) is Union else (kind,)


def is_bool(kind: Kind) -> bool:
    """Whether it is a truth value of Python that source does not tell."""
    return type(kind) is Python and kind.type == "bool" and not kind.numpy


def is_held_as_tensor(kind: Kind) -> bool:
    """Whether Dynamo holds it as a tensor: one, a number out of one, and whatever numpy computed."""
    return type(kind) in _HELD_AS_TENSORS or (type(kind) is Python and kind.numpy)


_HELD_AS_TENSORS = frozenset({Tensor, Scalar, Array})


def may_be_held_as_tensor(kind: Kind) -> bool:
    """Whether Dynamo may hold it as a tensor: whether that is so for one of the possibilities."""
    return any(map(is_held_as_tensor, kind.options)) if type(kind) is Union else is_held_as_tensor(kind)


def join(*kinds: Kind) -> Kind:
    """The kind of a value that is one of these (a name after an `if`, the returns of a function)."""
    if not kinds:
        return UNKNOWN
    first = kinds[0]
    if type(first) is not Union and kinds.count(first) == len(kinds):
        return first
    found: list[Kind] = []
    partly_unknown = False
    for kind in kinds:
        for option in kind.options if type(kind) is Union else (kind,):
            if type(option) is Unknown:
                partly_unknown = True
            elif option not in found:
                _merge_into(found, option)
    if partly_unknown:
        # On one path at least it is a tensor, or a number that Dynamo holds as one: that path is there to be taken.
        tensor = next((option for option in found if isinstance(option, Tensor) or _is_number_of_graph(option)), None)
        return Union((tensor, OBJECT)) if tensor is not None else UNKNOWN
    if not found:
        return UNKNOWN
    if len(found) == 1:
        return found[0]
    return Union(tuple(found)) if len(found) <= MAX_OPTIONS else UNKNOWN


def _is_number_of_graph(kind: Kind) -> bool:
    """Whether it is a number that `random` drew, or numpy computed, in the region."""
    match kind:
        case Scalar(drawn=drawn):
            return drawn
        case Array(number=True, kept=kept):
            return not kept
        case _:
            return False


def _merge_into(found: list[Kind], option: Kind) -> None:
    """Add what is not among them."""
    sort = type(option)
    for index, other in enumerate(found):
        if type(other) is sort or (sort in _PLAIN and type(other) in _PLAIN):
            merged = _merge(other, option)
            if merged is not None:
                found[index] = merged
                return
    found.append(option)


_PLAIN = frozenset({Const, Python})
"""The sorts that may be merged with another sort."""


def _sureness_of_either(one: Confidence, other: Confidence) -> Confidence:
    """What is a tensor for sure on one path is one of several possibilities, however unlikely the others are."""
    least = min(one, other)
    return Confidence.MEDIUM if least == Confidence.LOW and Confidence.HIGH in (one, other) else least


def _merge(left: Kind, right: Kind) -> Kind | None:
    match left, right:
        case Tensor(), Tensor():
            return Tensor(
                left.dtype if left.dtype == right.dtype else None,
                left.ndim if left.ndim == right.ndim else None,
                _sureness_of_either(left.confidence, right.confidence),
                left.parameter and right.parameter,
                left.foreseen and right.foreseen,
                left.sparse and right.sparse,
                left.undeclared and right.undeclared,
            )
        case Array(), Array() if left.row is not right.row:
            plain = replace(left, row=False)
            return plain if plain == replace(right, row=False) else None
        case (Const() | Python(), Const() | Python()) if type_name(left) == type_name(right) != "NoneType":
            return Python(type_name(left))
        case Instance(), Instance() if left.cls == right.cls:
            others = dict(right.given)
            given = tuple((name, join(kind, others[name])) for name, kind in left.given if name in others)
            options = left.options if left.options == right.options else ()
            settled = left.settled if left.settled == right.settled else ()
            fresh, of_program = left.fresh and right.fresh, left.of_program and right.of_program
            return Instance(left.cls, left.module, fresh, given, options, settled, of_program)
        case Sequence(items=tuple(ours)), Sequence(items=tuple(theirs)) if left.type == right.type and len(ours) == len(
            theirs
        ):
            items = tuple(join(a, b) for a, b in zip(ours, theirs, strict=True))
            return Sequence(
                left.type, UNKNOWN, items, given=left.given and right.given, default=left.default and right.default
            )
        case Sequence(), Sequence() if left.type == right.type and not _are_two_answers(left, right):
            # An empty list that a loop fills holds what the loop puts into it.
            item = join(*(element(kind) for kind in (left, right) if kind.items != ()))
            return Sequence(left.type, item, given=left.given and right.given, default=left.default and right.default)
        case External(cls="torch.nn.Sequential" | "torch.nn.ModuleDict"), External() if left.cls == right.cls:
            return None if left.args and right.args else left if left.args else right
        case External(cls="torch.nn.ModuleList"), External(cls="torch.nn.ModuleList"):
            return External(left.cls, tuple(dict.fromkeys((*left.args, *right.args)))[:MAX_OPTIONS])
        case Dictionary(), Dictionary() if left.type == right.type:
            entries = _joined_entries(left, right)
            return Dictionary(
                join(left.value, right.value),
                entries,
                left.type,
                left.record or right.record,
                default=left.default and right.default,
                closed=left.closed and right.closed and len(entries) < MAX_ITEMS,
            )
        case _:
            return None


def _joined_entries(left: Dictionary, right: Dictionary) -> tuple[tuple[Constant, Kind], ...]:
    """What is known of the keys of two dicts: what only one of them has may be missing (`if self.aux_loss:
    out["aux_outputs"] = …`), and is nothing else.

    Where no key is known of one of them, it may have all that the other has, as another kind: a tensor is one still.
    """
    ours, theirs = dict(left.entries), dict(right.entries)
    if not ours or not theirs:
        others = right.value if ours else left.value
        either = tuple((key, join(kind, others)) for key, kind in (ours or theirs).items())
        return either if any(kind != UNKNOWN for _, kind in either) else ()
    if ours.keys() != theirs.keys():
        ours = dict.fromkeys(theirs, _without_key(left)) | ours
        theirs = dict.fromkeys(ours, _without_key(right)) | theirs
    return tuple((key, join(kind, theirs[key])) for key, kind in ours.items())[:MAX_ITEMS]


def _without_key(kind: Dictionary) -> Kind:
    """What a dict gives for a key that is not among those that are known: what it is declared to hold, if it is."""
    known = options(join(*(value for _, value in kind.entries)))
    declared = kind.value != UNKNOWN and any(option not in known for option in options(kind.value))
    return kind.value if declared else NONE


def _are_two_answers(left: Sequence, right: Sequence) -> bool:
    """Whether tuples are two records of different lengths, `(x, size)` and `(x, gates, loss)`: which one it is decides
    what is a tensor and what a number.

    What is as long as it happens to be, as a tuple to which each layer adds its output, has parts of one kind.
    """
    if left.type != "tuple" or not left.items or not right.items or len(left.items) == len(right.items):
        return False
    parts = (*left.items, *right.items)
    return any(map(_is_number, parts)) and any(type(part) is Tensor for part in parts)


def _is_number(kind: Kind) -> bool:
    """Whether it is a number, or several, as a size."""
    if type(kind) is Sequence:
        return any(map(_is_number, kind.items or (kind.item,)))
    return isinstance(kind, Const | Python) and kind.type in ("int", "float")


def type_name(kind: Const | Python) -> str:
    """The name of a Python value's type: "int", "NoneType", "object" …"""
    return kind.type


def element(kind: Sequence) -> Kind:
    """What iterating a sequence gives."""
    if kind.items:
        return join(*kind.items) if kind.record else _one_of(kind.items)
    return kind.item if kind.items is None else UNKNOWN


def _one_of(items: tuple[Kind, ...]) -> Kind:
    """What one of several items is, part by part where they are rows, as `zip` gives them.

    One of `[None, self.width, 3]` may be anything, but it is a list of numbers: nothing says that there is a tensor.
    """
    rows = [item for item in items if isinstance(item, Sequence) and item.items and not item.record]
    if len(rows) == len(items) and len({(row.type, len(row.items or ())) for row in rows}) == 1:
        columns = zip(*(row.items or () for row in rows), strict=True)
        return Sequence(rows[0].type, UNKNOWN, tuple(_one_of(column) for column in columns))
    known = [item for item in items if item != UNKNOWN]
    if known and len(known) < len(items) and all(isinstance(item, Const | Python) for item in known):
        return join(*known, OBJECT)
    return join(*items)


def any_item(kind: Sequence) -> Kind:
    """What is at an index that is not known: of elements of many kinds nobody can tell."""
    found = element(kind)
    return UNKNOWN if kind.record or (kind.items is not None and isinstance(found, Union)) else found


def any_value(kind: Dictionary) -> Kind:
    """What a value of a dict is whose key is not known: where the known ones are of many kinds, nobody can tell."""
    if kind.record:
        return UNKNOWN
    known = join(*(value for _, value in kind.entries)) if kind.entries else kind.value
    if kind.value == UNKNOWN and isinstance(known, Union):
        return UNKNOWN
    return known if kind.value == UNKNOWN else join(known, kind.value)


def each_value(kind: Dictionary) -> Kind:
    """What each value of a dict is, for who goes through all of them.

    `meter.update(loss=loss, accuracy=hits)`: where it is all that the call gives, each is a tensor.
    """
    values = tuple(value for _, value in kind.entries)
    if kind.record and kind.closed and values and all(isinstance(value, Tensor) for value in values):
        return join(*values)
    return any_value(kind)


def sequence(type_: str, items: Iterable[Kind]) -> Sequence:
    """A sequence whose elements are all known; long ones keep only what their elements have in common."""
    known = tuple(items)
    if len(known) > MAX_ITEMS or any(depth(item) >= MAX_DEPTH for item in known):
        return Sequence(type_, shallow(join(*known)))
    return Sequence(type_, UNKNOWN, known)


def depth(kind: Kind) -> int:
    """How deep containers nest in a kind; bounds the growth of kinds in loops."""
    match kind:
        case Sequence():
            return 1 + max((depth(item) for item in kind.items or (kind.item,)), default=0)
        case Dictionary():
            return 1 + max([depth(kind.value), *(depth(value) for _, value in kind.entries)])
        case Union():
            return max(depth(option) for option in kind.options)
        case External(args=args) | Partial(args=args) if args:
            return 1 + max(depth(arg) for arg in args)
        case Method():
            return 1 + depth(kind.receiver)
        case Function() if kind.receiver is not None:
            return depth(kind.receiver)
        case _:
            return 0


def shallow(kind: Kind) -> Kind:
    """The kind itself if it is shallow enough to be nested once more, else Unknown."""
    return kind if depth(kind) < MAX_DEPTH else UNKNOWN


def tensor_part(kind: Kind) -> Tensor | None:
    """The tensor that a kind may be, with the confidence that it is one; None where it cannot be.

    `None` beside a tensor (an optional argument) does not lower the confidence, another Python
    value does: the code may have sorted them out in a way that source does not show.
    """
    if type(kind) is Tensor:
        return kind
    if type(kind) is not Union:
        return None
    tensor = next((option for option in kind.options if isinstance(option, Tensor)), None)
    if tensor is None:
        return None
    others = [option for option in kind.options if option is not tensor and option != NONE]
    return replace(tensor, confidence=min(tensor.confidence, Confidence.MEDIUM)) if others else tensor


def without(kind: Kind, *types: type) -> Kind:
    """The kind once it is known not to be of these classes of kind; Unknown if nothing remains."""
    rest = tuple(option for option in options(kind) if not isinstance(option, types))
    return join(*rest) if rest else UNKNOWN


def with_entries(before: Dictionary, more: Kind) -> Dictionary:
    """A dict that is given the entries of another: of what is not known of that, any may be among them."""
    if isinstance(more, Dictionary) and more.entries and not more.record:
        value = more.value if before.value == UNKNOWN else join(before.value, more.value)
        entries = dict(before.entries) | dict(more.entries)
        closed = before.closed and more.closed and len(entries) <= MAX_ITEMS
        return replace(before, value=value, entries=tuple(entries.items())[:MAX_ITEMS], closed=closed)
    return with_any_entry(before)


def with_any_entry(before: Dictionary) -> Dictionary:
    """A dict of which each entry may have been replaced."""
    entries = tuple((key, loosened(each)) for key, each in before.entries)
    return replace(before, value=loosened(before.value), entries=entries, closed=False)


def loosened(kind: Kind) -> Kind:
    """What an item is that may have been replaced by another of its sort: of a constant, any."""
    return UNKNOWN if kind == NONE else widen(kind) if type(kind) is Const else kind


def widen(kind: Kind) -> Kind:
    """The kind without values that may differ the next time: `Const(3)` is then just an int."""
    match kind:
        case Const(value) if value is not None:
            return Python(kind.type)
        case Instance(settled=((name, _),)) if name == MEMBER:
            return replace(kind, settled=())
        case Union():
            return join(*(widen(option) for option in kind.options))
        case Sequence(items=items) if items is not None:
            return sequence(kind.type, (widen(item) for item in items))
        case _:
            return kind


def of_any_rank(kind: Kind) -> Kind:
    """The kind, of however many dimensions its tensors are."""
    ranked = any(isinstance(option, Tensor) and option.ndim is not None for option in options(kind))
    if not ranked:
        return kind
    return join(*(replace(option, ndim=None) if isinstance(option, Tensor) else option for option in options(kind)))


def but_none(kind: Union) -> Kind:
    """The kind of what may be None where it is used as None cannot be: `self.count + 1`."""
    return join(*(option for option in kind.options if option != NONE)) if NONE in kind.options else kind
