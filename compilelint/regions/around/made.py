"""What the objects of a class are made with, as the project makes them: `Trainer(model, EulerScheduler()).fit()`.

A method that is compiled where its class stands (`@torch.compile` above it) says nothing of the objects that it will
be called on; the files that make some do.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Instance, Kind, ProjectClass
from compilelint.inspect.members.made_with import Given
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.users import calls_by_name

_MOST_WAYS = 4
"""A class whose objects are made in more ways than this is a library's: none of them is meant."""


def as_made(inspector: Inspector, function: kinds.Function) -> kinds.Function:
    """The same method, of an object that is made as the project makes those of its class."""
    receiver = function.receiver
    if not isinstance(receiver, Instance):
        return function
    made = made_alike(inspector, receiver)
    return function if made is receiver else replace(function, receiver=made)


def made_alike(inspector: Inspector, instance: Instance) -> Instance:
    """An object of this class that is made as the project makes them; itself where nobody makes any."""
    if instance.given:
        return instance
    given = inspector.derived(("made", instance.cls.key), lambda: _given(inspector, instance.cls))
    return replace(instance, given=given) if given else instance


def _given(inspector: Inspector, cls: ProjectClass) -> Given:
    ways = tuple(dict.fromkeys(_ways(inspector, cls)))
    if len(ways) > _MOST_WAYS:
        return ()
    found: dict[str, Kind] = {}
    for name, kind in (each for way in ways for each in way):
        found[name] = kinds.join(kind, found.get(name, kind))
    return tuple(sorted(found.items(), key=lambda each: each[0]))


def _ways(inspector: Inspector, cls: ProjectClass) -> Iterator[Given]:
    for scope, call in calls_by_name(inspector, cls.key[0], cls.name):
        if _is_class(kind_at(scope, call.func), cls):
            made = kind_at(scope, call)
            if isinstance(made, Instance):
                yield made.given


def _is_class(kind: Kind, cls: ProjectClass) -> bool:
    return isinstance(kind, ProjectClass) and kind.key == cls.key
