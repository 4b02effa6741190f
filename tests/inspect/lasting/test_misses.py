"""What is counted only where a table, or a global, has nothing yet."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events

CODE = """
TABLE = {{}}
STATE = None
COUNT = 0

def f(x: Tensor, key: str):
    global COUNT, STATE
    {body}
    return x

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = {{}}
        self.state = None
        self.count = 0

    def forward(self, x, key: str):
        {method}
        return x
"""


def counts(body: str) -> list[Confidence]:
    """How sure it is that a counter costs one compilation per call: a global's, and an attribute's."""
    of_module = body.replace("TABLE", "self.table").replace("STATE", "self.state").replace("COUNT", "self.count")
    code = CODE.format(body=body.replace("\n", "\n    "), method=of_module.replace("\n", "\n        "))
    found = (*events(code, "f", "global-write"), *events(code, "Net.forward", "attribute-write"))
    return [event.confidence for event in found if event.construct == "augmented"]


@pytest.mark.parametrize(
    "body",
    [
        "if key not in TABLE:\n    COUNT += 1\n    TABLE[key] = COUNT",
        "if key in TABLE:\n    return TABLE[key]\nCOUNT += 1\nTABLE[key] = COUNT",
        "if key in TABLE:\n    y = TABLE[key]\nelse:\n    COUNT += 1\n    TABLE[key] = COUNT",
        "found = TABLE.get(key)\nif found is None:\n    COUNT += 1\n    TABLE[key] = COUNT",
        "found = TABLE.get(key)\nif found is not None:\n    return found\nCOUNT += 1\nTABLE[key] = COUNT",
        "found = TABLE.get(key)\nif found is not None:\n    n, y = found\n    if y is x:\n        return n\n"
        "COUNT += 1\nTABLE[key] = COUNT, x",
        "if (found := TABLE.get(key)) is None:\n    COUNT += 1\n    found = TABLE[key] = COUNT",
        "if STATE is None:\n    COUNT += 1\n    STATE = 3",
    ],
)
def test_a_counter_of_what_is_filled_stands_still_soon(body: str) -> None:
    assert counts(body) == [Confidence.LOW, Confidence.LOW]


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("before it is asked", "COUNT += 1\nif key in TABLE:\n    return TABLE[key]\nTABLE[key] = 1"),
        ("what is there", "if key in TABLE:\n    COUNT += 1\n    return TABLE[key]\nTABLE[key] = 1"),
        ("nothing is kept", "found = TABLE.get(key)\nif found is not None:\n    return found\nCOUNT += 1"),
        ("kept for this call", "seen = {}\nif key in seen:\n    return 1\nCOUNT += 1\nseen[key] = 1"),
        (
            "under another key",
            "found = TABLE.get(x)\nif found is not None:\n    return found\nCOUNT += 1\nTABLE[key] = 1",
        ),
        (
            "whether it is there or not",
            "found = TABLE.get(key)\nif found is not None:\n    y = 1\nCOUNT += 1\nTABLE[key] = 1",
        ),
    ],
)
def test_a_counter_of_calls_goes_on(why: str, body: str) -> None:
    assert counts(body) == [Confidence.HIGH, Confidence.HIGH], why
