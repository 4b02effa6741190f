"""What `compilelint trace` costs, next to what torch's own ways of being watched cost.

    python benchmarks/speed/trace_overhead.py [--rounds 7] [--json] [-- SCRIPT ARGS…]

Every round runs the program in each way once, in an order that changes from round to round, so that
what else the machine does hits all of them alike. Told are the whole process's seconds, from its start
to its end with everything that it starts, report included: wall-clock and processor time, as the median
of the rounds, and the median of each round's ratio to TORCH_LOGS=graph_breaks,recompiles in that round.
The caches of compiled code are warm.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PROGRAM = (str(REPOSITORY / "examples" / "train.py"), "--backend", "eager")
LOGS = "TORCH_LOGS=graph_breaks,recompiles"
TRACE = "compilelint trace"


@dataclass(frozen=True)
class Way:
    """One way to watch a program: what is put before it, and what into its environment."""

    name: str
    before: tuple[str, ...]
    environment: Mapping[str, str]


@dataclass(frozen=True)
class Cost:
    wall: float
    processor: float


def ways(folder: Path) -> tuple[Way, ...]:
    session = str(folder / "session.jsonl")
    traced = ("-m", "compilelint", "trace", "--session", session)
    return (
        Way("not watched", (), {}),
        Way(LOGS, (), {"TORCH_LOGS": "graph_breaks,recompiles"}),
        Way("TORCH_TRACE", (), {"TORCH_TRACE": str(folder / "trace")}),
        Way("compilelint trace --no-check", (*traced, "--no-check"), {}),
        Way(TRACE, traced, {}),
    )


def run(way: Way, program: Sequence[str]) -> Cost:
    """One run, its output thrown away. Raises RuntimeError if the program itself fails."""
    environment = {**os.environ, **way.environment, "PYTHONPATH": str(REPOSITORY)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, *way.before, *program],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{way.name}: exit code {done.returncode}")
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(wall, processor)


def measure(program: Sequence[str], rounds: int) -> dict[str, list[Cost]]:
    """The cost of each way, round by round; one more round before warms the caches."""
    costs: dict[str, list[Cost]] = {}
    with tempfile.TemporaryDirectory(prefix="compilelint-speed-") as folder:
        watched = ways(Path(folder))
        for way in watched:
            run(way, program)
        for number in range(rounds):
            turn = number % len(watched)
            for way in (*watched[turn:], *watched[:turn]):
                costs.setdefault(way.name, []).append(run(way, program))
        return {way.name: costs[way.name] for way in watched}


def summary(costs: Mapping[str, Sequence[Cost]]) -> list[dict[str, float | str]]:
    """One row per way."""
    rows: list[dict[str, float | str]] = []
    for name, found in costs.items():
        against = costs[LOGS]
        rows.append(
            {
                "way": name,
                "wall_s": statistics.median(cost.wall for cost in found),
                "processor_s": statistics.median(cost.processor for cost in found),
                "wall_ratio": statistics.median(
                    cost.wall / other.wall for cost, other in zip(found, against, strict=True)
                ),
                "processor_ratio": statistics.median(
                    cost.processor / other.processor for cost, other in zip(found, against, strict=True)
                ),
            }
        )
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    parser.add_argument("program", nargs="*", default=list(PROGRAM), help="default: examples/train.py")
    options = parser.parse_args(arguments)
    rows = summary(measure(options.program, options.rounds))
    if options.json:
        json.dump(rows, sys.stdout, indent=1)
        return 0
    print(f"{'':36}{'wall':>9}{'':8}{'processor':>9}")
    for row in rows:
        print(
            f"{row['way']:36}{row['wall_s']:8.2f}s{row['wall_ratio']:7.1%}"
            f"{row['processor_s']:8.2f}s{row['processor_ratio']:7.1%}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
