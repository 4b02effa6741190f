"""Annotations that a project makes of a library's."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import UNKNOWN, Kind, Tensor
from tests.inspect.make import returned

WRAPPED = """
from jaxtyping import Bool, Float, Int
class Typing:
    def __init__(self, dtype): self.dtype = dtype
    def __getitem__(self, shapes): return self.dtype[Tensor, shapes]
class Registry:
    def __getitem__(self, name): return self.entries[name]
class Nothing:
    pass
Float, Bool, Mine = Typing(Float), Typing(Bool), Typing(Int)
table, nothing = Registry(), Nothing()
"""


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [
        ("Float['b n']", Tensor("float", parameter=True)),
        ("Bool['b n']", Tensor("bool", parameter=True)),
        ("Mine['b']", Tensor(parameter=True)),
        ("Int['b']", Tensor("int", parameter=True)),
        ("table['b']", UNKNOWN),
        ("nothing['b']", UNKNOWN),
    ],
)
def test_what_an_item_of_an_object_annotates(annotation: str, kind: Kind) -> None:
    assert returned(f"{WRAPPED}\ndef f(y: Tensor, x: {annotation}):\n    return x\n") == kind


def test_names_are_those_of_the_file_that_makes_them() -> None:
    code = "from types_of import Float, Bool\ndef f(x: Float['n'], mask: Bool['n']):\n    return ~mask\n"
    assert returned(code, types_of=f"from torch import Tensor\n{WRAPPED}") == Tensor("bool")
