"""What records hold, as `dataclasses.asdict` copies it. The positive forms are an example of CL355."""

from __future__ import annotations

import pytest

from tests.inspect.make import events

RECORDS = """
import dataclasses

@dataclasses.dataclass
class Out:
    hidden: Tensor
    scale: float = 1.0

@dataclasses.dataclass
class Maybe:
    hidden: Optional[Tensor] = None

@dataclasses.dataclass
class Options:
    scale: float = 1.0

class Plain:
    def __init__(self, hidden):
        self.hidden = hidden

def f(x: Tensor):
    {call}
"""


def copies_tensors(call: str) -> bool:
    """Whether a call is known to copy tensors that a record holds."""
    return any(event.construct == "of-tensors" for event in events(RECORDS.format(call=call), "f", "call"))


@pytest.mark.parametrize("call", ["dataclasses.asdict(Out(x))", "dataclasses.astuple(Maybe(x))"])
def test_a_record_holds_tensors(call: str) -> None:
    assert copies_tensors(call)


@pytest.mark.parametrize(
    ("why", "call"),
    [
        ("numbers", "dataclasses.asdict(Options(2.0))"),
        ("it only reads the fields' names", "dataclasses.fields(Out(x))"),
        ("no record", "dataclasses.asdict(Plain(x))"),
        ("no object", "dataclasses.asdict(x)"),
    ],
)
def test_nothing_is_known_to_be_copied(why: str, call: str) -> None:
    assert not copies_tensors(call), why
