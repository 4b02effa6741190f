"""Calls that lead from the project into a followed package: what happens beyond them is told at the call.

A function of a package is walked once for each way in which the project goes over into it, not once for each call:
the events of that walk are kept, and told again at every further call of the same sort.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from compilelint.inspect.events import CallSite, Event
from compilelint.inspect.frame import Frame, Route, span_of
from compilelint.inspect.kinds import UNKNOWN, Function, Kind

if TYPE_CHECKING:
    from compilelint.inspect.arguments.parameters import Arguments
    from compilelint.inspect.inspector import Inspector


class Crossing(Struct, frozen=True):
    """What going over into a package gave, and what happened beyond; nothing yet while it is being walked."""

    result: Kind
    events: tuple[Event, ...]
    """Each with the steps from the border on."""
    breaks: int


def crosses(inspector: Inspector, caller: Frame, function: Function) -> bool:
    """Whether a call leads from the project into a followed package."""
    tree = inspector.tree
    return not inspector.silent and tree.is_followed(function.key[0]) and not tree.is_followed(caller.module.name)


def cross(inspector: Inspector, function: Function, arguments: Arguments, route: Route, site: CallSite) -> Kind:
    """Walk a function of a package as it is called here; what happens there is reported as seen from this site."""
    closure = tuple(function.closure.items()) if function.closure else ()
    way = (route.mode, route.ceiling, route.body, route.once, route.single)
    key = (function.key, function.receiver, closure, arguments, *way)
    inspector.depends_on_place()
    known = inspector.crossings.get(key)
    if known is not None:
        inspector.events.extend(_seen_from(site, route, known.events))
        inspector.breaks += known.breaks
        return known.result
    inspector.crossings[key] = Crossing(UNKNOWN, (), 0)
    start, breaks = len(inspector.events), inspector.breaks
    result = inspector.run(function, arguments, replace(route, border=len(inspector.crossings)))
    met = inspector.events[start:]
    beyond = tuple(_from_border(event, route) for event in met if _is_beyond(inspector, event))
    inspector.crossings[key] = Crossing(result, beyond, inspector.breaks - breaks)
    # What the package calls back is the project's own, or was told at a call of its own.
    inspector.events[start:] = [event for event in met if not _is_beyond(inspector, event)]
    inspector.events.extend(_seen_from(site, route, beyond))
    return result


def site_of(caller: Frame, node: ast.AST) -> CallSite:
    """The place of a call in the project; where Python calls by itself, of the statement that makes it do so."""
    shown = node if isinstance(node, ast.expr) else _head(caller.statement) or node
    return CallSite(caller.module.name, caller.qualname, span_of(caller.module, shown))


def _head(statement: ast.stmt | None) -> ast.AST | None:
    """The part of a statement that is no block of others."""
    match statement:
        case ast.With(items=[first, *_]) | ast.AsyncWith(items=[first, *_]):
            return first.context_expr
        case ast.For(iter=head) | ast.AsyncFor(iter=head) | ast.If(test=head) | ast.While(test=head):
            return head
        case ast.Match(subject=head):
            return head
        case ast.Try():
            return None
        case _:
            return statement


def _is_beyond(inspector: Inspector, event: Event) -> bool:
    return event.place.via is None and inspector.tree.is_followed(event.place.path)


def _from_border(event: Event, route: Route) -> Event:
    steps = event.place.reached_from[len(route.steps) :]
    return replace(event, place=replace(event.place, reached_from=steps))


def _seen_from(site: CallSite, route: Route, events: Iterable[Event]) -> Iterator[Event]:
    for event in events:
        place = replace(event.place, reached_from=(*route.steps, *event.place.reached_from), via=site)
        yield replace(event, place=place)
