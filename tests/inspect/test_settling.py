"""After a break, what was computed before it is an input of the next graph."""

from __future__ import annotations

import pytest

from compilelint.inspect.labels import labels
from tests.inspect.make import inspector, run

AROUND = """
def shows(x):
    print(x)
def chosen(x):
    print(x)
    return x.argmax()
def prepares(self, x):
    if self.fresh:
        self.fresh = False
        print(x)
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fresh = True
    def forward(self, x):
BODY
"""


def is_input(body: str) -> bool:
    """Whether `x[i]` is indexed by what comes from outside its graph."""
    indented = "\n".join(f"        {line}" for line in body.splitlines())
    walked = inspector(AROUND.replace("BODY", indented))
    walked.splits = lambda event: event.callee == "builtins.print"
    run(walked, "Net.forward")
    (index,) = (event for event in walked.events if event.type == "index")
    return all("input-tensor" in labels(arg) for arg in index.args)


@pytest.mark.parametrize(
    "body",
    [
        "i = x.argmax()\nprint(x)\nx[i]",
        "i = x.argmax()\nshows(x)\nx[i]",
        "shows(x)\ni = x.argmax()\nshows(x)\nx[i]",
        "shows(x)\nfor _ in range(3):\n    i = x.argmax()\nshows(x)\nx[i]",
        "x[chosen(x)]",
        "i = chosen(x)\nx[i]",
        "chosen(x)\nx[chosen(x)]",
        "i = x.argmax()\nshows(x)\nfor _ in range(3):\n    x[i]",
        "i = x.argmax()\nshows(x)\ntry:\n    x[i]\nexcept ValueError:\n    pass",
    ],
)
def test_each_time(body: str) -> None:
    assert is_input(body)


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("nothing breaks the graph", "i = x.argmax()\nx[i]"),
        ("a break in a loop drops the frame", "for _ in range(3):\n    x[chosen(x)]"),
        ("it breaks before", "shows(x)\ni = x.argmax()\nx[i]"),
        ("a break in a loop drops the frame", "for _ in range(3):\n    i = x.argmax()\n    shows(x)\n    x[i]"),
        (
            "a break in `try` drops the frame",
            "i = x.argmax()\ntry:\n    shows(x)\n    x[i]\nexcept ValueError:\n    pass",
        ),
        ("only the first call breaks", "i = x.argmax()\nprepares(self, x)\nx[i]"),
    ],
)
def test_not_where(why: str, body: str) -> None:
    assert not is_input(body)


def test_what_was_made_sparse_is_told_where_it_was_made_and_not_where_the_next_graph_reads_it() -> None:
    walked = inspector(AROUND.replace("BODY", "        graph = x.to_sparse()\n        print(x)\n        graph @ x"))
    walked.splits = lambda event: event.callee == "builtins.print"
    run(walked, "Net.forward")
    assert "operator" not in {event.type for event in walked.events}
