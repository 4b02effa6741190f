"""The unit of an analysis: what one file starts, walked on its own.

What one unit shows does not depend on what was walked before, so they may be walked in any order, in any process, or
not at all where what they look at is as it was.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from compilelint.inspect import starting
from compilelint.inspect.covering import is_covered, methods_of_known_use, name_of_root
from compilelint.inspect.events import Event, Mode
from compilelint.inspect.frame import Route
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Instance
from compilelint.inspect.knowledge import Knowledge
from compilelint.inspect.labels import labels
from compilelint.inspect.lasting.held import with_holders
from compilelint.match.matcher import Hit, Matcher
from compilelint.match.sightings import Function, Sighting, distinct, sightings_of
from compilelint.match.stack import with_room
from compilelint.regions import Root, RootError, compiled_roots, named_roots, offered_roots
from compilelint.regions.around.kept_objects import kept_by_loops
from compilelint.regions.starts.demonstrations import is_demonstration
from compilelint.regions.starts.first_returns import first_returns
from compilelint.regions.starts.settings import DynamoSettings, together
from compilelint.regions.unfollowed import packages_called, packages_compiled
from compilelint.regions.wrapping import wrapping_events
from compilelint.report.model import Problem
from compilelint.source.model import Key

_T = TypeVar("_T")


class Unit(Struct, frozen=True):
    """What one file starts: its own roots, or, of a file of which roots are named, these."""

    name: str
    roots: tuple[str, ...] = ()
    """`path.py::Qual.name`; where any is given, exactly these functions."""
    about_torch: bool = True
    """Whether anything can start in it; else it is only asked whether it is Python."""


class Program(Struct, frozen=True):
    """What holds for every unit."""

    explicit_only: bool = False
    target_torch: str = "2.13"
    target_python: str = "3.11"
    settings: Mapping[str, DynamoSettings] = field(default_factory=dict)
    """What files set in `torch._dynamo.config`, by file."""
    holds_in: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """For each of these files, those that a program may hold together with it."""

    def dynamo(self, file: str) -> DynamoSettings:
        """What the project sets for code in a file."""
        return together(each for name, each in self.settings.items() if file in self.holds_in[name])


class UnitResult(Struct, frozen=True):
    """What a unit showed."""

    sightings: tuple[Sighting, ...] = ()
    entered: frozenset[Key] = frozenset()
    """Functions that its regions contain."""
    called: frozenset[Function] = frozenset()
    """Those that other functions of a region call with arguments that are all known."""
    misdeclared: frozenset[Function] = frozenset()
    """Those that are given lists where they are declared to take tensors."""
    of_known_use: frozenset[Function] = frozenset()
    """Methods that what it compiles runs, if it says how that is used and nobody else has to do with the file."""
    unfollowed: frozenset[str] = frozenset()
    """Packages that functions of its regions call, and that are not of the project."""
    problems: tuple[Problem, ...] = ()
    cut_short: bool = False
    """Something could not be walked, as where it nests too deep for what was left of the interpreter's stack: another
    time it may."""


@with_room
def inspect_unit(knowledge: Knowledge, matcher: Matcher, unit: Unit, program: Program) -> UnitResult:
    """Walk a unit, and keep what it shows in the project's files. Raises RootError if a named root is not there.

    What it does for others, too, stays in `knowledge`; `knowledge.asked` says then what the result rests on.
    """
    knowledge.begin()
    problems: list[Problem] = []
    tree = knowledge.tree
    if not unit.roots:
        tree.text(unit.name)
        if unit.about_torch or not tree.is_python(unit.name):
            tree.module(unit.name)
        problems += filter(None, [tree.problem(unit.name)])
    if not unit.about_torch:
        return UnitResult(problems=tuple(problems), cut_short=unit.name in tree.too_deep)
    left_out: list[Problem] = []
    inspector = Inspector(knowledge, matcher.wants, matcher.splits, matcher.gives_up, matcher.concerns, file=unit.name)
    hits = hits_of(inspector, matcher, unit, program, left_out)
    shown = ((hit, offered) for hit, offered in hits if (hit.event.place.via or hit.event.place).path in tree.texts)
    seen = tuple(distinct(sightings_of(tree, shown, program.target_torch)))
    unfollowed = packages_called(inspector, (key for key in inspector.entered if not tree.is_followed(key[0])))
    module = tree.module(unit.name)
    return UnitResult(
        seen,
        frozenset(inspector.entered),
        frozenset(inspector.called),
        frozenset(inspector.misdeclared),
        frozenset() if is_demonstration(unit.name) else methods_of_known_use(inspector),
        unfollowed | (packages_compiled(inspector, module) if module is not None else frozenset()),
        (*problems, *left_out),
        bool(left_out) or (bool(tree.too_deep) and not tree.too_deep.isdisjoint(knowledge.asked().files)),
    )


def hits_of(
    inspector: Inspector, matcher: Matcher, unit: Unit, program: Program, left_out: list[Problem]
) -> Iterator[tuple[Hit, Function | None]]:
    """Everything in a unit that meets a rule, and its root if that is not compiled for sure, but only offered.

    Functions that cannot be walked are added to `left_out`: the others are, all the same.
    """
    roots = list(_as_far_as_goes(_roots(inspector, unit, program), unit.name, left_out))
    receivers = [root.function.receiver for root in roots if isinstance(root.function.receiver, Instance)]
    inside: frozenset[Key] = frozenset()
    for root in roots:
        dynamo = program.dynamo(root.function.key[0])
        mode = replace(root.mode, capture_scalars=dynamo.capture_scalars, capture_shapes=dynamo.capture_shapes)
        try:
            if root.explicit or not is_covered(inspector, root.function, mode, root.accepts):
                _inspect_root(inspector, root, mode)
        except Exception as error:
            file, line, _ = root.function.key
            left_out.append(Problem(file, f"{root.function.name} {_why(error)}", line))
        own = root.function.receiver
        events = with_holders(
            inspector,
            (event for event in inspector.events if not _is_allowed(event, dynamo)),
            [root.holder or own] if isinstance(own, Instance) else receivers,
            partial(kept_by_loops, inspector, root.function, unit.name),
        )
        inspector.events.clear()
        offered = None if root.explicit else name_of_root(root.function)
        if root.explicit:  # these come first
            inside = frozenset(inspector.entered)
        yield from (
            (hit, offered)
            for event in events
            for hit in matcher.hits(event)
            if root.explicit or not hit.match.only_explicit
        )
    if not unit.roots:
        around = _as_far_as_goes(_around_regions(inspector, unit.name, inside), unit.name, left_out)
        yield from ((hit, None) for event in around for hit in matcher.hits(event))


def _as_far_as_goes(found: Iterable[_T], file: str, problems: list[Problem]) -> Iterator[_T]:
    """The same, up to where Python's stack ends, or we fail: the rest is a problem of the file."""
    try:
        yield from found
    except RootError:
        raise
    except Exception as error:
        problems.append(Problem(file, _why(error)))


def _why(error: Exception) -> str:
    """Why something could not be walked, with the line of ours that failed."""
    if isinstance(error, RecursionError):
        return "nests too deep to inspect"
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    place = f"{Path(frame.f_code.co_filename).name}:{line}"
    said = " ".join(f"{type(error).__name__}: {error}".split())
    return f"could not be inspected: internal error: {said} ({place}); please report it"


def _roots(inspector: Inspector, unit: Unit, program: Program) -> Iterator[Root]:
    """All are found before the first is walked; of those that a file only offers the last come first, which are
    mostly the models: what they call need not be walked for its own sake."""
    if unit.roots:
        yield from named_roots(inspector, unit.roots)
        return
    compiled = tuple(compiled_roots(inspector, unit.name))
    offered = () if program.explicit_only else tuple(offered_roots(inspector, unit.name))
    yield from (*compiled, *reversed(offered))


def _is_allowed(event: Event, dynamo: DynamoSettings) -> bool:
    """Whether the project's own settings make the event harmless."""
    return (
        dynamo.dynamic_ints_on_modules
        and event.type == "attribute-write"
        and event.construct in ("augmented", "item-augmented")
        and any("int" in labels(arg) for arg in event.args)
    )


def _around_regions(inspector: Inspector, name: str, inside: frozenset[Key]) -> Iterator[Event]:
    """What a file does with what it compiles."""
    module = inspector.tree.module(name)
    if module is not None:
        yield from wrapping_events(inspector, module, inside)


def _inspect_root(inspector: Inspector, root: Root, mode: Mode) -> None:
    route = Route((root.label,), mode, root.ceiling, home=root.home)
    inspector.usual.clear()
    starting.run_root(inspector, root.function, route, root.site, root.accepts)
    if root.explicit:
        starting.run_around(inspector, root.function, route, root.site, root.accepts)
        inspector.events.extend(first_returns(inspector, root))
    else:
        starting.run_only_around(inspector, root.function, route, root.accepts)
    if root.known_use:
        inspector.of_known_use |= inspector.usual
