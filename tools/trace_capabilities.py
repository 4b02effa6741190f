"""What `compilelint trace` and the pytest plugin do under one torch: a row of docs/torch-versions.md each.

A row runs whole programs with that torch's interpreter, as users run them, and says True, False, or in a
word what this torch has in its place. The judge is torch's own log (tests/runtime/logs_judge.py).
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import tempfile
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compilelint.runtime.events import CompileCall, CompileEnd, Event
from compilelint.runtime.session import read_session
from tests.runtime import logs_judge

REPOSITORY = Path(__file__).resolve().parents[1]
PROGRAMS = REPOSITORY / "tests" / "runtime" / "programs"
JUDGED = ("training", "branch", "aggravated", "raises", "guards", "generators", "nested")
RANKS = "ddp"
STRICT_SINCE = (2, 9)
BREAKS_LOGGED_SINCE = (2, 6)
"""Before, torch's log leaves out branches on tensors, and its TORCH_TRACE all breaks."""
REFUSED = "refused, and says why"
MORE = "yes, and those it leaves out"
UNTOLD = "breaks are not in it, and the report says so"

Cell = bool | str


@dataclass(frozen=True)
class Torch:
    """An interpreter and its torch."""

    python: Path
    version: tuple[int, ...]


@dataclass(frozen=True)
class Judged:
    """One program: what torch logged, and what two reports of ours say."""

    logged: logs_judge.Said
    report: Mapping[str, Any]
    from_torch_trace: Mapping[str, Any]
    torch_trace_text: str
    torch_trace_code: int


Row = Callable[[Torch], Cell]


def run(torch: Torch, folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run this torch's interpreter in a folder, to its end."""
    variables = {"PYTHONPATH": str(REPOSITORY), "OMP_NUM_THREADS": "1", "COLUMNS": "200", **environment}
    return subprocess.run(
        [str(torch.python), *arguments],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def trace(torch: Torch, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run(torch, folder, "-m", "compilelint", "trace", "--no-check", "--isolated", *arguments)


def report_in(output: str) -> dict[str, Any]:
    """The JSON report at the end of what a program printed. Raises ValueError if there is none."""
    start = output.rfind('{\n  "schema_version"')
    if start < 0:
        raise ValueError(f"no report in {output[-500:]!r}")
    report: dict[str, Any] = json.loads(output[start:])
    return report


def breaks(report: Mapping[str, Any], root: Path) -> frozenset[logs_judge.Place]:
    """Where a report has graph breaks, whose relative paths begin in the project `root`."""
    return frozenset(
        (os.path.realpath(root / each["path"]), each["line"])
        for each in report["observations"]
        if each["type"] == "graph-break"
    )


def compare(told: frozenset[logs_judge.Place], logged: frozenset[logs_judge.Place], version: tuple[int, ...]) -> Cell:
    """Whether a report's breaks are those of the log, or on an old torch more than that logs."""
    if told == logged:
        return True
    return MORE if told > logged and version < BREAKS_LOGGED_SINCE else False


def worst(cells: Sequence[Cell]) -> Cell:
    """Of several programs: a word if one needs it, False if one fails."""
    if not all(cells):
        return False
    return next((cell for cell in cells if isinstance(cell, str)), True)


@functools.cache
def judged(torch: Torch, name: str) -> Judged:
    """Run a program of tests/runtime/programs plainly and traced."""
    ranks = ("--nproc-per-node", "2") if name == RANKS else ()
    launcher = ("-m", "torch.distributed.run", "--standalone", *ranks) if ranks else ()
    with tempfile.TemporaryDirectory(prefix="compilelint-versions-") as scratch:
        logs, session = str(Path(scratch) / "trace"), str(Path(scratch) / "s.jsonl")
        plain = run(torch, PROGRAMS, *launcher, f"{name}.py", TORCH_LOGS=logs_judge.LOGS, TORCH_TRACE=logs)
        traced = trace(torch, PROGRAMS, "--format", "json", "--session", session, *ranks, f"{name}.py")
        read = trace(torch, PROGRAMS, "--format", "json", "--from-torch-trace", logs)
        text = trace(torch, PROGRAMS, "--from-torch-trace", logs)
    said = logs_judge.read(plain.stderr, plain.returncode)
    places = frozenset((os.path.realpath(path), line) for path, line in said.breaks)
    return Judged(
        logs_judge.Said(places, said.given_up, said.recompiles, said.limits, said.exit_code),
        report_in(traced.stdout),
        report_in(read.stdout),
        text.stdout,
        read.returncode,
    )


def _logged_breaks(torch: Torch) -> Cell:
    found = [judged(torch, name) for name in JUDGED]
    return worst([compare(breaks(each.report, REPOSITORY), each.logged.breaks, torch.version) for each in found])


def _hits(report: Mapping[str, Any], kind: str) -> int:
    return sum(each["hits"] for each in report["observations"] if each["type"] == kind)


def _logged_recompiles(torch: Torch) -> Cell:
    found = [judged(torch, name) for name in (*JUDGED, RANKS)]
    return all(_hits(each.report, "recompile") == sum(each.logged.recompiles.values()) for each in found) and any(
        each.logged.recompiles for each in found
    )


def _ranks(torch: Torch) -> Cell:
    found = judged(torch, RANKS)
    alone = any(each["ranks"] == [1] for each in found.report["observations"] if each["type"] == "recompile")
    return worst([alone, compare(breaks(found.report, REPOSITORY), found.logged.breaks, torch.version)])


def _torch_trace(torch: Torch) -> Cell:
    found = [judged(torch, name) for name in (*JUDGED, RANKS)]
    if not all(_hits(each.from_torch_trace, "recompile") == _hits(each.report, "recompile") for each in found):
        return False
    if all(breaks(each.from_torch_trace, REPOSITORY) == each.logged.breaks for each in found):
        return True
    silent = torch.version < BREAKS_LOGGED_SINCE and all(
        each.torch_trace_code == 2 and "does not tell of graph breaks" in each.torch_trace_text for each in found
    )
    return UNTOLD if silent else False


def _program(folder: Path, source: str) -> str:
    (folder / "program.py").write_text(textwrap.dedent(source), encoding="utf-8")
    return "program.py"


def _in_folder(row: Callable[[Torch, Path], Cell]) -> Row:
    def measured(torch: Torch) -> Cell:
        with tempfile.TemporaryDirectory(prefix="compilelint-versions-") as scratch:
            return row(torch, Path(scratch))

    return measured


def _has(session: Path, kind: type[Event], test: Callable[..., bool]) -> bool:
    return session.exists() and any(isinstance(event, kind) and test(event) for event in read_session(session).events)


BREAKING = """
    import sys, torch
    def step(x):
        y = x.sin()
        print("breaks", file=sys.stderr)
        return y.cos()
    torch.compile(step, backend="eager")(torch.ones(3))
"""


def _strict(torch: Torch, folder: Path) -> Cell:
    done = trace(torch, folder, "--strict", _program(folder, BREAKING))
    if "Traceback" in done.stderr:
        return False
    if torch.version < STRICT_SINCE:
        return REFUSED if done.returncode == 2 and "--strict needs torch" in done.stderr else False
    return done.returncode == 1 and "program.py:5 in step" in done.stderr and "--strict ends the run" in done.stderr


def _backend(torch: Torch, folder: Path) -> Cell:
    source = "import torch\ntorch.compile(lambda x: x.sin() + 1)(torch.ones(3))\n"
    session = folder / "s.jsonl"
    done = trace(torch, folder, "--backend", "eager", "--session", str(session), _program(folder, source))
    return (
        done.returncode == 0
        and _has(session, CompileCall, lambda each: (each.backend, each.asked_backend) == ("eager", "inductor"))
        and _has(session, CompileEnd, lambda each: each.ok and each.inductor_seconds is None)
    )


def _compile(torch: Torch, folder: Path) -> Cell:
    source = """
        import torch
        class Net(torch.nn.Module):
            def forward(self, x):
                return x.sin() * x.sum().item()
        Net()(torch.ones(3))
    """
    session = folder / "s.jsonl"
    options = ("--compile", "--backend", "eager", "--format", "json", "--session", str(session))
    done = trace(torch, folder, *options, _program(folder, source))
    return (
        done.returncode == 1
        and {line for _, line in breaks(report_in(done.stdout), folder)} == {5}
        and _has(session, CompileCall, lambda each: each.by_recorder and each.function == "Net")
    )


def _exit_codes(torch: Torch, folder: Path) -> Cell:
    wanted = {
        "import torch\ntorch.compile(lambda x: x + 1, backend='eager')(torch.ones(3))\n": 0,
        BREAKING: 1,
        "import torch\ntorch.ones(3)\n": 2,
        "import torch\nraise SystemExit(7)\n": 7,
    }
    return all(trace(torch, folder, _program(folder, source)).returncode == code for source, code in wanted.items())


def _marker(torch: Torch, folder: Path) -> Cell:
    source = """
        import pytest, torch
        @pytest.mark.compilelint(max_breaks=0)
        def test_breaks():
            torch.compile(lambda x: x + x.sum().item(), backend="eager")(torch.ones(3))
        @pytest.mark.compilelint(max_breaks=0)
        def test_whole():
            torch.compile(lambda x: x + x.sum(), backend="eager")(torch.ones(3))
        @pytest.mark.compilelint(max_breaks=0)
        def test_nothing():
            torch.ones(3)
    """
    path = folder / "test_marked.py"
    path.write_text(textwrap.dedent(source), encoding="utf-8")
    options = ("-p", "compilelint.pytest_plugin", "-p", "no:cacheprovider", "-rA", path.name)
    done = run(torch, folder, "-m", "pytest", *options, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    outcomes = ("FAILED test_marked.py::test_breaks", "PASSED test_marked.py::test_whole")
    told = (*outcomes, "FAILED test_marked.py::test_nothing", "test_marked.py:5: graph break")
    return done.returncode == 1 and all(each in done.stdout for each in told)


CAPABILITIES: Mapping[str, Row] = {
    "the breaks of TORCH_LOGS=graph_breaks": _logged_breaks,
    "the recompiles of TORCH_LOGS=recompiles": _logged_recompiles,
    "two ranks, DDP on gloo": _ranks,
    "a log of TORCH_TRACE": _torch_trace,
    "--strict": _in_folder(_strict),
    "--backend": _in_folder(_backend),
    "--compile": _in_folder(_compile),
    "exit codes": _in_folder(_exit_codes),
    "the pytest marker": _in_folder(_marker),
}
