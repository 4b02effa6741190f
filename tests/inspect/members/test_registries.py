"""Tables that hold the classes below one."""

from __future__ import annotations

import pytest

from tests.inspect.make import events, function

BASE = """
class Metric:
    registry = {{}}
    def __init_subclass__(cls, **options):
        {registering}
class Hits(Metric):
    def __call__(self, x):
        return x.item()
class Other:
    def __call__(self, x):
        return x.tolist()

"""


def _called(registering: str, taken: str = "Metric.registry[name]()(x)") -> list[str]:
    code = BASE.format(registering=registering) + function(taken)
    return [event.source for event in events(code, "f", "call") if event.source.startswith("x.")]


@pytest.mark.parametrize("owner", ["Metric", "cls"])
def test_a_table_holds_the_classes_below(owner: str) -> None:
    assert _called(f"{owner}.registry[cls.__name__] = cls") == ["x.item()"]


@pytest.mark.parametrize(
    ("why", "registering"),
    [
        ("it is another table", "Metric.others[cls.__name__] = cls"),
        ("it is something else", "Metric.registry[cls.__name__] = options"),
        ("nothing is put in", "cls.key = cls.__name__"),
    ],
)
def test_a_table_holds_nothing_that_is_known(why: str, registering: str) -> None:
    assert _called(registering) == [], why
