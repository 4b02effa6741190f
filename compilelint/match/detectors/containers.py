"""What containers hold."""

from __future__ import annotations

from collections.abc import Callable

from compilelint.inspect import kinds
from compilelint.inspect.events import Event
from compilelint.inspect.kinds import Kind
from compilelint.inspect.labels import labels
from compilelint.report.confidence import Confidence


def holds_tensor(event: Event) -> bool:
    """The first argument is a container or iterator of tensors."""
    return bool(event.args) and _elements_are_tensors(event.args[0])


def holds_tensors_unstacked(event: Event) -> Confidence | None:
    """How surely a constructor of a type is given tensors that Dynamo does not put together for it.

    A list of nothing but tensors, two or more, it stacks, and what comes of it is taken if it is of that type, and on
    the CPU: `torch.FloatTensor(scores)`.
    """
    if not holds_tensor(event):
        return None
    return Confidence.LOW if _is_stacked(event.args[0], _OF_TYPE.get(event.callee)) else Confidence.HIGH


def holds_numpy(event: Event) -> Confidence | None:
    """How surely a constructor is given what numpy computes, numbers or arrays: each is a tensor to Dynamo.

    As with tensors it stacks a list of nothing else, if that is of the constructor's type. What holds tensors as well
    is another's finding.
    """
    if not event.args or holds_tensor(event):
        return None
    items = [item for option in kinds.options(event.args[0]) for item in _each(option)]
    if not any(_is_of_numpy(option) for item in items for option in kinds.options(item)):
        return None
    is_sure = any(_is_of_numpy(item) for item in items)
    return Confidence.HIGH if is_sure and not _is_stacked_of_numpy(event.args[0], event.callee) else Confidence.LOW


def _each(held: Kind) -> tuple[Kind, ...]:
    """The items of a list or tuple; none of all else."""
    if not isinstance(held, kinds.Sequence) or held.type not in ("list", "tuple"):
        return ()
    return held.items if held.items is not None else (held.item,)


def _is_of_numpy(kind: Kind) -> bool:
    return isinstance(kind, kinds.Array) or (isinstance(kind, kinds.Python) and kind.numpy)


def _is_stacked_of_numpy(held: Kind, callee: str) -> bool:
    if callee not in _OF_NUMPY or not isinstance(held, kinds.Sequence) or held.type != "list":
        return False
    return held.items is None or (len(held.items) > 1 and all(map(_is_of_numpy, held.items)))


_OF_NUMPY = frozenset({"torch.DoubleTensor", "torch.LongTensor"})
"""Constructors of what numpy's numbers are, unless they are of another width."""

_OF_TYPE: dict[str, kinds.DType] = {"torch.FloatTensor": "float", "torch.LongTensor": "int"}
"""Constructors of what tensors mostly are; of others' tensors nobody knows that they are as wide."""


def _is_stacked(held: Kind, dtype: kinds.DType | None) -> bool:
    if dtype is None or not isinstance(held, kinds.Sequence) or held.type != "list":
        return False
    items = held.items if held.items is not None else (held.item, held.item)
    return len(items) > 1 and all(
        isinstance(option, kinds.Tensor) and option.dtype in (None, dtype)
        for item in items
        for option in kinds.options(item)
    )


def orders_by_tensor(event: Event) -> bool:
    """Tensors are put in order, or compared in Python, with nothing but themselves to compare."""
    if any(name == "key" for name, _ in event.keywords):
        return False
    ordered = _ordered(event)
    if not isinstance(ordered, kinds.Sequence) or not _elements_are_tensors(ordered):
        return False
    return event.callee.endswith(_SORTING) or any(key == "default" for key, _ in event.keywords)


def orders_rows_with_tensors(event: Event) -> bool:
    """Rows are put in order, without a key, that hold tensors: `sorted(features.items())`. It is not asked whether the
    names would do."""
    if any(name == "key" for name, _ in event.keywords):
        return False
    ordered = _ordered(event)
    rows = _elements(ordered) if isinstance(ordered, kinds.Sequence) else []
    return any(
        isinstance(row, kinds.Sequence) and any(kinds.tensor_part(item) is not None for item in row.items or ())
        for row in rows
    )


def iterates_rows(event: Event) -> bool:
    """The largest of the tuples is asked for that an iterator gives: `max(zip(scores, names))`. With a `key` it is the
    iterator alone that matters."""
    match event.args:
        case [kinds.Sequence(type="iterator" | kinds.KEYS) as rows] if all(name != "key" for name, _ in event.keywords):
            row = kinds.element(rows)
            return isinstance(row, kinds.Sequence) and row.type == "tuple"
        case _:
            return False


_SORTING = ("sort", "sorted")


def _ordered(event: Event) -> Kind | None:
    """What a call of `sorted`, `max` or `list.sort` puts in order."""
    if event.callee.endswith(".sort"):
        return event.receiver
    return event.args[0] if event.args else None


def bool_list_index(event: Event) -> bool:
    """A tensor is indexed with a list of Python bools."""
    return any(
        isinstance(arg, kinds.Sequence) and bool(arg.items) and all(_is_bool(item) for item in arg.items or ())
        for arg in event.args
    )


def holds_computed_tensor(event: Event) -> Confidence | None:
    """How surely some argument is a list or tuple that holds what the region has computed: `torch.zeros((n.max(), 4))`,
    `F.pad(x, [size for pair in sizes for size in pair])`.

    A whole number that was there before, as a tensor, is a number to Dynamo: `torch.zeros((2, self.hidden_size))`.
    What is worked on is a tensor, and no sizes, whatever other paths make of it: a list there is an error.
    """
    return _how_surely_held(event, _is_computed)


def holds_number_of_numpy(event: Event) -> Confidence | None:
    """How surely one holds a number of numpy's own types, which the region has computed: `F.pad(x, (0, n * hop))`."""
    return _how_surely_held(event, _is_number_of_numpy)


def axis_of_tensor(event: Event) -> Confidence | None:
    """How surely a tensor that the region has computed is the length of an axis: `rearrange(x, pattern, k=n.max())`."""
    found = (_how_surely(value, _is_computed) for name, value in event.keywords if name != "reduction")
    return max((sure for sure in found if sure is not None), default=None)


def _how_surely_held(event: Event, is_wanted: Callable[[Kind], bool]) -> Confidence | None:
    sizes = event.args[1:] if (event.callee or "").startswith(_ON_A_TENSOR) else event.args
    held = (
        _how_surely(item, is_wanted)
        for arg in (*sizes, *(value for _, value in event.keywords))
        if isinstance(arg, kinds.Sequence)
        for item in (arg.items if arg.items is not None else (kinds.element(arg),))
    )
    return max((sure for sure in held if sure is not None), default=None)


_ON_A_TENSOR = ("torch.nn.functional.", "torch.reshape", "torch.tile", "torch.split", "torch.roll")


def _how_surely(kind: Kind, is_wanted: Callable[[Kind], bool]) -> Confidence | None:
    """None if it is none; of one of several kinds that it may have, nobody is sure."""
    wanted = [option for option in kinds.options(kind) if is_wanted(option)]
    others = [option for option in kinds.options(kind) if option not in wanted and option != kinds.NONE]
    sure = [option.confidence if isinstance(option, kinds.Tensor) else Confidence.HIGH for option in wanted]
    return min(max(sure), Confidence.MEDIUM if others else Confidence.HIGH) if sure else None


def _is_computed(kind: Kind) -> bool:
    return not labels(kind).isdisjoint(_COMPUTED)


_COMPUTED = frozenset({"computed-data", "computed-ndarray"})


def _is_number_of_numpy(kind: Kind) -> bool:
    return "array-number" in labels(kind)


def _elements_are_tensors(kind: Kind) -> bool:
    return any(kinds.tensor_part(part) is not None for option in kinds.options(kind) for part in _elements(option))


def _elements(kind: Kind) -> list[Kind]:
    match kind:
        case kinds.Sequence():
            return [kinds.element(kind)]
        case kinds.Dictionary(value=value, entries=entries):
            return [value, *(entry for _, entry in entries)]
        case _:
            return []


def _is_bool(kind: Kind) -> bool:
    return isinstance(kind, kinds.Const | kinds.Python) and kinds.type_name(kind) == "bool"


def default_of_number(event: Event) -> bool:
    """A `defaultdict` whose values begin as a number or a text."""
    return bool(event.args) and event.args[0] in [
        kinds.Reference(f"builtins.{name}") for name in ("int", "float", "str", "bool")
    ]


def holds_tensors_itself(event: Event) -> bool:
    """What the operator is called on is a container of tensors."""
    return event.receiver is not None and _elements_are_tensors(event.receiver)


def has_keywords(event: Event) -> bool:
    """Entries are given as keywords."""
    return bool(event.keywords)


def constant_message(event: Event) -> bool:
    """The first argument is a tuple of constants, all of them written in the source."""
    return bool(event.args) and _is_constant_tuple(event.args[0])


def _is_constant_tuple(kind: Kind) -> bool:
    return (
        isinstance(kind, kinds.Sequence)
        and kind.type == "tuple"
        and kind.items is not None
        and all(isinstance(item, kinds.Const) or _is_constant_tuple(item) for item in kind.items)
    )
