"""A condition that is asked again: names are then what the branch left them that it chose before.

`if self.training: n = torch.ones(3)` leaves a tensor or what was there before; under `if not self.training:`, further
down, it is what was there before.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from compilelint.inspect.environments import Env
from compilelint.inspect.frame import path_of
from compilelint.inspect.kinds import Kind

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame

_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.IsNot: ast.Is, ast.NotEq: ast.Eq}


class Left(NamedTuple):
    """What an `if` left of a name: where its branches met, and each of them by itself."""

    met: Kind
    held: Kind | None
    failed: Kind | None


class Chosen(NamedTuple):
    """An `if` of which both branches were walked."""

    subject: str
    """The name, or the path, that it asks about."""
    names: Mapping[str, Left]
    """Those that its branches left different, and nobody has assigned since."""


Asked: TypeAlias = Mapping[Hashable, Chosen]
"""By what was asked."""


def remember(frame: Frame, test: ast.expr, holds: Env, fails: Env) -> None:
    """Where both branches of an `if` have come together."""
    asked = asked_about(test)
    if asked is None:
        return
    subject, question, wanted = asked
    held, failed = (holds, fails) if wanted else (fails, holds)
    names = {
        name: Left(met, held.get(name), failed.get(name))
        for name, met in frame.env.items()
        if held.get(name) is not met or failed.get(name) is not met
    }
    frame.chosen = {**frame.chosen, question: Chosen(subject, names)}


def known_after(paths: Sequence[Asked]) -> Asked:
    """What is known where several paths meet: what all of them knew before they parted, and none has changed."""
    first, *rest = paths
    if not first or not rest:
        return first
    return {
        question: chosen for question, chosen in first.items() if all(path.get(question) is chosen for path in rest)
    }


def forget(frame: Frame, path: str) -> None:
    """A name, or a path, is assigned: what was known of it, and what was asked of it, is over."""
    if not frame.chosen or not any(
        path in before.names or f"{before.subject}.".startswith(f"{path}.") for before in frame.chosen.values()
    ):
        return
    frame.chosen = {
        question: before if path not in before.names else _without(before, path)
        for question, before in frame.chosen.items()
        if not f"{before.subject}.".startswith(f"{path}.")
    }


def _without(before: Chosen, path: str) -> Chosen:
    return Chosen(before.subject, {name: left for name, left in before.names.items() if name != path})


def recall(frame: Frame, test: ast.expr, outcome: bool) -> None:
    """Change the frame's names to what they are where `test`, asked before, has this outcome again."""
    asked = asked_about(test) if frame.chosen else None
    if asked is None:
        return
    _, question, wanted = asked
    before = frame.chosen.get(question)
    for name, left in before.names.items() if before is not None else ():
        kind = left.held if outcome is wanted else left.failed
        if kind is not None and frame.env.get(name) == left.met:
            frame.env[name] = kind


def asked_about(test: ast.expr) -> tuple[str, Hashable, bool] | None:
    """About what a condition asks, what it asks, and whether the answer is yes where it holds; None if that is more
    than one name or attribute, held against a constant."""
    wanted = True
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, wanted = test.operand, not wanted
    match test:
        case ast.Name() | ast.Attribute():
            path = path_of(test)
            return (path, path, wanted) if path is not None else None
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=value)]):
            path = path_of(left)
            if path is None:
                return None
            relation = _OPPOSITES.get(type(op), type(op))
            wanted = wanted is (relation is type(op))
            if isinstance(value, bool) and relation in (ast.Is, ast.Eq):
                return path, path, wanted is value
            return path, (path, relation, type(value), value), wanted
        case _:
            return None
