from __future__ import annotations

import pytest
from msgspec.structs import replace

from compilelint.inspect.kinds import KEYS, NONE, STR, UNKNOWN, External, Kind, Sequence, Tensor, join
from compilelint.match.detectors import origins
from compilelint.report.confidence import Confidence
from tests.match.make import event

HANDLE = External("torch.utils.hooks.RemovableHandle")


@pytest.mark.parametrize(("written", "handle"), [(HANDLE, True), (join(HANDLE, NONE), True), (UNKNOWN, False)])
def test_the_handle_of_a_hook_is_written(written: Kind, handle: bool) -> None:
    assert origins.is_hook_handle(event(args=(written,))) is handle


@pytest.mark.parametrize(
    ("type_", "outside", "advanced"), [("iterator", True, True), ("iterator", False, False), (KEYS, True, False)]
)
def test_the_keys_of_a_dict_are_no_iterator_from_outside(type_: str, outside: bool, advanced: bool) -> None:
    given = replace(event(), receiver=Sequence(type_, STR), outside=outside)
    assert origins.made_outside(given) is advanced


@pytest.mark.parametrize("given", [True, False])
def test_an_iterator_that_a_caller_made_is_from_outside(given: bool) -> None:
    rows = Sequence("iterator", STR, given=given)
    assert origins.made_outside(replace(event(), type="iterate", receiver=rows)) is given
    assert origins.made_outside(replace(event(), type="iterate", receiver=join(rows, NONE))) is given
    assert origins.made_outside(event(args=(rows,))) is given


def test_nothing_is_written() -> None:
    assert not origins.is_hook_handle(event(args=()))


def test_what_may_be_dense_is_not_surely_sparse() -> None:
    assert origins.is_sparse_by_the_callee(event(args=(UNKNOWN,))) < Confidence.HIGH


@pytest.mark.parametrize(
    ("given", "sure"),
    [
        (Tensor(), Confidence.MEDIUM),
        (Tensor(ndim=2), Confidence.MEDIUM),
        (Tensor(parameter=True), Confidence.LOW),
        (Tensor(ndim=0), None),
        (STR, None),
    ],
)
def test_a_tensor_that_may_be_of_another_size(given: Kind, sure: Confidence | None) -> None:
    assert origins.may_change_size(event(args=(given,))) is sure
    assert origins.may_change_size(event(args=())) is None
