"""Time `compilelint check` on installed packages, and count what it says.

    pip install --no-deps --target corpus transformers==5.23.0 diffusers==0.42.1 timm==1.0.31 torch_geometric==2.8.1
    python benchmarks/speed/check_packages.py corpus/transformers corpus/diffusers corpus/timm corpus/torch_geometric

Each package is checked twice, as a user would, with nothing configured: first with nothing remembered, then again with
nothing changed. The seconds are those of the whole command, with all processes that it starts. Prints a Markdown table.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any


def row(folder: Path) -> str:
    """Check one package; raises CalledProcessError if the check could not do its work."""
    with tempfile.TemporaryDirectory() as cache:
        report, first = _check(folder, cache)
        _, again = _check(folder, cache)
    lines = sum(path.read_bytes().count(b"\n") for path in folder.rglob("*.py"))
    summary = report["summary"]
    return (
        f"| {folder.name} | {summary['files']} | {lines:,} | {summary['functions_in_regions']:,} "
        f"| {summary['findings']} | {len(report['errors'])} | {first:.1f} | {again:.2f} |"
    )


def _check(folder: Path, cache: str) -> tuple[dict[str, Any], float]:
    """The report, and the seconds that it took."""
    command = [sys.executable, "-m", "compilelint", "check", "--format", "json", "--target-torch", "2.13"]
    started = time.perf_counter()
    done = subprocess.run([*command, "--cache-dir", cache, folder], capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    if done.returncode > 1:
        raise subprocess.CalledProcessError(done.returncode, command, done.stdout, done.stderr)
    return json.loads(done.stdout), seconds


def main() -> None:
    print("| package | files | lines | functions in regions | findings | errors | s, first | s, again |")
    print("|---|---|---|---|---|---|---|---|")
    for folder in sys.argv[1:]:
        print(row(Path(folder)), flush=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"\nPeak memory of one process: {peak / 1e6:.1f} GB")


if __name__ == "__main__":
    main()
