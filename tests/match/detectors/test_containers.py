from __future__ import annotations

import pytest

from compilelint.inspect.kinds import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    Kind,
    Python,
    Reference,
    Sequence,
    Tensor,
    join,
    sequence,
)
from compilelint.match.detectors import containers
from compilelint.report.confidence import Confidence
from tests.match.make import event

TEXT, NUMBER = Const("sum"), Const(1)


@pytest.mark.parametrize(
    ("why", "message", "constant"),
    [
        ("constants", Sequence("tuple", Python("str"), (TEXT, NUMBER)), True),
        ("constants in constants", Sequence("tuple", Python("str"), (Sequence("tuple", NUMBER, (NUMBER,)),)), True),
        ("a shape in it", Sequence("tuple", Python("str"), (TEXT, Python("int"))), False),
        ("a list", Sequence("list", Python("str"), (TEXT,)), False),
        ("no tuple", TEXT, False),
    ],
)
def test_a_tuple_of_constants(why: str, message: Kind, constant: bool) -> None:
    assert containers.constant_message(event(args=(message,))) is constant


def test_what_a_defaultdict_begins_with() -> None:
    assert containers.default_of_number(event(args=(Reference("builtins.int"),)))
    assert not containers.default_of_number(event(args=(Reference("builtins.list"),)))
    assert not containers.default_of_number(event(args=()))


def test_a_container_of_tensors() -> None:
    assert containers.holds_tensors_itself(event(receiver=Sequence("list", Tensor())))
    assert not containers.holds_tensors_itself(event(receiver=Sequence("list", NUMBER)))


FLOAT = Tensor("float")


@pytest.mark.parametrize(
    ("callee", "held", "found"),
    [
        ("torch.FloatTensor", sequence("list", [FLOAT, Tensor()]), Confidence.LOW),
        ("torch.FloatTensor", Sequence("list", FLOAT), Confidence.LOW),
        ("torch.LongTensor", Sequence("list", Tensor("int")), Confidence.LOW),
        ("torch.LongTensor", Sequence("list", Tensor()), Confidence.LOW),
        ("torch.LongTensor", Sequence("list", FLOAT), Confidence.HIGH),
        ("torch.FloatTensor", sequence("list", [FLOAT, NUMBER]), Confidence.HIGH),
        ("torch.FloatTensor", Sequence("list", join(FLOAT, NUMBER)), Confidence.HIGH),
        ("torch.FloatTensor", sequence("list", [FLOAT]), Confidence.HIGH),
        ("torch.FloatTensor", Sequence("tuple", FLOAT), Confidence.HIGH),
        ("torch.DoubleTensor", Sequence("list", FLOAT), Confidence.HIGH),
        ("torch.FloatTensor", Sequence("list", NUMBER), None),
    ],
)
def test_a_list_of_nothing_but_tensors_is_stacked(callee: str, held: Kind, found: Confidence | None) -> None:
    assert containers.holds_tensors_unstacked(event(callee=callee, args=(held,))) is found


_COMPUTED = Python("float", numpy=True)
"""What `np.exp(1.0)` gives."""


@pytest.mark.parametrize(
    ("callee", "held", "found"),
    [
        ("torch.Tensor", Sequence("list", _COMPUTED), Confidence.HIGH),
        ("torch.Tensor", sequence("tuple", [_COMPUTED, NUMBER]), Confidence.HIGH),
        ("torch.as_tensor", sequence("list", [Array("float")]), Confidence.HIGH),
        ("torch.Tensor", Sequence("list", join(Array("float"), Sequence("list", NUMBER))), Confidence.LOW),
        ("torch.DoubleTensor", Sequence("list", _COMPUTED), Confidence.LOW),
        ("torch.LongTensor", sequence("list", [Array("int"), Array("int")]), Confidence.LOW),
        ("torch.LongTensor", sequence("list", [Array("int"), NUMBER]), Confidence.HIGH),
        ("torch.LongTensor", sequence("list", [Array("int")]), Confidence.HIGH),
        ("torch.Tensor", Sequence("list", NUMBER), None),
        ("torch.Tensor", Sequence("list", FLOAT), None),
        ("torch.Tensor", Array("float"), None),
    ],
)
def test_what_numpy_computes_is_a_tensor_in_a_list(callee: str, held: Kind, found: Confidence | None) -> None:
    """Dynamo 2.13.0, each of them: an array that is given itself is traced."""
    assert containers.holds_numpy(event(callee=callee, args=(held,))) is found


def _rows(*row: Kind) -> Sequence:
    return Sequence("list", sequence("tuple", row))


@pytest.mark.parametrize(
    ("why", "ordered", "found"),
    [
        ("a tensor beside a name", _rows(TEXT, Tensor()), True),
        ("a tensor that may be missing", _rows(TEXT, join(Tensor(), NONE)), True),
        ("rows that are written out", sequence("list", [sequence("tuple", [TEXT, Tensor()])] * 2), True),
        ("numbers", _rows(TEXT, NUMBER), False),
        ("tensors themselves, of which another match says", Sequence("list", Tensor()), False),
        ("no list", TEXT, False),
    ],
)
def test_rows_with_tensors_are_put_in_order(why: str, ordered: Kind, found: bool) -> None:
    assert containers.orders_rows_with_tensors(event(callee="builtins.sorted", args=(ordered,))) is found
    assert containers.orders_rows_with_tensors(event(callee="builtins.list.sort", receiver=ordered)) is found


def test_a_key_says_what_rows_are_put_in_order_by() -> None:
    by_key = event(callee="builtins.sorted", args=(_rows(TEXT, Tensor()),), keywords=(("key", NUMBER),))
    assert not containers.orders_rows_with_tensors(by_key)


@pytest.mark.parametrize(
    ("held", "sure"),
    [
        (Tensor("int", 0), Confidence.HIGH),
        (Tensor(confidence=Confidence.LOW), Confidence.LOW),
        (join(Tensor(), NUMBER), Confidence.MEDIUM),
        (join(Tensor(), NONE), Confidence.HIGH),
        (Tensor("int", 0, parameter=True), None),
        (NUMBER, None),
    ],
)
def test_a_size_in_a_tuple_is_as_sure_as_the_tensor_in_it(held: Kind, sure: Confidence | None) -> None:
    size = sequence("tuple", [Const(1), held])
    assert containers.holds_computed_tensor(event(args=(size,))) == sure
    assert containers.holds_computed_tensor(event(args=(held,))) is None


@pytest.mark.parametrize(
    ("held", "sure"),
    [
        (Array(number=True), Confidence.HIGH),
        (join(Array(number=True), NUMBER), Confidence.MEDIUM),
        (Array(number=True, kept=True), None),
        (Array(), None),
        (NUMBER, None),
    ],
)
def test_a_size_in_a_tuple_that_numpy_computed(held: Kind, sure: Confidence | None) -> None:
    assert containers.holds_number_of_numpy(event(args=(sequence("tuple", [Const(0), held]),))) == sure
    assert containers.holds_number_of_numpy(event(args=(held,))) is None


def test_what_is_worked_on_is_no_size() -> None:
    tensors = Sequence("list", Tensor())
    assert containers.holds_computed_tensor(event(callee="torch.nn.functional.interpolate", args=(tensors,))) is None
    assert containers.holds_computed_tensor(event(callee="torch.zeros", args=(tensors,))) == Confidence.HIGH


def test_sizes_that_nobody_has_counted_are_as_sure_as_each() -> None:
    def sure(size: Kind) -> Confidence | None:
        return containers.holds_computed_tensor(event(args=(Tensor(), Sequence("list", size))))

    assert sure(Tensor("int", 0)) == Confidence.HIGH
    assert sure(join(Tensor(), NUMBER)) == Confidence.MEDIUM
    assert sure(NUMBER) is None


ROW = sequence("tuple", [NUMBER, TEXT])


@pytest.mark.parametrize(
    ("why", "iterated", "found"),
    [
        ("as zip gives them", Sequence("iterator", NUMBER, (ROW, ROW)), True),
        ("of unknown number", Sequence("iterator", ROW), True),
        ("numbers", Sequence("iterator", NUMBER), False),
        ("a list", Sequence("list", ROW), False),
        ("lists", Sequence("iterator", sequence("list", [NUMBER])), False),
        ("unknown", Sequence("iterator", UNKNOWN), False),
    ],
)
def test_an_iterator_of_tuples(why: str, iterated: Kind, found: bool) -> None:
    assert containers.iterates_rows(event(callee="builtins.max", args=(iterated,))) is found


def test_of_several_values_and_by_key_no_tuples_are_compared() -> None:
    rows = Sequence("iterator", ROW)
    assert not containers.iterates_rows(event(callee="builtins.max", args=(rows, rows)))
    assert not containers.iterates_rows(event(callee="builtins.max", args=(rows,), keywords=(("key", UNKNOWN),)))


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ((("k", Tensor()),), Confidence.HIGH),
        ((("k", join(Tensor(), NUMBER)),), Confidence.MEDIUM),
        ((("h", NUMBER), ("k", Tensor(confidence=Confidence.MEDIUM))), Confidence.MEDIUM),
        ((("k", NUMBER),), None),
        ((("k", Tensor(parameter=True)),), None),
        ((("reduction", Tensor()),), None),
        ((), None),
    ],
)
def test_a_computed_tensor_as_the_length_of_an_axis(
    options: tuple[tuple[str, Kind], ...], found: Confidence | None
) -> None:
    assert containers.axis_of_tensor(event(args=(Tensor(), TEXT), keywords=options)) is found
