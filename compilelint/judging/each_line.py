"""What Dynamo does on each marked line of an example, also on those that a run does not come to.

A run ends at the first error (under fullgraph at the first break), and a frame that is given up is not looked at any
further. The lines behind are measured by running the example again without the statements that end it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from compilelint.catalog.example_source import statement_starts
from compilelint.judging.recorder import Run


@dataclass(frozen=True)
class Lines:
    """Runs of one example in one mode: the whole one first, then with ever more of its statements left out."""

    runs: tuple[Run, ...]
    unknown: frozenset[int] = frozenset()
    """First lines of marked statements that no run came to."""


def run_each_line(
    source: str,
    marked: frozenset[int],
    first: Run,
    run: Callable[[str], Run],
    known: frozenset[int] = frozenset(),
) -> Lines:
    """Come to every marked statement (by its first line), after the `first` run of the whole `source`.

    A marked statement that fails without Dynamo (what it calls is not in this version of torch) does nothing there.
    Those that are `known` to end a run need not be come to. What only fails because it needs something that was left
    out, as a `return` of it does, is left out, too.
    """
    starts = statement_starts(source)
    runs = [first]
    done = set(known & marked) if _was_cut_short(first) else set()
    needing: set[int] = set()
    while True:
        last = runs[-1]
        left_out = done | needing
        done |= _found(last, starts) & marked
        broken_at = None if last.broken_at is None else starts.get(last.broken_at)
        if broken_at is not None and broken_at in marked and len(runs) == 1:
            done.add(broken_at)
        elif broken_at is not None and broken_at not in marked:
            needing.add(broken_at)
        if marked <= done or not _was_cut_short(last):
            return Lines(tuple(runs))
        shorter = without(source, frozenset(done | needing)) if done | needing != left_out or len(runs) == 1 else None
        if shorter is None:
            return Lines(tuple(runs), marked - done)
        runs.append(run(shorter))


def _found(run: Run, starts: dict[int, int]) -> set[int]:
    lines = {found.line for found in run.breaks} | {run.failure.line if run.failure is not None else None}
    return {starts.get(line, line) for line in lines if line is not None}


def _was_cut_short(run: Run) -> bool:
    dropped = run.dropped or any(found.drops_frame for found in run.breaks)
    return run.broken is not None or run.failure is not None or bool(dropped)


def without(source: str, lines: frozenset[int]) -> str | None:
    """The source without the simple statements that begin on these lines, each other line at its place.

    What returns something returns nothing then. None if one of them is no simple statement on lines of its own.
    """
    text = source.splitlines()
    left = set(lines)
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.stmt) or node.lineno not in lines:
            continue
        if hasattr(node, "body") or node.lineno not in left or text[node.lineno - 1][: node.col_offset].strip():
            return None
        end = node.end_lineno or node.lineno
        instead = "return None" if isinstance(node, ast.Return) else "pass"
        text[node.lineno - 1 : end] = [" " * node.col_offset + instead, *[""] * (end - node.lineno)]
        left.discard(node.lineno)
    return None if left else "\n".join(text) + "\n"
