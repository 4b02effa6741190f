"""Collect what Dynamo does with real models: `python -m benchmarks.accuracy.collect --packages transformers …`

Runs each model of the packages' recipes (recipes/) in a process of its own, under the project's recorder, with bounds
on time and memory. What comes out lies in the work folder, one raw file per model; models that have one are not run
again, those that failed only with --retry. `--merge` makes truth/PACKAGE.json of what is there, and runs nothing.

truth/PACKAGE.json:

    {"versions": {…},
     "models": {NAME: {"class", "model", "package", "root", "phases", "sites", "recompiles"}},
     "traced_lines": {"package/file.py": [[first, last], …]}}

`traced_lines` are those of all models together; the rest is described in README.md.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from benchmarks.accuracy.observed import union
from benchmarks.accuracy.recipes import load

ROOT = Path(__file__).parents[2]
TRUTH = Path(__file__).parent / "truth"
WORK = Path(tempfile.gettempdir()) / "compilelint-accuracy"
GIB = 1 << 30
_OF_PACKAGE = ("versions", "traced_lines")
_DEPTH = 4
"""Objects of truth files that lie deeper stand on one line each."""


@dataclass(frozen=True)
class Bounds:
    """What one model may use."""

    seconds: float
    memory: int
    """Bytes of address space."""


def raw_path(work: Path, recipe: str, name: str) -> Path:
    """Where the outcome of one model is written."""
    return work / Path(recipe).stem / f"{quote(name, safe=' @+,')}.json"


def is_due(raw: Path, *, retry: bool) -> bool:
    """Whether a model is to be run: it has never been, or it failed and shall be tried again."""
    if not raw.is_file():
        return True
    return retry and json.loads(raw.read_text(encoding="utf-8"))["status"] != "ok"


def run_model(recipe: str, name: str, raw: Path, bounds: Bounds) -> dict[str, Any]:
    """Run one model in a process of its own and return its raw record, which is also in the file `raw`.

    Never raises for what the model does: a timeout, a crash or an exception is its outcome.
    """
    raw.parent.mkdir(parents=True, exist_ok=True)
    raw.unlink(missing_ok=True)
    command = [sys.executable, "-m", "benchmarks.accuracy.run_model", recipe, name, str(raw), str(bounds.memory)]
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="compilelint-model-") as folder:
        log = Path(folder) / "log"
        with log.open("wb") as output:
            child = subprocess.Popen(
                command,
                cwd=folder,
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
            try:
                code: int | None = child.wait(bounds.seconds)
            except subprocess.TimeoutExpired:
                code = None
            finally:
                _end(child)
        if raw.is_file() and code == 0:
            record: dict[str, Any] = json.loads(raw.read_text(encoding="utf-8"))
            return record
        last = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
    error = f"no end after {bounds.seconds:g} s" if code is None else f"exit code {code}: {''.join(last)[:300]}"
    record = {"name": name, "status": "failed", "error": error, "seconds": round(time.monotonic() - started, 1)}
    raw.write_text(json.dumps(record), encoding="utf-8")
    return record


def merge(raws: Iterable[Path]) -> dict[str, Any]:
    """The truth of one package, of the raw files of its models; those that failed are left out.

    Raises ValueError if they were run with different versions.
    """
    records = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(raws)]
    models = {each["name"]: each["model"] for each in records if each["status"] == "ok"}
    versions = {json.dumps(each["versions"], sort_keys=True) for each in models.values()}
    if len(versions) > 1:
        raise ValueError(f"collected with different versions: {' and '.join(sorted(versions))}")
    return {
        "versions": json.loads(versions.pop()) if versions else {},
        "models": {
            name: {key: value for key, value in model.items() if key not in _OF_PACKAGE}
            for name, model in sorted(models.items())
        },
        "traced_lines": union(model["traced_lines"] for model in models.values()),
    }


def dumps(value: Any, depth: int = 0) -> str:
    """JSON that a diff shows line by line, and that is not mostly indentation: sites and alike are one line each."""
    if depth < _DEPTH and value and isinstance(value, Mapping):
        items = [f"{json.dumps(key)}: {dumps(each, depth + 1)}" for key, each in value.items()]
        return _block("{", items, "}", depth)
    if depth < _DEPTH and value and isinstance(value, list) and isinstance(value[0], Mapping):
        return _block("[", [dumps(each, _DEPTH) for each in value], "]", depth)
    return json.dumps(value, ensure_ascii=False)


def main() -> None:
    options = _options()
    bounds = Bounds(options.timeout, int(options.memory_gib * GIB))
    for recipe in options.packages:
        if options.merge:
            _merge(recipe, options.work, options.truth)
        else:
            names = [name for name in load(recipe).names() if _is_wanted(name, options.models)]
            due = [name for name in names if is_due(raw_path(options.work, recipe, name), retry=options.retry)]
            print(f"{recipe}: {len(names)} models, {len(due)} to be run", flush=True)
            _collect(recipe, due, options.work, bounds, options.jobs)


def _collect(recipe: str, names: list[str], work: Path, bounds: Bounds, jobs: int) -> None:
    def one(name: str) -> dict[str, Any]:
        record = run_model(recipe, name, raw_path(work, recipe, name), bounds)
        sites = len(record["model"]["sites"]) if "model" in record else 0
        told = record["error"].partition("\n")[0][:160] or f"{sites} sites"
        print(f"{recipe} {name}: {record['status']} in {record['seconds']} s: {told}", flush=True)
        return record

    with ThreadPoolExecutor(jobs) as pool:
        outcomes = Counter(record["status"] for record in pool.map(one, names))
    print(f"{recipe}: {dict(outcomes)}", flush=True)


def _merge(recipe: str, work: Path, truth: Path) -> None:
    merged = merge(raw_path(work, recipe, "x").parent.glob("*.json"))
    truth.mkdir(parents=True, exist_ok=True)
    path = truth / f"{Path(recipe).stem}.json"
    path.write_text(dumps(merged) + "\n", encoding="utf-8")
    print(f"{path}: {len(merged['models'])} models, {path.stat().st_size >> 10} KiB")


def _block(start: str, items: list[str], end: str, depth: int) -> str:
    indent = " " * (depth + 1)
    return f"{start}\n{indent}" + f",\n{indent}".join(items) + f"\n{indent[1:]}{end}"


def _is_wanted(name: str, patterns: list[str]) -> bool:
    return not patterns or any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _environment() -> dict[str, str]:
    """The project can be imported, paths stay what they are here, and nothing is fetched."""
    paths = [str(ROOT), *(os.path.abspath(each) for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each)]
    return {
        "OMP_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
    }


def _end(child: subprocess.Popen[bytes]) -> None:
    """The child, and what it has started, if it has not ended by itself."""
    if child.poll() is None:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--packages",
        nargs="+",
        required=True,
        type=lambda given: os.path.abspath(given) if given.endswith(".py") else given,
        metavar="RECIPE",
        help="modules of recipes/, or paths of recipe files",
    )
    parser.add_argument("--models", nargs="+", default=[], metavar="PATTERN", help="only those (shell patterns)")
    parser.add_argument("--work", type=Path, default=WORK, metavar="DIR", help="for the raw files (%(default)s)")
    parser.add_argument("--truth", type=Path, default=TRUTH, metavar="DIR", help="for what --merge writes")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    parser.add_argument("--timeout", type=float, default=240, metavar="SECONDS", help="for each model (%(default)s)")
    parser.add_argument("--memory-gib", type=float, default=6, metavar="GIB", help="for each model (%(default)s)")
    parser.add_argument("--retry", action="store_true", help="run those again that failed")
    parser.add_argument("--merge", action="store_true", help="run nothing: write truth/PACKAGE.json")
    return parser.parse_args()


if __name__ == "__main__":
    main()
