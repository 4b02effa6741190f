"""What Dynamo does with the programs: `python -m benchmarks.ways.dynamo` writes truth.json, by the installed torch."""

from __future__ import annotations

import contextlib
import io
import json
import os
import runpy
import sys
import tempfile
from pathlib import Path

import torch
import torch._dynamo
from torch._dynamo.utils import counters

from benchmarks.ways.programs import HERE, Files, programs


def reaches(files: Files, folder: Path) -> bool:
    """Whether the script of a program, run there, breaks the graph."""
    for name, text in files.items():
        (folder / name).write_text(text)
    torch._dynamo.reset()
    counters.clear()
    known, environment = set(sys.modules), dict(os.environ)
    sys.path.insert(0, str(folder))
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path(str(folder / "main.py"), run_name="__main__")
    finally:
        sys.path.remove(str(folder))
        os.environ.clear()
        os.environ.update(environment)
        for name in set(sys.modules) - known:
            if name in ("net", "build", "trainer", "settings", "steps"):
                del sys.modules[name]
    return bool(counters["graph_break"])


def main() -> None:
    sys.dont_write_bytecode = True
    reached = {}
    for name, files in programs():
        with tempfile.TemporaryDirectory() as folder:
            reached[name] = reaches(files, Path(folder))
    truth = {"torch": torch.__version__.partition("+")[0], "reached": reached}
    (HERE / "truth.json").write_text(json.dumps(truth, indent=1) + "\n")
    print(f"{sum(reached.values())} of {len(reached)} programs break the graph")


if __name__ == "__main__":
    main()
