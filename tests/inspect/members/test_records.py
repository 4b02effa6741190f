"""What records hold, as `dataclasses.asdict` copies it. The positive forms are an example of CL355."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import Tensor
from tests.inspect.make import events, inspector, run

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


_DETACH = "torch.Tensor.detach_"


def detached(body: str) -> list[bool]:
    """Of each tensor that a function detaches in place, whether it was there before the region, or its last graph."""
    call = body.replace("\n", "\n    ")
    walked = inspector(RECORDS.format(call=call))
    walked.splits = lambda event: event.callee == "builtins.print"
    run(walked)
    found = (event.receiver for event in walked.events if (event.type, event.callee) == ("call", _DETACH))
    return [receiver.parameter for receiver in found if isinstance(receiver, Tensor)]


@pytest.mark.parametrize(
    "body",
    [
        "Out(x * 2).hidden.detach_()",
        "out = Maybe(hidden=x * 2)\nout.hidden.detach_()",
        "outs = []\nouts.append(Out(x * 2))\nfor out in outs:\n    out.hidden.detach_()",
    ],
)
def test_what_the_region_puts_into_a_record_was_not_there_before(body: str) -> None:
    assert detached(body) == [False]


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("the argument itself", "Out(x).hidden.detach_()"),
        ("the graph broke since", "out = Out(x * 2)\nprint(x)\nout.hidden.detach_()"),
        ("somebody may set it", "Plain(x).hidden.detach_()"),
    ],
)
def test_what_a_record_holds_was_there_before(why: str, body: str) -> None:
    assert detached(body) == [True], why
