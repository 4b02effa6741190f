"""Attributes that a helper of `__init__` gives to `self` by way of a name of its own, or of an unpacking."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import UNKNOWN, Array, External, Kind, Tensor
from tests.inspect.make import returned

MODULE = """
class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.set_up(3)

    def set_up(self, given):
        {body}

    def forward(self, x):
        return self.a
"""


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("steps = np.ones(3); self.a = steps", Array()),
        ("steps, counts = np.unique(np.ones(3), return_counts=True); self.a = counts", Array()),
        ("self.a, counts = np.unique(np.ones(3), return_counts=True)", Array()),
        ("mask = torch.zeros(3); self.a = mask", Tensor("float", 1, parameter=True)),
        ("layer = nn.Linear(3, 4); self.a = layer", External("torch.nn.Linear")),
    ],
)
def test_what_a_method_makes_and_keeps(body: str, kind: Kind) -> None:
    assert returned(MODULE.format(body=body), "Layers.forward") == kind


@pytest.mark.parametrize(
    "body",
    [
        "steps = np.ones(3); steps = list(steps); self.a = steps",
        "steps = np.ones(3)\n        for steps in given: self.a = steps",
        "given = np.ones(3); self.a = given",
        "steps = np.ones(3); steps += 1; self.a = steps",
        "self.a = given",
        "self.a, rest = given",
    ],
)
def test_a_name_that_is_made_again_or_given_tells_nothing(body: str) -> None:
    assert returned(MODULE.format(body=body), "Layers.forward") == UNKNOWN


@pytest.mark.parametrize("caller", ["__init__", "reset"])
def test_only_what_init_calls_is_asked(caller: str) -> None:
    code = f"""
class Layers(nn.Module):
    def {caller}(self):
        self.set_up()

    def set_up(self):
        steps = np.ones(3)
        self.a = steps

    def forward(self, x):
        return self.a
"""
    assert returned(code, "Layers.forward") == (Array() if caller == "__init__" else UNKNOWN)
