"""Of two things that change, one of them to and fro, the other one is why nothing fitted."""

from __future__ import annotations

from dataclasses import replace

from compilelint.runtime.events import GuardValue, LimitHit, Recompile
from compilelint.runtime.words.returning import by_what_is_new
from tests.runtime.make import STEP, recompile

NEEDS = "tensor 'x' requires_grad mismatch. expected requires_grad={}"


def firsts(*events: Recompile) -> list[str]:
    return [each.guards[0] for each in by_what_is_new(events) if isinstance(each, Recompile)]


def test_what_is_as_it_was_for_an_earlier_version_is_not_new() -> None:
    there, back = recompile(NEEDS.format(0)), recompile(NEEDS.format(1), "scale == 1.0")
    assert firsts(there, back) == [NEEDS.format(0), "scale == 1.0"]
    assert firsts(back) == [NEEDS.format(1)], "nobody had compiled it for that"


def test_a_value_that_may_be_missing_and_a_flag_have_two_sides_too() -> None:
    found = firsts(
        recompile("y is None"),
        recompile("expected type of 'y' to be a tensor type, ' but found <class 'NoneType'>", "n == 1"),
        recompile("flag == False"),
        recompile("flag == True", "n == 2"),
        recompile("n == 3", "n == 2"),
    )
    assert found == ["y is None", "n == 1", "flag == False", "n == 2", "n == 3"]


def test_a_size_that_another_caller_passes_is_not_new() -> None:
    # Dynamo's order is that of the last calls: 0/1 and 0/0, for sizes 3 and 2, were called after 0/2, for 4 and 0.5.
    size = "tensor 'x' size mismatch at index 0. expected {}, actual {}"
    value = GuardValue(source="L['r']", expected="0.5", actual="0.6")
    events = (
        recompile(size.format(2, 3)),
        recompile(size.format(3, 4), size.format(2, 4)),
        recompile(size.format(3, 4), size.format(2, 4), "r == 0.5", values=(None, None, value)),
        recompile(size.format(4, 5), size.format(3, 5), size.format(2, 5)),
    )
    assert firsts(*events) == [size.format(2, 3), size.format(3, 4), "r == 0.5", size.format(4, 5)]


def test_a_class_that_another_caller_passes_is_not_new() -> None:
    # Two kinds of layer in turn, `fully_shard`ed or not, each with 12 items, then with 14.
    size = "tensor 'x' size mismatch at index 1. expected 12, actual 14"
    sharded = "___check_type_id(self, 93), type=<class 'torch.distributed.fsdp.FSDPLayer'>"
    plain = "___check_type_id(self, 94), type=<class '__main__.Layer'>"
    is_plain = GuardValue(source="self", expected=None, actual="a Layer")
    is_sharded = GuardValue(source="self", expected=None, actual="a FSDPLayer")
    found = firsts(
        recompile(sharded, values=(is_plain,)),
        recompile(plain, size, values=(is_sharded, None)),
        recompile(sharded, size, sharded, values=(is_plain, None, is_plain)),
    )
    assert found == [sharded, size, size]


def test_another_function_has_versions_of_its_own() -> None:
    other = replace(STEP, line=99)
    back = recompile(NEEDS.format(1), "scale == 1.0", code=other)
    assert firsts(recompile(NEEDS.format(0)), back)[1] == NEEDS.format(1)


def test_where_nothing_else_is_told_it_stays() -> None:
    assert firsts(recompile(NEEDS.format(0)), recompile(NEEDS.format(1)))[1] == NEEDS.format(1)


def test_what_belongs_to_a_guard_goes_with_it() -> None:
    value = GuardValue(source="L['scale']", expected="1.0", actual="2.0")
    back = recompile(
        NEEDS.format(1), "scale == 1.0", versions=("0/1", "0/0"), values=(None, value), guard_stack=(STEP,)
    )
    _, told = by_what_is_new([recompile(NEEDS.format(0)), back])
    assert isinstance(told, Recompile)
    assert (told.versions, told.values, told.guard_stack) == (("0/0", "0/1"), (value, None), ())


def test_a_limit_names_what_the_recompile_does() -> None:
    limit = LimitHit(
        at=3.0, target=0, call=3, limit="recompile_limit", value=8, code=STEP, reason=NEEDS.format(1), stack=(STEP,)
    )
    back = recompile(NEEDS.format(1), "scale == 1.0")
    *_, told = by_what_is_new([recompile(NEEDS.format(0)), back, limit])
    assert getattr(told, "reason", "") == "scale == 1.0"


def test_a_length_and_a_text_come_back_to_what_a_version_was_made_for() -> None:
    longer = GuardValue(source="len(L['kwargs'])", expected="6", actual="7")
    shorter = GuardValue(source="len(L['kwargs'])", expected="7", actual="6")
    size = "tensor 'kwargs['x']' size mismatch at index 1. expected 5, actual 7"
    found = firsts(
        recompile("len(L['kwargs']) == 6", values=(longer,)),
        recompile("len(L['kwargs']) == 7", size, values=(shorter, None)),
    )
    assert found == ["len(L['kwargs']) == 6", size]


def test_for_the_present_modes_a_version_was_made_that_failed_for_something_else() -> None:
    mode, counter = "GLOBAL_STATE changed: grad_mode ", "L['self'].seen == 16"
    back = recompile(mode, counter)
    limit = LimitHit(at=3.0, target=0, call=3, limit="recompile_limit", value=8, code=STEP, reason=mode, stack=(STEP,))
    _, told, of_limit = by_what_is_new([recompile(mode), back, limit])
    assert isinstance(told, Recompile)
    assert told.guards == (counter, mode)
    assert getattr(of_limit, "reason", "") == counter


def test_where_all_versions_are_of_other_modes_these_are_the_cause() -> None:
    mode = "GLOBAL_STATE changed: grad_mode "
    assert firsts(recompile(mode), recompile(mode, mode)) == [mode, mode]
