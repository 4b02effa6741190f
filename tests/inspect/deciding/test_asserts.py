"""What `assert` asserts."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import STR, Const, Kind
from compilelint.report.confidence import Confidence
from tests.inspect.make import events, function


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("assert x.any()", [("assert", "x.any()")]),
        ("assert flag and x.any()", [("assert", "x.any()")]),
        ("assert x.all() and x.any()", [("assert-part", "x.all()"), ("assert", "x.any()")]),
        ("assert not x.any()", [("assert-part", "x.any()")]),
        ("assert flag or x.any()", [("assert-part", "x.any()")]),
    ],
)
def test_a_tensor_is_asserted(body: str, found: list[tuple[str, str]]) -> None:
    told = events(function(body), "f", "branch")
    assert [(event.construct, event.source) for event in told] == found


@pytest.mark.parametrize(
    ("message", "args"),
    [
        ("'no'", (Const("no"),)),
        ("TEXT", (STR,)),
        ("text", (STR,)),
        ("3", (Const(3),)),
        ("f'{n}'", (STR,)),
    ],
)
def test_the_message_of_an_assert_is_a_constant_only_where_it_is_written(message: str, args: tuple[Kind, ...]) -> None:
    code = f"TEXT = 'no'\n{function(f'text = TEXT{chr(10)}assert x.any(), {message}')}"
    (found,) = events(code, "f", "branch")
    assert found.args == args


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("assert [x, y]", True),
        ("assert (x, y), 'none'", True),
        ("assert {'a': x}", True),
        ("assert isinstance(x, Tensor) and [x]", True),
        ("assert []", False),
        ("assert [n, n]", False),
        ("assert len([x])", False),
        ("assert [x] and n", False),
    ],
)
def test_containers_of_tensors_are_asserted(body: str, told: bool) -> None:
    found = [event for event in events(function(body), "f", "branch") if event.construct == "assert-of-tensors"]
    assert bool(found) == told


OBJECTS = """
import enum
class Options:
    rate = 2
class Sized(Options):
    def __len__(self): ...
class Mode(enum.Enum):
    FAST = 1
class Names(dict): ...
class Net(nn.Module):
    def __init__(self, maybe: Options | None):
        super().__init__()
        self.head = nn.Linear(3, 3)
        self.layers = nn.ModuleList([nn.Linear(3, 3)])
        self.maybe = maybe
def f(x: Tensor, net: Net, n: int, other: Options | int, what):
    """


def objects(test: str) -> list[Confidence]:
    """How sure it is that the assertion asserts an object."""
    found = events(OBJECTS + f"assert {test}", "f", "branch")
    return [event.confidence for event in found if event.construct == "assert-of-objects"]


@pytest.mark.parametrize(
    ("test", "confidence"),
    [
        ("net", Confidence.HIGH),
        ("net.head, 'no head'", Confidence.HIGH),
        ("net.layers", Confidence.HIGH),
        ("Options()", Confidence.HIGH),
        ("Sized()", Confidence.HIGH),
        ("net.maybe", Confidence.HIGH),
        ("n and net.head", Confidence.HIGH),
        ("[Options()]", Confidence.HIGH),
        ("{'a': net}", Confidence.HIGH),
        ("other", Confidence.MEDIUM),
    ],
)
def test_objects_are_asserted(test: str, confidence: Confidence) -> None:
    assert objects(test) == [confidence]


@pytest.mark.parametrize(
    ("why", "test"),
    [
        ("whether there is one", "net.head is not None"),
        ("how many there are", "len(net.layers) > 0"),
        ("what it is", "isinstance(net.head, nn.Module)"),
        ("it only decides on what comes next", "net.head and n"),
        ("the bool of it", "not net.head"),
        ("one of them", "net.head or n"),
        ("a class", "Options"),
        ("an attribute that is a number", "Options().rate"),
        ("a member of an enumeration", "Mode.FAST"),
        ("a dict of another class", "Names()"),
        ("numbers", "[n, 3]"),
        ("nothing is known of it", "what"),
    ],
)
def test_what_is_decided_while_tracing_is_no_object(why: str, test: str) -> None:
    assert objects(test) == []
