from __future__ import annotations

from typing import Literal

from compilelint.inspect import kinds
from compilelint.inspect.events import Event, Mode, Place, Span
from compilelint.match.resets import lasting

HERE = Place("a.py", "Net.forward", ("Net.forward",), Mode())
NET = kinds.Instance(kinds.ProjectClass(("a.py", 1, 0), "Net"), module=True)
OTHER = kinds.Instance(kinds.ProjectClass(("a.py", 9, 0), "Other"), module=True)
ITEMS = kinds.Sequence("list", kinds.TENSOR)


def write(
    construct: str,
    name: str = "torch.nn.Module.h",
    receiver: kinds.Kind | None = NET,
    value: kinds.Kind = ITEMS,
    type_: Literal["attribute-write", "global-write"] = "attribute-write",
) -> Event:
    return Event(type_, Span(1, 1, 1, 9), HERE, name, construct, receiver, (value,))


def test_growth_is_dropped_where_the_region_replaces_the_container() -> None:
    assert lasting([write("assign"), write("append")]) == [write("assign")]


def test_growth_is_dropped_where_the_region_clears_the_container_afterwards() -> None:
    assert lasting([write("augmented"), write("cleared")]) == [write("cleared")]


def test_growth_of_a_global_is_dropped_where_the_region_replaces_it() -> None:
    grown = write("append", "LOSSES", None, type_="global-write")
    assert grown not in lasting([grown, write("assign", "LOSSES", None, type_="global-write")])


def test_growth_stays_because_another_attribute_is_replaced() -> None:
    events = [write("append"), write("assign", "torch.nn.Module.g")]
    assert lasting(events) == events


def test_growth_stays_because_another_class_replaces_its_own() -> None:
    events = [write("append"), write("assign", receiver=OTHER)]
    assert lasting(events) == events


def test_a_counter_stays_because_it_changes_although_it_is_reset_at_times() -> None:
    events = [write("augmented", value=kinds.INT), write("assign", value=kinds.INT)]
    assert lasting(events) == events
