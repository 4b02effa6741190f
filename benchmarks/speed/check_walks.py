"""How often `compilelint check` walks each function, and in what the walks differ.

    python benchmarks/speed/check_walks.py corpus/timm [corpus/transformers …]

A package is checked in one process, and the time of each walk that somebody hears is taken, without the walks that are
nested in it. Then walks count as the same whose functions are called with arguments that are alike but for a part of
what is known of them. *Time* is what is left if of those that are the same one is walked: a bound for what could be
saved by sharing them, not a plan. Prints a Markdown table for each package.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, NamedTuple

from compilelint.check import CheckOptions, run_check
from compilelint.inspect import kinds, results, walking
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Kind
from compilelint.match import units
from compilelint.source.model import FunctionInfo

TENSORS = "tensors"
COLLECTIONS = "collections"
OBJECTS = "objects"
LEFT_OUT: dict[str, frozenset[str] | None] = {
    "nothing": frozenset(),
    "what is known of tensors: dtype, dimensions, confidence": frozenset({TENSORS}),
    "what collections hold": frozenset({COLLECTIONS}),
    "of which class an object is": frozenset({OBJECTS}),
    "all three": frozenset({TENSORS, COLLECTIONS, OBJECTS}),
    "the arguments": None,
}


class Heard(NamedTuple):
    """One walk of a function that is heard."""

    function: Hashable
    under: Hashable
    """How it is compiled, how sure its findings can be at most, and whose body it is."""
    given: tuple[tuple[str, Kind], ...]
    seconds: float
    text: str
    """The function without where it stands, to tell those that read the same."""

    def sort(self, left_out: frozenset[str] | None) -> Hashable:
        """What is the same for all walks that count as one."""
        if left_out is None:
            return self.function
        return self.function, self.under, tuple((name, without(kind, left_out)) for name, kind in self.given)


def without(kind: Kind, left_out: frozenset[str]) -> Hashable:
    """A kind without a part of what is known."""
    match kind:
        case kinds.Tensor() if TENSORS in left_out:
            return kinds.TENSOR
        case kinds.Union(options=options):
            return frozenset(without(option, left_out) for option in options)
        case kinds.Sequence() | kinds.Dictionary() if COLLECTIONS in left_out:
            return type(kind), kind.type
        case kinds.Sequence(items=tuple(items)):
            return kind.type, tuple(without(item, left_out) for item in items)
        case kinds.Instance() if OBJECTS in left_out:
            return kinds.Instance
        case kinds.Function() | kinds.Partial() if OBJECTS in left_out:
            return type(kind)
        case _:
            return kind


class Recorder:
    """Times the walks."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []
        self.covered: list[bool] = []
        """Of each root that is only offered, whether what calls it has shown as much."""
        self._nested: list[float] = []
        self._texts: dict[Hashable, str] = {}

    def _text(self, function: FunctionInfo) -> str:
        if function.key not in self._texts:
            self._texts[function.key] = ast.dump(function.node)
        return self._texts[function.key]

    def timed(self, run: Callable[[Frame], Kind]) -> Callable[[Frame], Kind]:
        """`results.run`, with its time."""

        def walk(frame: Frame) -> Kind:
            given = tuple(sorted(frame.env.items()))
            self._nested.append(0.0)
            started = time.perf_counter()
            try:
                return run(frame)
            finally:
                took = time.perf_counter() - started
                nested = self._nested.pop()
                if self._nested:
                    self._nested[-1] += took
                if not frame.inspector.silent and frame.function is not None:
                    route = frame.route
                    under = (route.mode, route.ceiling, route.body)
                    self.heard.append(
                        Heard(frame.function.key, under, given, took - nested, self._text(frame.function))
                    )

        return walk

    def counted(self, is_covered: Callable[..., bool]) -> Callable[..., bool]:
        """`covering.is_covered`, with its answers."""

        def ask(*arguments: Any) -> bool:
            self.covered.append(is_covered(*arguments))
            return self.covered[-1]

        return ask


def table(folder: Path) -> str:
    """Check a package, as if nothing were configured, and say how often its functions were walked."""
    recorder = Recorder()
    walking.results.run = recorder.timed(results.run)
    units.is_covered = recorder.counted(units.is_covered)
    started = time.perf_counter()
    run_check(CheckOptions(paths=(folder,), isolated=True, target_torch="2.13"))
    took = time.perf_counter() - started
    total = sum(walk.seconds for walk in recorder.heard)
    rows = [
        f"{folder.name}: {took:.1f} s, {total:.1f} of them in {len(recorder.heard):,} walks that are heard; of "
        f"{len(recorder.covered):,} roots that it offers {sum(recorder.covered):,} need no walk\n",
        "| of the arguments is left out | walks | time |",
        "|---|---|---|",
    ]
    for name, left_out in LEFT_OUT.items():
        sorts: dict[Hashable, list[float]] = defaultdict(list)
        for walk in recorder.heard:
            sorts[walk.sort(left_out)].append(walk.seconds)
        once = sum(sum(seconds) / len(seconds) for seconds in sorts.values())
        rows.append(f"| {name} | {len(sorts):,} | {once:.1f} s |")
    alike: dict[Hashable, list[float]] = defaultdict(list)
    for walk in recorder.heard:
        alike[walk.text, walk.under, walk.given].append(walk.seconds)
    once = sum(sum(seconds) / len(seconds) for seconds in alike.values())
    rows.append(f"| nothing; functions that read the same are one | {len(alike):,} | {once:.1f} s |")
    return "\n".join(rows)


def main(folders: list[str]) -> None:
    if len(folders) == 1:
        print(table(Path(folders[0])))
        return
    for folder in folders:
        subprocess.run([sys.executable, __file__, folder], check=True)
        print(flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
