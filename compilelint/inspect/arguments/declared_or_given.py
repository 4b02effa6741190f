"""Which counts of what a parameter is declared to be and what a call passes: nobody runs annotations."""

from __future__ import annotations

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.report.confidence import Confidence

NUMBERS = frozenset({kinds.INT, kinds.SIZE, kinds.FLOAT})
"""The kinds of what is declared as a number."""


def is_surer_than(declared: Kind, given: Kind) -> bool:
    """Whether a parameter is annotated as a number, text, dict or tuple, where the call seems to pass a tensor."""
    accepted = kinds.options(declared)
    if any(
        option in accepted or (option == kinds.SIZE and kinds.INT in accepted)
        for option in kinds.options(given)
        if option != kinds.NONE
    ):
        # "This or a tensor" was passed: more than is declared, and what is declared as well. That it may be missing
        # says nothing of what it is where it is there.
        return False
    if isinstance(given, kinds.Sequence):
        return _holds_numbers(declared) and kinds.tensor_part(kinds.element(given)) is not None
    is_declared = all(map(_may_be_declared, _present(given)))
    return all(_is_no_tensor(option) or (is_declared and _is_tuple_of_tensors(option)) for option in accepted)


def _present(kind: Kind) -> list[Kind]:
    """What a value is where it is there."""
    return [option for option in kinds.options(kind) if option != kinds.NONE]


def _may_be_declared(kind: Kind) -> bool:
    """Whether it may be a tensor only because something is declared to be one or to hold some: nothing tells how many
    dimensions it has."""
    return isinstance(kind, kinds.Tensor) and kind.ndim is None


def _is_tuple_of_tensors(kind: Kind) -> bool:
    """`tuple[Tensor, Tensor]`, of the keys and values of a layer: `caches: list[Tensor]`, of which the caller hands one
    on, is declared less exactly. A list may be declared for tensors that are stacked."""
    if not isinstance(kind, kinds.Sequence) or kind.type != "tuple":
        return False
    held = kinds.element(kind)
    return kinds.tensor_part(held) is not None or _is_tuple_of_tensors(held)


def seen(declared: Kind, given: Kind) -> Kind:
    """What is there where a number is declared, and the call passes what surely is a tensor: nobody runs annotations,
    and `paddings: tuple[int, int]` is called with `(self.padding, extra)`, two buffers. All else is as it is declared,
    but for such a tensor that is handed on to what declares a number again.
    """
    match given:
        case kinds.Tensor(confidence=Confidence.HIGH) | kinds.Tensor(undeclared=True) if not NUMBERS.isdisjoint(
            kinds.options(declared)
        ):
            return replace(given, confidence=min(given.confidence, Confidence.MEDIUM), undeclared=True)
        case kinds.Sequence(items=tuple(items)):
            of_item = kinds.element(declared) if isinstance(declared, kinds.Sequence) else UNKNOWN
            of_items = (seen(of_item, item) if kinds.tensor_part(item) is not None else item for item in items)
            return replace(given, items=tuple(of_items))
        case _:
            return declared


def _holds_numbers(kind: Kind) -> bool:
    """`tuple[int, int]`: a size."""
    return isinstance(kind, kinds.Sequence) and kinds.element(kind) in NUMBERS


def _is_no_tensor(kind: Kind) -> bool:
    match kind:
        case kinds.Python(type=type_):
            return type_ in ("int", "float", "bool", "str")
        case kinds.Const(value=None) | kinds.Dictionary():
            return True
        case kinds.Sequence():
            return kinds.element(kind) == kinds.STR
        case _:
            return False
