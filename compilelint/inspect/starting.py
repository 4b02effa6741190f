"""Where a walk starts: functions that nobody is seen calling, given what declarations and bodies say that they take."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from compilelint.inspect import borders, kinds
from compilelint.inspect.arguments import parameters, passed_on
from compilelint.inspect.arguments.parameters import Arguments
from compilelint.inspect.events import CallSite
from compilelint.inspect.frame import Route
from compilelint.inspect.kinds import UNKNOWN, Kind

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

Accepts: TypeAlias = tuple[tuple[str, Kind], ...]
"""Parameters that are known to take something else than their declarations say, with what that is."""


def run_root(
    inspector: Inspector,
    function: kinds.Function,
    route: Route,
    site: CallSite | None = None,
    accepts: Accepts = (),
) -> Kind:
    """Inspect a function that nobody is seen calling, as its declarations and its body say that it is called.

    `site` is where the project names a function of a followed package as one to start at.
    """
    arguments = assumed(inspector, function, accepts)
    return UNKNOWN if arguments is None else _enter(inspector, function, arguments, route, site)


def run_around(
    inspector: Inspector, function: kinds.Function, route: Route, site: CallSite | None, accepts: Accepts
) -> None:
    """Inspect what a decorator has put around a root: it is called in the root's place, with the same arguments."""
    arguments = assumed(inspector, function, accepts)
    if arguments is not None and isinstance(function.wrapper, kinds.Function):
        around = replace(function.wrapper, receiver=function.receiver)
        _enter(inspector, around, arguments._replace(items=()), route, site)


def _enter(
    inspector: Inspector, function: kinds.Function, arguments: Arguments, route: Route, site: CallSite | None
) -> Kind:
    if site is not None and inspector.tree.is_followed(function.key[0]):
        return borders.cross(inspector, function, arguments, route, site)
    return inspector.run(function, arguments, route)


def run_only_around(inspector: Inspector, function: kinds.Function, route: Route, accepts: Accepts) -> None:
    """The same without the root itself, which was inspected with more than `*args` leave of its arguments.

    One root tells as much as all that a decorator is written above. What one of another file puts there gets
    nothing of what is known of the root, so that it is inspected once for all files.
    """
    wrapper = function.wrapper
    if not isinstance(wrapper, kinds.Function) or wrapper.key in inspector.around:
        return
    inspector.around.add(wrapper.key)
    given = wrapper.closure or {}
    if wrapper.key[0] == function.key[0]:
        known = {name: UNKNOWN if _is_same(kind, function) else kind for name, kind in given.items()}
        run_around(inspector, replace(function, wrapper=replace(wrapper, closure=known)), route, None, accepts)
    else:
        inspector.run(replace(wrapper, closure=dict.fromkeys(given, UNKNOWN)), Arguments(open_ended=True), route)


def assumed(inspector: Inspector, function: kinds.Function, accepts: Accepts) -> Arguments | None:
    """What a root is called with, as far as declarations and its body tell; None if it is not there."""
    info = inspector.tree.function(function.key)
    if info is None:
        return None
    return parameters.assumed_arguments(
        info.node,
        function.receiver,
        inspector.declared(function),
        dict(accepts),
        lambda: inspector.usage(info),
        lambda names, holders: passed_on.uses_by_callees(inspector, function, names, holders),
    )


def _is_same(kind: Kind, function: kinds.Function) -> bool:
    """Whether it is this function, of whatever object."""
    return isinstance(kind, kinds.Function) and kind.key == function.key
