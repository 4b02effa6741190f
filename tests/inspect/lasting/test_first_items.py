"""What a call puts into a dict that only the first call finds empty."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events

NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = {initial}

    def forward(self, x):
        {body}
        return x

    def other(self, x):
        {other}
"""


def first_items(body: str, initial: str = "{}", other: str = "pass") -> list[tuple[str, Confidence]]:
    code = NET.format(initial=initial, body=body.replace("\n", "\n        "), other=other)
    found = events(code, "Net.forward", "attribute-write")
    return [(event.source, event.confidence) for event in found if event.construct == "first-item"]


@pytest.mark.parametrize("initial", ["{}", "dict()"])
def test_the_first_item_of_an_empty_dict(initial: str) -> None:
    body = "self.parts['a'] = x.mean()\nself.parts['b'] = x.max()"
    assert first_items(body, initial) == [("self.parts['a'] = x.mean()", Confidence.MEDIUM)]


@pytest.mark.parametrize(
    "body",
    [
        "self.parts.update({'a': x, 'b': x})",
        "self.parts.update(a=x)",
        "self.parts.setdefault('a', x)",
        "self.parts.update(a=x)\nself.parts['b'] = x",
    ],
)
def test_the_first_update_of_an_empty_dict(body: str) -> None:
    assert first_items(body) == [(body.split("\n")[0], Confidence.MEDIUM)]


@pytest.mark.parametrize("key", ["i", "f'layer{i}'", "(i, 1)"])
def test_a_key_of_a_loop(key: str) -> None:
    body = f"for i in range(3):\n    self.parts[{key}] = x"
    assert first_items(body) == [(f"self.parts[{key}] = x", Confidence.MEDIUM)]
    assert not first_items(f"self.parts.clear()\n{body}")


@pytest.mark.parametrize("key", ["x.shape[0]", "name", "f'layer{name}'", "(i, x.shape[0])"])
def test_a_key_that_may_be_another_one_in_each_call(key: str) -> None:
    assert not first_items(f"name = self.name\nfor i in range(3):\n    self.parts[{key}] = x")


def test_a_method_that_another_one_calls_before_it_fills_the_rest() -> None:
    body = "x = self.other(x)\nself.parts['last'] = x"
    other = "self.parts['first'] = x\n        return x"
    assert first_items(body, other=other) == [("self.parts['first'] = x", Confidence.MEDIUM)]


@pytest.mark.parametrize(
    "body",
    [
        "self.parts['first'] = x\nx = self.other(x)",
        "x = self.other(x)\nself.parts.clear()",
        "x = self.other(x)\ndel self.parts['other']",
    ],
)
def test_a_method_that_another_one_calls_when_it_has_filled_it_or_that_empties_it(body: str) -> None:
    assert first_items(body, other="self.parts['other'] = x\n        return x") == []


@pytest.mark.parametrize(
    ("why", "body", "initial", "other"),
    [
        ("it has items", "self.parts['a'] = x", "{'a': None}", "pass"),
        ("it is new in each call", "self.parts = {}\nself.parts['a'] = x", "{}", "pass"),
        ("it is empty again", "self.parts['a'] = x\ndel self.parts['a']", "{}", "pass"),
        ("somebody empties it", "self.parts['a'] = x", "{}", "self.parts = {}"),
        ("somebody clears it", "self.parts['a'] = x", "{}", "self.parts.clear()"),
        ("somebody may have filled it", "self.parts['a'] = x", "{}", "self.parts['b'] = x"),
        ("no dict", "self.parts[0] = x", "[None]", "pass"),
        ("nobody knows the key", "self.parts[x] = x", "{}", "pass"),
        ("nobody knows the keys", "self.parts.update(x)", "{}", "pass"),
        ("it has items", "self.parts.update(a=x)", "{'a': None}", "pass"),
        ("somebody may have filled it", "self.parts.update(a=x)", "{}", "self.parts.update(b=x)"),
        ("a default is made for each key", "self.parts['a'] = x", "collections.defaultdict(list)", "pass"),
    ],
)
def test_the_second_call_finds_what_the_first_has_found(why: str, body: str, initial: str, other: str) -> None:
    assert first_items(body, initial, other) == [], why


@pytest.mark.parametrize(
    ("initial", "found"),
    [
        ("{'calls': 0}", ["self.parts['a'] = x"]),
        ("{'calls': 0, 'a': None}", []),
        ("{name: 0 for name in 'ab'}", []),
        ("{'calls': 0, NAME: 1}", []),
        ("{**DEFAULTS}", []),
    ],
)
def test_an_item_of_a_dict_that_has_others(initial: str, found: list[str]) -> None:
    assert [source for source, _ in first_items("self.parts['a'] = x", initial)] == found


def test_the_first_items_of_a_dict_whose_keys_a_loop_says_are_not_among_others() -> None:
    assert first_items("for i in range(3):\n    self.parts[i] = x", "{'calls': 0}") == []


@pytest.mark.parametrize(
    ("body", "other", "found"),
    [
        ("if self.trace is None:\n    self.other(x)", "self.trace = x; self.parts['a'] = x", 0),
        ("if not hasattr(self, 'trace'):\n    self.other(x)", "self.trace = x; self.parts['a'] = x", 0),
        ("if self.trace is None:\n    self.other(x)", "self.parts['a'] = x", 1),
        ("self.other(x)", "self.trace = x; self.parts['a'] = x", 1),
    ],
)
def test_what_a_method_fills_that_only_the_first_call_makes_is_told_there(body: str, other: str, found: int) -> None:
    assert len(first_items(body, other=other)) == found
