from __future__ import annotations

import pytest

from compilelint.inspect.kinds import Const, Kind, Python, Reference, Sequence, Tensor
from compilelint.match.detectors import containers
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


def test_a_size_with_something_computed_in_it() -> None:
    there_before = Tensor("int", 0, parameter=True)
    assert containers.holds_computed_tensor(event(args=(Sequence("tuple", NUMBER, (NUMBER, Tensor("int", 0))),)))
    assert not containers.holds_computed_tensor(event(args=(Sequence("tuple", NUMBER, (NUMBER, there_before)),)))
    assert not containers.holds_computed_tensor(event(args=(Tensor("int", 0),)))
