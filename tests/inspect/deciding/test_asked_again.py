"""What names are where a condition is asked again."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import BOOL, INT, Kind, Tensor, join, options
from tests.inspect.make import returned

SUM = Tensor(ndim=0)
EITHER = join(SUM, INT)


def where(first: str, again: str, between: str = "pass") -> Kind:
    """What `n` is where `again` holds, after it was made a tensor where `first` holds."""
    return returned(f"""
def f(self, x: Tensor, n: int, flag: bool, mode: str, other: str):
    if {first}:
        n = x.sum()
    {between}
    if {again}:
        return n
    raise ValueError
""")


@pytest.mark.parametrize(
    ("first", "again", "kind"),
    [
        ("flag", "flag", SUM),
        ("flag", "not flag", INT),
        ("not flag", "flag", INT),
        ("flag is True", "flag is False", INT),
        ("flag == False", "not flag", SUM),
        ("flag", "flag and x.ndim", SUM),
        ("flag", "not (flag or x.ndim)", INT),
        ("self.training", "self.training is False", INT),
        ("mode == 'a'", "mode == 'a'", SUM),
        ("mode == 'a'", "mode != 'a'", INT),
        ("mode != 'a'", "not mode != 'a'", INT),
        ("other is None", "other is not None", INT),
    ],
)
def test_a_name_is_what_the_branch_left_it(first: str, again: str, kind: Kind) -> None:
    assert where(first, again) == kind


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("flag", "mode"),
        ("mode == 'a'", "mode == 'b'"),
        ("mode == 'a'", "mode is 'a'"),
        ("mode == 1", "mode == True"),
        ("mode == other", "mode != other"),
        ("flag and mode", "flag"),
        ("x.shape[0]", "not x.shape[0]"),
    ],
)
def test_another_question_tells_nothing(first: str, again: str) -> None:
    assert where(first, again) == EITHER


@pytest.mark.parametrize(
    ("first", "between"),
    [
        ("flag", "flag = other == 'b'"),
        ("mode == 'a'", "mode, flag = other, True"),
        ("self.training", "self.training = flag"),
        ("self.config.deep", "self.config = other"),
        ("flag", "n = x.sum() if mode == 'a' else int(mode)"),
    ],
)
def test_what_was_assigned_since_is_not_known(first: str, between: str) -> None:
    assert where(first, f"not {first}", between) == EITHER


def test_a_loop_that_leaves_a_name_alone_changes_nothing() -> None:
    assert where("flag", "not flag", "for i in range(3):\n        if not flag and n > i:\n            break") == INT


def test_where_one_branch_leaves_there_is_no_other() -> None:
    assert returned("def f(x, flag: bool):\n    if flag:\n        raise ValueError\n    return flag\n") == BOOL


@pytest.mark.parametrize("around", ["if mode == 'a':", "for i in range(3):", "while mode == 'a':"])
def test_what_was_asked_where_not_all_paths_came_by_tells_nothing_after_them(around: str) -> None:
    code = f"""
def f(x: Tensor, n: int, flag: bool, mode: str):
    {around}
        if flag:
            n = x.sum()
    if flag:
        return n
    raise ValueError
"""
    assert set(options(returned(code))) == {SUM, INT}


@pytest.mark.parametrize("around", ["if mode == 'a':", "for i in range(3):"])
def test_what_was_assigned_on_one_path_is_not_known_after_it(around: str) -> None:
    assert where("flag", "not flag", f"{around}\n        flag = other == 'b'") == EITHER
