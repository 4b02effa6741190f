"""`isinstance(self, Sub)` in the base class: what is walked stays what it is."""

from __future__ import annotations

from compilelint.inspect.kinds import Instance
from tests.inspect.make import events

NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0

    def forward(self, x):
        if isinstance(self, Sub):
            x = x + 1
        else:
            x = x - 1
        self.steps += 1
        return x

class Sub(Net):
    pass
"""


def test_the_object_of_a_method_is_no_other_after_it_was_asked_for_its_class() -> None:
    (event,) = events(NET, "Net.forward", "attribute-write")
    assert isinstance(event.receiver, Instance)
    assert event.receiver.cls.name == "Net"
