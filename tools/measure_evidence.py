"""Measures what Dynamo does with the examples of rule pages, and writes rules/evidence.json.

    python tools/measure_evidence.py                        # what changed, the torch that is installed
    python tools/measure_evidence.py rules/CL101-….md       # this page, changed or not
    python tools/measure_evidence.py --torch 2.9.1 --torch 2.13.0

For a torch that is not the one installed here it makes a virtual environment (kept in the cache
folder). Evidence of examples and pages that no longer exist is dropped. For a page that disagrees
with its own marks on the newest version asked for nothing is written, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from packaging.version import Version

from compilelint.catalog import PageError, Rule, installed_torch, load_page, page_paths, rules_directory
from compilelint.catalog.evidence import format_evidence, source_hash
from compilelint.catalog.load import EVIDENCE_FILE

RawEvidence: TypeAlias = dict[str, dict[str, dict[str, Any]]]
"""Rule code → example → torch version → what the judge measured."""

REPOSITORY = Path(__file__).resolve().parents[1]
JUDGE = REPOSITORY / "tools" / "dynamo_judge.py"
CPU_WHEELS = "https://download.pytorch.org/whl/cpu"


def merge(
    old: RawEvidence,
    version: str,
    measured: Mapping[str, Mapping[str, Any]],
    existing: Mapping[str, frozenset[str]],
) -> RawEvidence:
    """`old` with what was `measured` on one torch version put in.

    `existing` says which examples each rule has now: evidence of any other is dropped.
    """
    merged: RawEvidence = {}
    for code, names in existing.items():
        for name in names:
            versions = dict(old.get(code, {}).get(name, {}))
            if name in measured.get(code, {}):
                versions[version] = measured[code][name]
            if versions:
                merged.setdefault(code, {})[name] = versions
    return merged


def read_pages(folder: Path) -> dict[Path, Rule]:
    """All rule pages of a folder, without evidence. Raises PageError."""
    return {path: load_page(path, {}) for path in page_paths(folder)}


def is_measured(rule: Rule, evidence: RawEvidence, version: str) -> bool:
    """Whether every example of a rule was measured on this torch version with its present text."""
    measured = evidence.get(rule.code, {})
    return all(
        measured.get(example.name, {}).get(version, {}).get("source") == source_hash(example)
        for example in rule.examples
    )


def interpreter_with(version: str, cache: Path) -> Path:
    """A Python that has this torch: the running one if it does, else that of a cached environment."""
    installed = installed_torch()
    if installed is not None and Version(installed).public == version:
        return Path(sys.executable)
    folder = cache / f"torch-{version}"
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    ready = folder / "ready"
    if not ready.exists():
        print(f"making an environment with torch {version} in {folder}", file=sys.stderr)
        venv.create(folder, with_pip=True, clear=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--extra-index-url", CPU_WHEELS, f"torch=={version}"], check=True)
        subprocess.run([*pip, "numpy", "packaging", "tomli"], check=True)
        ready.touch()
    return python


def ask_judge(python: Path, pages: Sequence[Path]) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Run the judge with this Python: what it measured, and the codes of pages that it contradicts."""
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    result = subprocess.run(
        [str(python), str(JUDGE), "--json", *map(str, pages)],
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
        check=False,
    )
    if not result.stdout:
        raise RuntimeError(f"the judge ended with exit code {result.returncode}")
    answer = json.loads(result.stdout)
    return answer["evidence"], answer["contradicted"]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE.md", help="default: those that changed")
    parser.add_argument("--torch", action="append", metavar="VERSION", help="repeatable")
    parser.add_argument(
        "--cache",
        type=Path,
        default=Path.home() / ".cache" / "compilelint-evidence",
        help="where environments are kept",
    )
    options = parser.parse_args(arguments)
    folder = rules_directory()
    target = folder / EVIDENCE_FILE
    installed = installed_torch()
    versions = options.torch or ([Version(installed).public] if installed else [])
    if not versions:
        parser.error("torch is not installed here: say which with --torch")
    try:
        rules = read_pages(folder)
    except PageError as error:
        print(error, file=sys.stderr)
        return 2
    existing = {rule.code: frozenset(example.name for example in rule.examples) for rule in rules.values()}
    evidence: RawEvidence = json.loads(target.read_text(encoding="utf-8")) if target.exists() else {}
    refused: set[str] = set()
    for version in sorted(versions, key=Version, reverse=True):
        pages = options.pages or [path for path, rule in rules.items() if not is_measured(rule, evidence, version)]
        measured: dict[str, dict[str, Any]] = {}
        if pages:
            measured, contradicted = ask_judge(interpreter_with(version, options.cache), pages)
            if version == max(versions, key=Version):
                refused |= set(contradicted)
        accepted = {code: found for code, found in measured.items() if code not in refused}
        evidence = merge(evidence, version, accepted, existing)
    target.write_text(format_evidence(evidence), encoding="utf-8")
    for code in sorted(refused):
        print(f"{code} disagrees with Dynamo: its evidence was not written", file=sys.stderr)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
