"""Which tuples are sizes of tensors, and what compares parts of them."""

from __future__ import annotations

import pytest

from tests.inspect.make import events, function


def of_size(body: str) -> bool:
    """Whether a tensor is made of a size somewhere in a function with this body."""
    return any(event.construct == "of-size" for event in events(function(body), "f", "call"))


@pytest.mark.parametrize(
    "size",
    ["x.size()", "x.shape", "x[..., :2].shape", "x.shape[:2]", "x.size()[1:]", "torch.Size((2, 3))", "x.t().size()"],
)
def test_what_is_spelled_like_one(size: str) -> None:
    assert of_size(f"torch.FloatTensor({size})")
    assert of_size(f"given = {size}\ntorch.LongTensor(given)")


@pytest.mark.parametrize(
    "given", ["x.size(0)", "x.shape[0]", "*x.size()", "(2, 3)", "[1.0]", "x", "n", "what", "what[1]", "x.size(), n"]
)
def test_what_is_none(given: str) -> None:
    assert not of_size(f"torch.FloatTensor({given})")


def test_a_name_that_is_assigned_twice_tells_nothing() -> None:
    assert not of_size("given = x.size()\nif flag:\n    given = (2, 3)\ntorch.FloatTensor(given)")


def test_other_callees_take_sizes_as_they_are() -> None:
    assert not of_size("torch.zeros(x.size())")


def test_a_name_that_is_assigned_from_itself_is_none() -> None:
    code = "def f(x: Tensor, given: Tuple[int, ...]):\n    given = given[1:]\n    torch.FloatTensor(given)\n"
    assert [event.callee for event in events(code, "f", "call")] == ["torch.FloatTensor"]


def causal_by_size(flag: str, before: str = "pass") -> bool:
    """Whether attention is told by a comparison of sizes that it is causal."""
    body = f"{before}\nF.scaled_dot_product_attention(x, x, x, is_causal={flag})"
    return any(event.construct == "causal-by-size" for event in events(function(body), "f", "call"))


@pytest.mark.parametrize(
    "flag",
    [
        "x.shape[-2] > 1",
        "x.size(1) >= n",
        "x.size()[1] == y.size()[1]",
        "1 < x.shape[:3][1]",
        "1 < n < x.size(1)",
        "x.shape[1] // 2 > n",
        "x.numel() > 1",
        "bool(x.shape[1] > 1)",
        "maybe is None and x.shape[1] > 1",
        "flag or x.shape[1] > 1",
        "(long := x.shape[1] > 1)",
    ],
)
def test_sizes_are_compared(flag: str) -> None:
    assert causal_by_size(flag)
    assert causal_by_size("given", f"given = {flag}")


def test_sizes_are_compared_by_their_names() -> None:
    assert causal_by_size("t > 1", "b, t, *rest = x.shape")
    assert causal_by_size("half > 1", "t = x.size(1)\nhalf = t // 2")


@pytest.mark.parametrize(
    "before", ["given = given + 1", "given = bool(given)", "given = flag and given", "given = given > 1"]
)
def test_names_that_are_assigned_from_themselves(before: str) -> None:
    assert not causal_by_size("given", before)
    assert not causal_by_size("given > 1", before)


@pytest.mark.parametrize(
    ("why", "flag"),
    [
        ("it is decided", "True if x.shape[1] > 1 else False"),
        ("not decides", "not x.shape[1] > 1"),
        ("what is last counts", "x.shape[1] > 1 and maybe is None"),
        ("no size", "n > 1"),
        ("an option", "flag"),
        ("a whole size is a tuple", "x.shape is None"),
        ("known", "True"),
    ],
)
def test_no_sizes_are_compared(why: str, flag: str) -> None:
    assert not causal_by_size(flag)


def test_a_flag_by_position_is_one_too() -> None:
    call = "F.scaled_dot_product_attention(x, x, x, None, 0.0, x.shape[1] > 1)"
    assert [event.construct for event in events(function(call), "f", "call")][:1] == ["causal-by-size"]
