"""Which functions need no walk as roots: what calls them in the same file has shown as much.

Anybody may compile a layer, so its `forward` is a root; mostly the model of the same file calls it. Where that call
knows all that it passes, is no unusual one, and nothing of the layer is left out for it, a walk of the layer by itself
shows the same. Where the file itself compiles the model, and says how it is used (`Root.known_use`), what that leaves
out is not compiled.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING

from compilelint.inspect import kinds, starting
from compilelint.inspect.arguments.parameters import Arguments, by_name
from compilelint.inspect.events import Mode
from compilelint.inspect.frame import Frame, Route
from compilelint.inspect.kinds import UNKNOWN, Instance, Kind, ProjectClass
from compilelint.inspect.starting import Accepts
from compilelint.report.confidence import Confidence
from compilelint.source.model import Key

Method = tuple[str, str]
"""The file of a class, and the names of class and method."""

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector


def may_cover(inspector: Inspector, function: kinds.Function, arguments: Arguments, route: Route) -> bool:
    """Whether a walk that begins may stand for that of the function as a root."""
    return (
        not inspector.silent
        and function.key[0] == inspector.file
        and route.depth > 0
        and route.ceiling == Confidence.HIGH
        and not (route.body or route.once or route.single)
        and UNKNOWN not in arguments.args
    )


def usual_method(frame: Frame, key: Key) -> tuple[Key, ProjectClass] | None:
    """The method whose walk begins, with its object's class, unless its root seldom leads there."""
    owner, route = frame.receiver_instance, frame.route
    return (key, owner.cls) if owner is not None and route.ceiling == Confidence.HIGH and not route.once else None


def methods_of_known_use(inspector: Inspector) -> frozenset[Method]:
    """The methods that roots lead to of which their file says how it uses them."""
    infos = ((cls, inspector.tree.function(key)) for key, cls in inspector.of_known_use)
    return frozenset(_named(cls, info.qualname) for cls, info in infos if info is not None)


def name_of_root(function: kinds.Function) -> Method:
    """What a root is called, of a method by the class of its object."""
    if isinstance(function.receiver, Instance):
        return _named(function.receiver.cls, function.name)
    return function.key[0], function.name


def _named(cls: ProjectClass, name: str) -> Method:
    return cls.key[0], f"{cls.name}.{name.rpartition('.')[2]}"


def note(frame: Frame, given: Mapping[str, Kind]) -> None:
    """Note a walk that is done, with what the function was given."""
    if frame.function is not None and not frame.leaves_out:
        owner = frame.receiver_instance
        key = _key(frame.function.key, owner.cls if owner is not None else None, frame.route.mode)
        frame.inspector.covering.setdefault(key, []).append(given)


def is_covered(inspector: Inspector, function: kinds.Function, mode: Mode, accepts: Accepts = ()) -> bool:
    """Whether what calls a function has shown all that a walk of it as a root would show."""
    owner = function.receiver.cls if isinstance(function.receiver, Instance) else None
    if owner is not None and (function.key, owner) in inspector.of_known_use:
        return True
    walks = inspector.covering.get(_key(function.key, owner, mode))
    info = inspector.tree.function(function.key) if walks else None
    arguments = starting.assumed(inspector, function, accepts) if info is not None else None
    if not walks or info is None or arguments is None or arguments.items:
        return False
    assumed = by_name(info.node, arguments)
    return any(all(_is_as_sure(given.get(name, UNKNOWN), kind) for name, kind in assumed.items()) for given in walks)


def _key(function: kinds.FunctionKey, owner: ProjectClass | None, mode: Mode) -> Hashable:
    return function, owner, mode


def _is_as_sure(given: Kind, assumed: Kind) -> bool:
    """Whether a parameter is as surely a tensor as the root would take it for one."""
    tensor, passed = kinds.tensor_part(assumed), kinds.tensor_part(given)
    return tensor is None or (passed is not None and passed.confidence >= tensor.confidence)
