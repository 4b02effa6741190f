"""What is left of what a value may be where code asks for an abstract class, `isinstance(value, Mapping)`."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import INT, Dictionary, Kind, Sequence, Tensor
from compilelint.report.confidence import Confidence
from tests.inspect.make import returned

DECLARED = Tensor(confidence=Confidence.MEDIUM)
"""What a dict of tensors is declared to hold."""


def where(condition: str, declared: str) -> Kind:
    """What a value that is declared so is where a condition holds."""
    code = "import collections.abc, typing\n"
    return returned(
        f"{code}def f(x, value: {declared}):\n    if {condition}:\n        return value\n    raise ValueError\n"
    )


@pytest.mark.parametrize(
    ("declared", "cls", "kind"),
    [
        ("dict[str, Tensor] | int", "typing.Mapping", Dictionary(DECLARED)),
        ("dict[str, Tensor] | list[Tensor]", "collections.abc.MutableMapping", Dictionary(DECLARED)),
        ("dict[str, Tensor] | list[Tensor]", "typing.Sequence", Sequence("list", Tensor())),
        ("list[Tensor] | int", "(typing.Mapping, typing.Iterable)", Sequence("list", Tensor())),
    ],
)
def test_what_is_of_the_class_stays_what_it_is(declared: str, cls: str, kind: Kind) -> None:
    assert where(f"isinstance(value, {cls})", declared) == kind


def test_what_is_not_is_left() -> None:
    assert where("not isinstance(value, typing.Iterable)", "dict[str, Tensor] | int") == INT
