"""Attributes and items that only some paths assign to."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import OBJECT, UNKNOWN, Kind, Tensor, Union
from tests.inspect.make import returned

MADE = Tensor("float", 1)


def after(body: str, expression: str = "self.kept", init: str = "self.kept = None") -> Kind:
    code = f"""
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {init}
    def forward(self, x: Tensor, other):
        {body}
        return {expression}
"""
    return returned(code, "Net.forward")


@pytest.mark.parametrize(
    "body",
    [
        "if self.kept is None or len(self.kept) < 3: made = torch.ones(3); self.kept = made",
        "if what(): made = torch.ones(3); self.kept = made",
        "for _ in what(): made = torch.ones(3); self.kept = made",
    ],
)
def test_a_tensor_that_one_path_leaves_in_an_attribute_may_be_there_after_it(body: str) -> None:
    assert after(body) == Union((MADE, OBJECT))


def test_of_a_buffer_both_paths_leave_a_tensor() -> None:
    init = "self.register_buffer('kept', torch.ones(3))"
    found = after("if what(): made = self.kept * 2; self.kept = made", init=init)
    assert isinstance(found, Tensor)


def test_so_does_a_dict_that_holds_one() -> None:
    body = "if what(): self.kept = {'mask': torch.ones(3), 'scale': 2}"
    assert after(body, "self.kept['mask']", init="self.kept = {}") == Union((MADE, OBJECT))
    assert after(body, "self.kept['scale']", init="self.kept = {}") == UNKNOWN


@pytest.mark.parametrize("test", ["len(state) == 0", "'mean' not in state", "what()"])
def test_a_tensor_that_one_path_leaves_in_a_dict_of_somebody_may_be_there_after_it(test: str) -> None:
    """The state of an optimizer, which its first step fills."""
    body = f"state = what()[x]; kept = torch.ones(3)\n        if {test}: state['mean'] = kept"
    assert after(body, "state['mean']") == Union((MADE, OBJECT))
    assert after(f"{body}\n        mean, size = state['mean'], state['size']", "mean") == Union((MADE, OBJECT))


@pytest.mark.parametrize(
    ("why", "body", "expression"),
    [
        ("no tensor", "if what(): made = what(); self.kept = made", "self.kept"),
        ("an object that nobody knows", "if what(): made = torch.ones(3); other.kept = made", "other.kept"),
        ("an attribute of an attribute", "if what(): made = torch.ones(3); self.kept.it = made", "self.kept.it"),
        ("another item", "state = what()\n        if what(): state['kept'] = torch.ones(3)", "state['other']"),
        ("no tensor in it", "state = what()\n        if what(): state['kept'] = 3", "state['kept']"),
        ("another dict", "state = what()\n        if x: state['kept'] = x\n        state = what()", "state['kept']"),
        ("an item of an item", "state = what()\n        if what(): state['a']['b'] = x", "state['a']['b']"),
    ],
)
def test_all_other_paths_are_forgotten(why: str, body: str, expression: str) -> None:
    assert after(body, expression) == UNKNOWN
