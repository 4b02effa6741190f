"""Operators that a program defines, and those of torchvision."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import Tensor
from tests.inspect.make import events, function, kind_of

OPERATOR = """
@torch.library.custom_op("lib::positive", mutates_args=())
def positive(x: torch.Tensor) -> {result}:
    return x[x > 0]
"""
FAKE = """
@{op}.register_fake
def _(x):
    return {made}
"""
ANY_SIZE = "x.new_empty(torch.library.get_ctx().new_dynamic_size())"


def constructs(fake: str = "", result: str = "torch.Tensor") -> list[str]:
    code = OPERATOR.format(result=result) + fake + function("positive(x)")
    return [event.construct for event in events(code, "f", "call") if event.callee.endswith("custom_op.__call__")]


def test_an_operator_without_a_fake() -> None:
    assert constructs() == ["no-fake"]
    assert constructs(result="None") == [""]


@pytest.mark.parametrize(
    ("tags", "construct"),
    [
        ("torch.Tag.inplace", ""),
        ("(torch.Tag.pt2_compliant_tag, torch.Tag.inplace)", ""),
        ("[Tag.out]", ""),
        ("torch.Tag.needs_fixed_stride_order", "no-fake"),
    ],
)
def test_what_returns_its_argument_needs_no_fake(tags: str, construct: str) -> None:
    code = OPERATOR.format(result="torch.Tensor").replace("mutates_args=()", f"mutates_args=('x',), tags={tags}")
    found = [event.construct for event in events(code + function("positive(x)"), "f", "call")]
    assert construct in found
    assert ("no-fake" in found) is (construct == "no-fake")


@pytest.mark.parametrize("size", ["torch.library.get_ctx().new_dynamic_size()", "ctx.create_unbacked_symint()"])
def test_an_operator_whose_fake_asks_for_any_size(size: str) -> None:
    assert constructs(FAKE.format(op="positive", made=f"x.new_empty({size})")) == ["any-size"]


def test_the_fake_of_another_operator_says_nothing() -> None:
    other = OPERATOR.format(result="torch.Tensor").replace("positive", "other")
    assert constructs(other + FAKE.format(op="other", made="torch.empty_like(x)")) == ["no-fake"]
    of_other = OPERATOR.format(result="torch.Tensor").replace("positive", "other") + FAKE.format(
        op="other", made=ANY_SIZE
    )
    assert constructs(of_other + FAKE.format(op="positive", made="torch.empty_like(x)")) == [""]


BY_NAME = """
@{register}("{name}")
def _(x):
    return torch.empty_like(x)
"""


@pytest.mark.parametrize("register", ["torch.library.register_fake", "library.impl_abstract", "register_fake"])
def test_a_fake_is_registered_by_the_name_of_its_operator(register: str) -> None:
    assert constructs(BY_NAME.format(register=register, name="lib::positive")) == [""]
    assert constructs(BY_NAME.format(register=register, name="lib::other")) == ["no-fake"]
    assert constructs(BY_NAME.format(register=register, name="x").replace('"x"', "NAME")) == [""]


@pytest.mark.parametrize("name", ["nms", "batched_nms", "boxes.nms"])
def test_suppression_of_torchvision_gives_indices(name: str) -> None:
    around = "import torchvision"
    kind = kind_of(f"torchvision.ops.{name}(x, x, 0.5)", around=around)
    assert isinstance(kind, Tensor)
    assert (kind.dtype, kind.ndim) == ("int", 1)
    (event,) = events(f"{around}\n" + function(f"torchvision.ops.{name}(x, x, 0.5)"), "f", "call")
    assert event.callee == "torch.ops.torchvision.nms"
