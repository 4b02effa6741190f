"""Where Dynamo went on after a break.

It makes a function of what follows a break, and compiles that when it is called. If no tensor is left in it, it runs
without Dynamo, and nothing of it is ever traced: not even the rest of the statement that broke.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from compilelint.runtime.events import CompileStart, GraphBreak
from compilelint.runtime.seen import parts
from compilelint.runtime.session import Session

Place = tuple[str, int]
"""A file, and a line in it."""


def went_on(sessions: Iterable[Session]) -> frozenset[Place]:
    """The lines of breaks after which, however often one broke there, Dynamo went on with the rest.

    Of a condition in several lines both that of the jump, by which the rest is named, and that of what is asked.
    """
    broke: defaultdict[Place, set[tuple[int, str]]] = defaultdict(set)
    resumed: defaultdict[Place, set[tuple[int, str]]] = defaultdict(set)
    asked: defaultdict[Place, set[Place]] = defaultdict(set)
    for number, session in enumerate(sessions):
        for event in session.events:
            if isinstance(event, CompileStart) and (line := parts.resumed_at(event.code.function)) is not None:
                resumed[event.code.path, line].add((number, _frame_id(event.compile_id)))
            elif isinstance(event, GraphBreak) and event.code is not None and event.compile_id is not None:
                for frame in event.stack:
                    if parts.is_of(frame, event.code):
                        broke[frame.path, frame.line].add((number, _frame_id(event.compile_id)))
                if event.stack and event.asked is not None:
                    jump = event.stack[-1]
                    asked[jump.path, jump.line].add((jump.path, event.asked))
    went = {place for place, parts in resumed.items() if len(parts) >= len(broke[place])}
    return frozenset(went.union(*(asked[place] for place in went if place in asked)))


def _frame_id(compile_id: str) -> str:
    """Of all versions of one piece of code: they share the parts after a break."""
    return compile_id.partition("/")[0]
