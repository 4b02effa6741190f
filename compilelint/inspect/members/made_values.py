"""What the attributes of an object are right after a program made it: its `__init__`, walked with what it was given."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.arguments.options_taken import CHANGED, use_of_rest
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.frame import Frame, Route
from compilelint.inspect.kinds import UNKNOWN, Kind, ProjectClass
from compilelint.inspect.members import computed_names
from compilelint.inspect.syntax import statements
from compilelint.source.index import flat_statements
from compilelint.source.model import FunctionInfo
from compilelint.source.nodes import positional_names

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

Values = dict[str, Kind]


def made_values(inspector: Inspector, cls: ProjectClass, init: FunctionInfo, given: Mapping[str, Kind]) -> Values:
    """What the `__init__` that makes objects of a class sets itself, by name of the attribute; `given` is by name of
    the parameter. What only some of its ways set is not known, where source does not tell which is taken.
    """
    module = inspector.tree.module(init.key[0])
    if module is None or isinstance(init.node, ast.Lambda):
        return {}
    receiver = replace(inspector.instance(cls), of_program=True)
    own = first_parameter(init.node) or "self"
    prefix = own + "."
    # What is not set on the way that is taken is not there, whatever a walk of a loop without turns says.
    names = filter(None, map(computed_names.set_by, flat_statements(init.node.body)))
    env: dict[str, Kind] = {**_parameters(inspector, init, given), own: receiver}
    env |= {prefix + name: UNKNOWN for name in names}
    frame = Frame(inspector, module, init, Route(), env, receiver=receiver, owner=init.owner, runs_before=True)
    statements.execute(frame, init.node.body)
    return {
        name.removeprefix(prefix): kind
        for name, kind in frame.env.items()
        if name.startswith(prefix) and name.removeprefix(prefix).isidentifier()
    }


def _parameters(inspector: Inspector, init: FunctionInfo, given: Mapping[str, Kind]) -> dict[str, Kind]:
    """What the parameters are: what is given, else what the default comes to."""
    spec = init.node.args
    module = inspector.tree.module(init.key[0])
    defaults = dict(_defaults(spec))
    found: dict[str, Kind] = {}
    for name in (*positional_names(spec)[1:], *(arg.arg for arg in spec.kwonlyargs)):
        if name in given:
            found[name] = given[name]
        elif (default := defaults.get(name)) is not None and module is not None:
            found[name] = inspector.evaluate_globally(module, default)
        else:
            found[name] = UNKNOWN
    if spec.vararg is not None:
        placed = {int(name[1:]): kind for name, kind in given.items() if name.startswith("*")}
        found[spec.vararg.arg] = kinds.sequence("tuple", tuple(placed[place] for place in sorted(placed)))
    if spec.kwarg is not None:
        others = tuple((name, kind) for name, kind in given.items() if name not in found and name[0] != "*")
        closed = use_of_rest(init.node) != CHANGED and len(others) <= kinds.MAX_ITEMS
        found[spec.kwarg.arg] = kinds.Dictionary(UNKNOWN, others[: kinds.MAX_ITEMS], record=True, closed=closed)
    return found


def _defaults(spec: ast.arguments) -> Iterable[tuple[str, ast.expr]]:
    positional = positional_names(spec)
    yield from zip(positional[len(positional) - len(spec.defaults) :], spec.defaults, strict=True)
    yield from (
        (arg.arg, default)
        for arg, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
        if default is not None
    )
