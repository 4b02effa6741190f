"""Modules that a region makes."""

from __future__ import annotations

from compilelint.inspect.events import Event
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from tests.inspect.make import PRELUDE, run
from tests.source.make import tree

MODULE = """
class Criterion(nn.Module):
    def __init__(self):
        super().__init__()
        {init}

    def forward(self, x):
        return x
"""


def starts(body: str, init: str = "pass") -> list[Event]:
    """The events about `super().__init__()` of a module made in `f`, where calls of print break the graph."""
    found = Inspector(
        Knowledge(tree({"example.py": f"{PRELUDE}{MODULE.format(init=init)}\ndef f(x: Tensor):\n{body}"})),
        lambda type_, callee: True,
        splits=lambda event: event.callee == "builtins.print" and not event.place.aggravated_by,
        gives_up=lambda event: event.callee == "builtins.print" and bool(event.place.aggravated_by),
    )
    run(found)
    return [event for event in found.events if event.construct == "own-frame"]


def test_an_init_that_breaks_is_compiled_alone() -> None:
    (event,) = starts("    return Criterion()(x)\n", init="print(1)")
    assert (event.callee, event.place.function) == ("torch.nn.Module.__init__", "Criterion.__init__")


def test_the_init_that_it_inherits_is_the_next_frame() -> None:
    base = "pass\n\nclass Weighted(Criterion):\n    def __init__(self):\n        super().__init__()\n        print(1)\n"
    found = starts("    return Weighted()(x)\n", init=base + "\n    def other(self):\n        pass")
    assert [event.place.function for event in found] == ["Weighted.__init__", "Criterion.__init__"]


def test_in_a_frame_that_was_given_up_every_init_is() -> None:
    assert len(starts("    for _ in range(2):\n        print(1)\n    return Criterion()(x)\n")) == 1


def test_an_init_that_is_traced_with_the_rest_is_not() -> None:
    assert starts("    return Criterion()(x)\n") == []


def test_a_break_elsewhere_does_not_matter() -> None:
    assert starts("    print(1)\n    return Criterion()(x)\n") == []
