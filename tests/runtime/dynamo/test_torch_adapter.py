"""The table of hooks, over a module that stands in for torch's."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import pytest

from compilelint.runtime.dynamo import torch_adapter
from compilelint.runtime.dynamo.listening import Listener
from compilelint.runtime.dynamo.torch_adapter import Hook, release, wrap
from compilelint.runtime.events import Event, Unreadable

NAME = "stand_in_for_torch"


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    made = ModuleType(NAME)
    monkeypatch.setitem(sys.modules, NAME, made)
    hooks = {"things": Hook("things", NAME, ("new", "Old.inner"), "2.8")}
    monkeypatch.setattr(torch_adapter, "HOOKS", hooks)
    monkeypatch.setattr(torch_adapter, "breaks_are_artifacts", lambda: True)
    return made


def doubled(original):  # type: ignore[no-untyped-def]
    def twice() -> int:
        return 2 * int(original())

    return twice


def test_the_newest_name_that_is_there_is_wrapped_and_put_back(module: ModuleType) -> None:
    module.new = lambda: 1  # type: ignore[attr-defined]
    module.Old = SimpleNamespace(inner=lambda: 10)  # type: ignore[attr-defined]
    undo = wrap("things", doubled)
    assert (module.new(), module.Old.inner()) == (2, 10)
    undo()
    assert module.new() == 1


def test_an_older_name_serves_where_there_is_no_newer(module: ModuleType) -> None:
    module.Old = SimpleNamespace(inner=lambda: 10)  # type: ignore[attr-defined]
    wrap("things", doubled)
    assert module.Old.inner() == 20


def test_what_has_none_of_the_names_is_absent(module: ModuleType) -> None:
    told: list[str] = []
    wrap("things", doubled, lambda: told.append("absent"))
    assert told == ["absent"]


def test_a_hook_found_missing_after_torch_was_announced_is_unreadable(module: ModuleType) -> None:
    events: list[Event] = []
    listener = Listener(events.append, events.append)
    listener.hook("things", doubled)
    assert not events, "not announced yet: TorchLoaded.missing will say so"
    listener._is_loaded = True
    listener.hook("things", doubled)
    (event,) = events
    assert isinstance(event, Unreadable)
    assert event.source == "things"


def test_a_release_is_the_first_two_numbers_of_a_version() -> None:
    assert [release(each) for each in ("2.13.0+cpu", "2.9.1", "2.14.0a0", "main")] == [(2, 13), (2, 9), (2, 14), (0, 0)]
