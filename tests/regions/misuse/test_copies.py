"""Copies of modules that were compiled in place.

The positive forms are the examples of the pages CL614 and CL617.
Here is what must not be taken for them.
"""

from __future__ import annotations

import pytest

from tests.regions.constructs import NET, constructs_around


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("copied before", "m = Net()\nc = copy.deepcopy(m)\nm.compile()\nc(3)"),
        ("the copy is compiled too", "m = Net()\nm.compile()\nc = copy.deepcopy(m)\nc.compile()"),
        ("the copy is wrapped", "m = Net()\nm.compile()\nc = copy.deepcopy(m)\nc = torch.compile(c)\nc(3)"),
        ("a wrapper can be copied", "m = torch.compile(Net())\nc = copy.deepcopy(m)\nm(3)"),
        ("another module", "m = Net()\nn = Net()\nm.compile()\nc = copy.deepcopy(n)"),
        ("another deepcopy", "def deepcopy(x): ...\nm = Net()\nm.compile()\nc = deepcopy(m)"),
        ("a method that is not forward", "m = Net()\nm.encode = torch.compile(m.encode)\nc = copy.deepcopy(m)"),
    ],
)
def test_the_copy_is_right(why: str, code: str) -> None:
    assert constructs_around(NET + code) == []
