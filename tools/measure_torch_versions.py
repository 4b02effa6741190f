"""Runs a small suite of programs under the recorder on several torch versions, and writes the table in docs/.

    python tools/measure_torch_versions.py                       # 2.5.1, 2.7.1, 2.9.1 and the newest
    python tools/measure_torch_versions.py --torch 2.7.1 --python DIR/bin/python
    python tools/measure_torch_versions.py --write               # docs/torch-versions.md

Each version gets a virtual environment of its own (kept in the cache folder), unless --python names one
that has it. Each row is one thing to be seen: in the session of tests/runtime/dynamo/observed.py on that torch,
at the right line (`SEEN`), or in whole runs of the command (tools/trace_capabilities.py).
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from compilelint.runtime.events import (
    CompileCall,
    CompileEnd,
    CompileError,
    Event,
    FrameSkipped,
    GraphBreak,
    LimitHit,
    LinesTraced,
    Recompile,
    TorchLoaded,
    Unreadable,
)
from compilelint.runtime.session import Session, read_session
from tools.trace_capabilities import CAPABILITIES, Cell, Torch

REPOSITORY = Path(__file__).resolve().parents[1]
OBSERVED = REPOSITORY / "tests" / "runtime" / "dynamo" / "observed.py"
TABLE = REPOSITORY / "docs" / "torch-versions.md"
VERSIONS = ("2.5.1", "2.7.1", "2.9.1", "2.13.0", "2.15.0")
WITH = ("numpy", "pytest", "--editable", str(REPOSITORY))
CPU_WHEELS = "https://download.pytorch.org/whl/cpu"
LAUNCH = """
import sys
from pathlib import Path
from compilelint.runtime import launcher
ended = launcher.run([sys.argv[1]], Path(sys.argv[2]), {})
sys.exit(ended.exit_code if ended.exit_code is not None else 99)
"""
HEAD = (
    "# What the recorder sees, by torch version",
    "",
    "Measured by `python tools/measure_torch_versions.py --write`, each version in an environment of its own: the",
    "session of tests/runtime/dynamo/observed.py, then whole runs of the command (tools/trace_capabilities.py),",
    "judged by the log that torch itself writes of the same programs.",
    "",
)
FOOT = (
    "",
    "- torch 2.5 does not log branches on tensors that split a graph (`TORCH_LOGS=graph_breaks` has none of them);",
    "  the recorder tells them all the same. It writes no graph breaks into a `TORCH_TRACE`: such a report says so,",
    "  and its exit code is 2.",
    "- `--strict` needs `error_on_graph_break`, which torch has since 2.9; on an older one it refuses, exit code 2.",
    "- Where torch compiles a backward graph along with its forward graph (a size is a symbol), its time is part of",
    "  the forward graph's.",
    "- What a torch does not tell at all is told in every session (`TorchLoaded.missing`) and in its report.",
)
Test = Callable[[Session], bool]


def _line(text: str) -> int:
    (line,) = [
        number for number, line in enumerate(OBSERVED.read_text(encoding="utf-8").split("\n"), 1) if text in line
    ]
    return line


def _any(session: Session, kind: type[Event], test: Callable[..., bool] = lambda event: True) -> bool:
    return any(isinstance(event, kind) and test(event) for event in session.events)


def _broken_at(text: str, *, dropped: bool = False, raised: bool = False) -> Test:
    line = _line(text)
    return lambda session: _any(
        session,
        GraphBreak,
        lambda event: event.stack[-1].line == line and event.frame_dropped == dropped and event.raised == raised,
    )


def _recompiled(function: str, old: str, new: str) -> Test:
    return lambda session: _any(
        session,
        Recompile,
        lambda event: (
            event.code.function.endswith(function)
            and any(value and (value.expected, value.actual) == (old, new) for value in event.values)
        ),
    )


def _traced(session: Session) -> bool:
    traced = {
        line
        for event in session.events
        if isinstance(event, LinesTraced) and event.path == str(OBSERVED)
        for first, last in event.ranges
        for line in range(first, last + 1)
    }
    return _line("return y + 1") in traced and _line("return x.tan()") not in traced


SEEN: Mapping[str, Test] = {
    "the program runs to its end": lambda session: bool(session.footer is not None and session.footer.exit_code == 0),
    "all hooks are there": lambda session: _any(session, TorchLoaded, lambda event: not event.missing),
    "nothing is unreadable": lambda session: not _any(session, Unreadable),
    "calls of torch.compile": lambda session: _any(
        session,
        CompileCall,
        lambda event: event.function == "Net" and event.stack[-1].line == _line("net.compile"),
    ),
    "a break that splits": _broken_at('print("counted")'),
    "a break that drops the frame": _broken_at("if row.sum() > 0", dropped=True),
    "a break under fullgraph": _broken_at('print("whole")', raised=True),
    "a generator given up": lambda session: _any(
        session, FrameSkipped, lambda event: event.code.function.endswith("produced")
    ),
    "a recompile and its values": _recompiled("scaled", "2", "3.5"),
    "a recompile for an attribute": _recompiled("forward", "0", "1"),
    "the recompile limit": lambda session: _any(session, LimitHit),
    "a backend's error, suppressed": lambda session: _any(session, CompileError, lambda event: event.suppressed),
    "compile times": lambda session: _any(
        session, CompileEnd, lambda event: event.ok and not event.backward and bool(event.ops)
    ),
    "backward compile times": lambda session: _any(session, CompileEnd, lambda event: event.backward),
    "lines traced": _traced,
}


def python_with(version: str) -> Path:
    """The interpreter of a virtual environment with this torch, made if there is none yet."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "compilelint" / "trace" / f"torch-{version}"
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not (folder / ".made").exists():
        venv.create(folder, with_pip=True, clear=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--extra-index-url", CPU_WHEELS, f"torch=={version}", *WITH], check=True)
        (folder / ".made").touch()
    return python


def measure(python: Path) -> tuple[str, dict[str, Cell]]:
    """The torch of an interpreter, and what is seen with it. Raises RuntimeError if there is no session."""
    with tempfile.TemporaryDirectory(prefix="compilelint-versions-") as folder:
        path = Path(folder) / "s.jsonl"
        done = subprocess.run(
            [str(python), "-c", LAUNCH, str(OBSERVED), str(path)],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
            capture_output=True,
            text=True,
            check=False,
        )
        if not path.exists():
            raise RuntimeError(f"{python}: nothing was recorded\n{done.stderr[-2000:]}")
        session = read_session(path)
    version = next((event.version for event in session.events if isinstance(event, TorchLoaded)), "unknown")
    torch = Torch(python, release(version))
    seen: dict[str, Cell] = {name: test(session) for name, test in SEEN.items()}
    return version.partition("+")[0], {**seen, **{name: row(torch) for name, row in CAPABILITIES.items()}}


def release(version: str) -> tuple[int, ...]:
    """Of `2.13.0+cpu`, (2, 13, 0); of a pre-release, the release that it comes before."""
    found = re.match(r"\d+(?:\.\d+)*", version)
    if found is None:
        raise ValueError(f"{version!r} is no version")
    return tuple(map(int, found[0].split(".")))


def table(results: Mapping[str, Mapping[str, Cell]]) -> str:
    """The measured results as a page, a column for each version, the oldest first."""
    ordered = dict(sorted(results.items(), key=lambda item: release(item[0])))
    lines = [*HEAD, f"| | {' | '.join(ordered)} |", f"|---|{'---|' * len(ordered)}"]
    for name in (*SEEN, *CAPABILITIES):
        lines.append(f"| {name} | {' | '.join(_cell(found[name]) for found in ordered.values())} |")
    return "\n".join([*lines, *FOOT]) + "\n"


def _cell(found: Cell) -> str:
    return found if isinstance(found, str) else "yes" if found else "**no**"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--torch", action="append", metavar="VERSION", help="only this (repeatable)")
    parser.add_argument(
        "--python", action="append", type=Path, help="measure the torch of this interpreter (repeatable)"
    )
    parser.add_argument("--write", action="store_true", help="write docs/torch-versions.md")
    options = parser.parse_args(arguments)
    wanted = options.torch or ([] if options.python else VERSIONS)
    pythons = [*(options.python or []), *map(python_with, wanted)]
    measured = dict(map(measure, pythons))
    page = table(measured)
    if options.write:
        TABLE.write_text(page, encoding="utf-8")
    sys.stdout.write(page)
    return 0 if all(all(found.values()) for found in measured.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
