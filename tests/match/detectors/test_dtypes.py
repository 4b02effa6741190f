from __future__ import annotations

import pytest

from compilelint.inspect.kinds import Const, Kind, Python, Reference, Sequence, Tensor
from compilelint.match.detectors import dtypes
from tests.match.make import event

FLOAT, INT, ANY = Tensor(dtype="float"), Tensor(dtype="int"), Tensor()


@pytest.mark.parametrize(
    ("before", "written", "changes"),
    [(FLOAT, INT, True), (FLOAT, FLOAT, False), (ANY, INT, False), (FLOAT, ANY, False), (FLOAT, Const(0), False)],
)
def test_a_tensor_of_another_dtype_is_written(before: Kind, written: Kind, changes: bool) -> None:
    assert dtypes.changes_dtype(event(receiver=before, args=(written,))) is changes


@pytest.mark.parametrize("dtype", [Reference("builtins.object"), Const("O"), Reference("builtins.str")])
def test_objects_and_text_are_no_numbers(dtype: Kind) -> None:
    assert dtypes.is_no_number(event(callee="numpy.empty", keywords=(("dtype", dtype),)))
    assert dtypes.is_no_number(event(callee="numpy.ndarray.astype", args=(dtype,)))


def test_a_list_with_text_in_it_makes_an_array_of_text() -> None:
    texts = Sequence("list", Python("str"), (Const("a"), Const(1)))
    assert dtypes.is_no_number(event(callee="numpy.array", args=(texts,)))


@pytest.mark.parametrize(
    ("why", "keywords"), [("a dtype of numbers", (("dtype", Reference("numpy.float32")),)), ("no dtype", ())]
)
def test_numbers_are(why: str, keywords: tuple[tuple[str, Kind], ...]) -> None:
    numbers = Sequence("list", Python("int"), (Const(1),))
    assert not dtypes.is_no_number(event(callee="numpy.array", args=(numbers,), keywords=keywords))


def test_fields_are_a_list_of_names_and_dtypes() -> None:
    fields = Sequence("list", Sequence("tuple", Python("str")))
    assert dtypes.has_fields(event(callee="numpy.zeros", keywords=(("dtype", fields),)))
    assert not dtypes.has_fields(event(callee="numpy.zeros", keywords=(("dtype", Reference("numpy.int64")),)))
