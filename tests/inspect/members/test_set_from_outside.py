"""What others give to an attribute that a class only begins with None."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import UNKNOWN, Instance, Kind, options
from tests.inspect.make import events, returned

CODE = """
class Cache(nn.Module):
    def __init__(self, length):
        super().__init__()
        self.seen = 0
    def update(self, x):
        self.seen += x.shape[1]
        return x

class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.cache = None
    def forward(self, x: Tensor):
        return x if self.cache is None else self.cache.update(x)
    def held(self):
        return self.cache

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Attention() for _ in range(2))
    def set_up(self, length):
        for block in self.blocks:
            block.cache = Cache(length)
"""


def held(code: str) -> set[str]:
    kind: Kind = returned(code, "Attention.held")
    return {each.cls.name for each in options(kind) if isinstance(each, Instance)}


def test_a_cache_that_the_model_sets_in_each_block_is_entered() -> None:
    assert held(CODE) == {"Cache"}
    assert [each.source for each in events(CODE, "Attention.forward", "attribute-write")] == ["self.seen += x.shape[1]"]


def test_a_function_may_set_it_in_what_it_is_given() -> None:
    code = CODE.replace("    def set_up(self, length):", "def set_up(self, length):")
    assert held(code) == {"Cache"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("block.cache = Cache(length)", "self.cache = Cache(length)", id="its own attribute"),
        pytest.param("block.cache = Cache(length)", "block.cache = make(length)", id="nobody knows what is made"),
        pytest.param("block.cache = Cache(length)", "block.cache = length", id="not made there"),
        pytest.param("block.cache = Cache(length)", "block.other = Cache(length)", id="another attribute"),
        pytest.param("self.cache = None", "self.cache = None\n        self.cache = {}", id="begun with more than None"),
        pytest.param("self.blocks = ", "self.cache = None; self.blocks = ", id="two classes have such an attribute"),
    ],
)
def test_what_may_be_set_in_something_else_is_not_known(before: str, after: str) -> None:
    assert before in CODE
    assert held(CODE.replace(before, after)) == set()


def test_what_is_set_to_several_things_is_known_only_if_all_of_them_are() -> None:
    again = "\n    def again(self, made):\n        self.blocks[0].cache = made()\n"
    assert held(CODE + again) == set()
    assert returned(CODE + again, "Attention.held") == UNKNOWN
    assert held(CODE + again.replace("made()", "Cache(3)")) == {"Cache"}
