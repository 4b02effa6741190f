"""Containers that calls fill, and what keeps them from growing. All was measured on torch 2.13, with 25 calls."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events

NET = """
from collections import deque
SEEN = []

class Net(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.seen = {made}

    def forward(self, x):
        {body}
        return x

    {other}
"""


def grown(body: str, made: str = "[]", other: str = "", before: str = "") -> list[Confidence]:
    code = before + NET.format(made=made, body=body.replace("\n", "\n        "), other=other.replace("\n", "\n    "))
    found = events(code, "Net.forward", "attribute-write", "global-write")
    return [event.confidence for event in found if event.construct in ("append", "augmented")]


FULL = [
    "self.seen.append(x)\nif len(self.seen) > {n}:\n    self.seen.pop(0)",
    "self.seen.append(x)\nif {n} < len(self.seen):\n    del self.seen[0]",
    "self.seen.append(x)\nwhile len(self.seen) > {n}:\n    self.seen.pop(0)",
    "if len(self.seen) == {n}:\n    self.seen.pop(0)\nself.seen.append(x)",
    "if len(self.seen) >= {n}:\n    self.seen.clear()\nself.seen.append(x)",
    "if len(self.seen) == {n}:\n    self.seen = []\nself.seen.append(x)",
    "self.seen.append(x)\nself.seen = self.seen[-{n}:]",
    "self.seen.insert(0, x)\nself.seen = self.seen[:{n}]",
    "self.seen.append(x)\ndel self.seen[:-{n}]",
    "self.seen.insert(0, x)\ndel self.seen[{n}:]",
    "self.seen += [x]\nif len(self.seen) > {n}:\n    self.seen.pop(0)",
    "self.seen += [x]\nself.seen = self.seen[-{n}:]",
    "self.seen = self.seen + [x]\nif len(self.seen) > {n}:\n    self.seen = self.seen[1:]",
    "self.seen = (self.seen + [x])[-{n}:]",
]
PUT_TO_A_SLICE = ["self.seen = self.seen[-{n}:] + [x]", "self.seen = [*self.seen[-{n}:], x]"]
"""What holds one more than is kept."""


@pytest.mark.parametrize("body", FULL)
def test_what_is_emptied_when_it_is_full_grows_before(body: str) -> None:
    assert grown(body.format(n=10)) == [Confidence.HIGH]
    assert grown(body.format(n=9)) == [Confidence.HIGH]


def test_what_is_empty_when_it_is_decided_on_has_a_length_more() -> None:
    assert grown("if len(self.seen) == 8:\n    self.seen = []\nself.seen.append(x)") == [Confidence.HIGH]


@pytest.mark.parametrize("body", ["self.seen = [*self.seen, x]", "self.seen = [x, *self.seen]", "self.seen += [x]"])
def test_what_is_made_of_itself_and_more_grows(body: str) -> None:
    assert grown(body) == [Confidence.HIGH]


@pytest.mark.parametrize("body", ["self.seen = [*self.seen]", "self.seen = self.seen[-10:]", "self.seen = [x, *what]"])
def test_what_gets_nothing_more_does_not_grow(body: str) -> None:
    assert grown(body) == []


def test_what_the_call_itself_empties_does_not_grow() -> None:
    assert grown("self.seen += [x]\nself.seen.clear()") == []


@pytest.mark.parametrize("body", FULL)
def test_what_is_full_soon_ends_to_recompile(body: str) -> None:
    assert grown(body.format(n=7)) == []


@pytest.mark.parametrize("body", PUT_TO_A_SLICE)
def test_what_is_put_to_a_slice_counts_as_well(body: str) -> None:
    assert grown(body.format(n=6)) == []
    assert grown(body.format(n=7)) == [Confidence.HIGH]
    assert grown(body.format(n="self.size")) == [Confidence.MEDIUM]


@pytest.mark.parametrize("body", FULL)
def test_what_is_full_at_a_size_that_is_not_known_may_be_full_soon(body: str) -> None:
    assert grown(body.format(n="self.size")) == [Confidence.MEDIUM]


@pytest.mark.parametrize("body", FULL)
@pytest.mark.parametrize(("names", "found"), [("KEEP = 4", []), ("KEEP = 40", [Confidence.HIGH])])
def test_a_size_that_has_a_name_in_the_file_is_known(body: str, names: str, found: list[Confidence]) -> None:
    assert grown(body.format(n="KEEP"), before=names) == found
    assert grown("self.seen.append(x)", "deque(maxlen=KEEP)", before=names) == found


@pytest.mark.parametrize(
    ("made", "found"),
    [
        ("deque(maxlen=10)", [Confidence.HIGH]),
        ("deque(maxlen=4)", []),
        ("deque([], maxlen=size)", [Confidence.MEDIUM]),
        ("deque()", [Confidence.HIGH]),
    ],
)
def test_a_deque_says_how_long_it_may_be(made: str, found: list[Confidence]) -> None:
    assert grown("self.seen.append(x)", made) == found


@pytest.mark.parametrize(("room", "found"), [("10", [Confidence.HIGH]), ("4", []), ("self.size", [])])
def test_what_is_filled_up_to_a_size_grows_as_long(room: str, found: list[Confidence]) -> None:
    assert grown(f"if len(self.seen) < {room}:\n    self.seen.append(x)") == found


CACHE = """
class Cache:
    def __init__(self):
        self.keys = []

    def __len__(self):
        return len(self.keys)
"""


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("while len(self.seen) < self.size:", []),
        ("while self.size > len(self.seen):", []),
        ("if len(self.seen) <= 4:", []),
        ("if len(self.seen) < 40:", [Confidence.HIGH]),
        ("if len(self.seen) > self.size:", [Confidence.HIGH]),
    ],
)
def test_what_is_filled_up_by_the_length_of_its_holder_does_not_grow(condition: str, found: list[Confidence]) -> None:
    """`while len(cache) < len(self.layers): cache.keys.append(None)`: one more compilation at most."""
    assert grown(f"{condition}\n    self.seen.keys.append(None)", "Cache()", before=CACHE) == found


@pytest.mark.parametrize("emptied", ["self.seen = []", "self.seen.clear()", "self.seen.pop()", "del self.seen[0]"])
def test_what_is_emptied_now_and_then_need_not_grow(emptied: str) -> None:
    assert grown("self.seen.append(x)", other=f"def reset(self):\n    {emptied}") == []


@pytest.mark.parametrize("emptied", ["self.seen = []", "self.seen.clear()"])
@pytest.mark.parametrize(
    "hook", ["on_train_epoch_end", "on_validation_epoch_start", "on_test_end", "training_epoch_end"]
)
def test_what_is_emptied_once_in_an_epoch_grows_with_its_steps(hook: str, emptied: str) -> None:
    """`self.losses.append(loss)` in Lightning's `training_step`."""
    assert grown("self.seen.append(x)", other=f"def {hook}(self):\n    {emptied}") == [Confidence.MEDIUM]
    assert (
        grown("self.seen.append(x)", other=f"def {hook}(self):\n    {emptied}\ndef reset(self):\n    {emptied}") == []
    )


@pytest.mark.parametrize("hook", ["on_train_batch_end", "on_before_backward", "on_end_of_it"])
def test_what_is_emptied_with_each_step_does_not_grow(hook: str) -> None:
    assert grown("self.seen.append(x)", other=f"def {hook}(self):\n    self.seen.clear()") == []


def test_what_takes_itself_along_is_not_emptied_by_that() -> None:
    more = "def more(self):\n    self.seen = self.seen + [1]"
    assert grown("self.seen.append(x)", other=more) == [Confidence.HIGH]
    assert grown("self.seen.append(x)", other=f"{more}\ndef reset(self):\n    self.seen = []") == []


def test_globals_are_bounded_likewise() -> None:
    assert grown("SEEN.append(x)") == [Confidence.HIGH]
    assert grown("SEEN.append(x)\nif len(SEEN) > 10:\n    SEEN.pop(0)") == [Confidence.HIGH]
    assert grown("SEEN.append(x)\nif len(SEEN) > 4:\n    SEEN.pop(0)") == []
    assert grown("SEEN.append(x)", other="def reset(self):\n    SEEN.clear()") == []


@pytest.mark.parametrize(
    ("block", "found"),
    [
        ("if __name__ == '__main__':\n    LOG = []", [Confidence.HIGH]),
        ("try:\n    LOG = []\nfinally:\n    pass", [Confidence.HIGH]),
        ("if __name__ == '__main__':\n    for _ in range(9):\n        LOG = []", []),
        ("def reset():\n    global LOG\n    LOG = []", []),
    ],
)
def test_what_a_script_makes_in_a_block_that_runs_once_is_its_beginning(block: str, found: list[Confidence]) -> None:
    code = f"def step(x):\n    LOG.append(x)\n    return x\n\nLOG = []\n{block}\n"
    assert [event.confidence for event in events(code, "step", "global-write")] == found
