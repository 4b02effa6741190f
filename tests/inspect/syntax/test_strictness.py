"""Code in which a break is an error."""

from __future__ import annotations

import pytest

from tests.inspect.make import events

HELPERS = """
from torch._dynamo import error_on_graph_break

@error_on_graph_break(True)
def strictly(t):
    print(t)

@torch._dynamo.error_on_graph_break(False)
def softly(t):
    print(t)

def plain(t):
    print(t)
"""


@pytest.mark.parametrize(
    ("body", "strict"),
    [
        ("with error_on_graph_break(True):\n    print(x)\nprint(x)", [True, False]),
        ("with torch._dynamo.error_on_graph_break(True):\n    plain(x)", [True]),
        ("with error_on_graph_break(True):\n    softly(x)", [False]),
        ("with error_on_graph_break(True):\n    with error_on_graph_break(False):\n        print(x)", [False]),
        ("with error_on_graph_break(flag):\n    print(x)", [False]),
        ("strictly(x)\nplain(x)", [True, False]),
    ],
)
def test_where_a_break_is_an_error(body: str, strict: list[bool]) -> None:
    code = HELPERS + "def f(x: Tensor, flag: bool):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    prints = [event for event in events(code, "f", "call") if event.callee == "builtins.print"]
    assert [event.place.mode.strict for event in prints] == strict


def test_around_what_is_compiled() -> None:
    code = f"{HELPERS}@error_on_graph_break(True)\n@torch.compile\ndef f(x: Tensor):\n    print(x)\n"
    (event,) = (event for event in events(code, "f", "call") if event.callee == "builtins.print")
    assert event.place.mode.strict
