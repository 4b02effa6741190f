"""Measures what Dynamo does with the examples of rule pages, and writes rules/evidence.json.

    python tools/measure_evidence.py                        # what changed, the torch that is installed
    python tools/measure_evidence.py rules/CL101-….md       # this page, changed or not
    python tools/measure_evidence.py --torch 2.9.1 --torch 2.13.0
    python tools/measure_evidence.py --all                  # what changed, every version of TORCHES
    python tools/measure_evidence.py --python ~/.pyenv/versions/3.12.1/bin/python --torch 2.13.0 [PAGE.md …]
    python tools/measure_evidence.py --proofs               # what the checker finds in them, when that changed

For a torch that is not the one installed here it makes a virtual environment (several GB, kept in the
cache folder; `--delete` removes it when it is done with). Evidence of examples and pages that no longer
exist, or whose text is another now, is dropped. For a page that disagrees with its own marks on the
torch that is installed here nothing is written, and the exit code is 1; on others it is measured as it is.

With --python all is measured on another Python, of all pages if none is named, and what differs from evidence.json is
written to rules/evidence-3.12.json (by the Python's release).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from packaging.version import Version

from compilelint.authoring.evidence_file import Measured, renew_proofs, update, update_differing
from compilelint.catalog import PageError, Rule, installed_torch, load_page, page_paths, rules_directory
from compilelint.catalog.evidence import RawEvidence, read_raw, source_hash
from compilelint.catalog.pythons import evidence_file
from compilelint.installed import EVIDENCE_FILE

REPOSITORY = Path(__file__).resolve().parents[1]
TORCHES = (
    "2.5.1",
    "2.6.0",
    "2.7.1",
    "2.8.0",
    "2.9.1",
    "2.10.0",
    "2.11.0",
    "2.12.1",
    "2.13.0",
    "2.14.1",
    "2.15.0",
)
"""The last release of each minor version that evidence is kept for."""
PACKAGES = (
    *("numpy", "scipy", "tqdm", "lightning", "torchdiffeq", "torchsde", "torch_geometric==2.8.1"),
    *("pytorch-crf", "vector-quantize-pytorch", "opt_einsum", "loguru", "pydantic"),
    *("tensorboard", "rich", "click"),
    *("setuptools", "packaging", "msgspec"),
    "tomli; python_version < '3.11'",
)
"""What examples import, and what the judge does."""


def is_measured(rule: Rule, evidence: RawEvidence, version: str) -> bool:
    """Whether every example of a rule was measured on this torch version with its present text."""
    measured = evidence.get(rule.code, {})
    return all(
        measured.get(example.name, {}).get("source") == source_hash(example)
        and version in measured[example.name]["measured"]
        for example in rule.examples
    )


def interpreter_with(version: str, cache: Path) -> Path:
    """A Python that has this torch: the running one if it does, else that of a cached environment."""
    installed = installed_torch()
    if installed is not None and Version(installed).public == version:
        return Path(sys.executable)
    return environment(Path(sys.executable), version, cache / f"torch-{version}")


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keep other processes out: an environment that is deleted meanwhile breaks in ways that look like Dynamo's."""
    lock = folder.with_name(f"{folder.name}.lock")
    lock.parent.mkdir(parents=True, exist_ok=True)
    try:
        lock.touch(exist_ok=False)
    except FileExistsError:
        raise SystemExit(f"another process measures in {folder}; if none does, delete {lock}") from None
    try:
        yield
    finally:
        lock.unlink()


def environment(made_by: Path, version: str, folder: Path) -> Path:
    """The Python of an environment with this torch in a folder, where it is left for the next time."""
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    ready = folder / "ready"
    if not ready.exists():
        print(f"making an environment with torch {version} in {folder}", file=sys.stderr)
        subprocess.run([str(made_by), "-m", "venv", "--clear", str(folder)], check=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, f"torch=={version}", *PACKAGES], check=True)
        ready.touch()
    return python


def ask_judge(python: Path, pages: Sequence[Path], *options: str) -> tuple[Measured, list[str]]:
    """Run the judge with this Python: what it measured, and the codes of pages that it contradicts."""
    # An example that compiles with Inductor would else start a pool of processes, each of which imports torch.
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "TORCHINDUCTOR_COMPILE_THREADS": "1"}
    result = subprocess.run(
        [str(python), "-m", "compilelint.judging", "--json", *options, *map(str, pages)],
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
        check=False,
    )
    if not result.stdout:
        raise RuntimeError(f"the judge ended with exit code {result.returncode}")
    answer = json.loads(result.stdout)
    return answer["evidence"], sorted(answer["disagreements"])


def read_rules(folder: Path) -> dict[Path, Rule]:
    """All rule pages of a folder, without evidence. Raises PageError."""
    return {path: load_page(path, {}) for path in page_paths(folder)}


def release_of(python: Path) -> str:
    """The release of a Python, as "3.12"."""
    program = "import sys; print('%d.%d' % sys.version_info[:2])"
    return subprocess.run([str(python), "-c", program], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def measure_other_python(
    python: Path, versions: Sequence[str], pages: Sequence[Path], cache: Path, delete: bool
) -> None:
    """Measure these pages on another Python, and keep where it differs."""
    base = rules_directory() / EVIDENCE_FILE
    release = release_of(python)
    measured: dict[str, Measured] = {}
    for version in versions:
        folder = cache / f"torch-{version}-python-{release}"
        print(f"Python {release}, torch {version}: {len(pages)} pages", file=sys.stderr)
        with alone_in(folder):
            measured[version], _ = ask_judge(environment(python, version, folder), pages)
            if delete:
                shutil.rmtree(folder)
    update_differing(evidence_file(base.parent, release), base, measured)


def in_order(versions: Sequence[str], here: str | None) -> list[str]:
    """Oldest first, and last the one that decides whether a page is right: the one installed `here`."""
    return sorted(set(versions), key=lambda version: (version == here, Version(version)))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE.md", help="default: those that changed")
    parser.add_argument(
        "--torch", action="append", default=[], choices=TORCHES, metavar="VERSION", help="one of TORCHES; repeatable"
    )
    parser.add_argument("--all", action="store_true", help=f"all of {', '.join(TORCHES)}")
    parser.add_argument("--proofs", action="store_true", help="only ask the checker again on which lines it finds what")
    parser.add_argument("--python", type=Path, metavar="PATH", help="another Python: what differs on it")
    parser.add_argument("--delete", action="store_true", help="delete each environment after it was used")
    parser.add_argument(
        "--cache",
        type=Path,
        default=Path.home() / ".cache" / "compilelint-evidence",
        help="where environments are kept",
    )
    options = parser.parse_args(arguments)
    target = rules_directory() / EVIDENCE_FILE
    if options.proofs:
        renew_proofs(target)
        return 0
    installed = installed_torch()
    versions = [*options.torch, *(TORCHES if options.all else ())]
    if not versions and installed:
        versions = [Version(installed).public]
    if not versions:
        parser.error("torch is not installed here: say which with --torch")
    try:
        rules = read_rules(target.parent)
    except PageError as error:
        print(error, file=sys.stderr)
        return 2
    if options.python is not None:
        measure_other_python(options.python, versions, options.pages or list(rules), options.cache, options.delete)
        return 0
    refused: set[str] = set()
    here = Version(installed).public if installed is not None else None
    for version in in_order(versions, here):
        known = read_raw(target.read_text(encoding="utf-8")) if target.exists() else {}
        pages = options.pages or [path for path, rule in rules.items() if not is_measured(rule, known, version)]
        measured: Measured = {}
        folder = options.cache / f"torch-{version}"
        with alone_in(folder):
            if pages:
                print(f"torch {version}: {len(pages)} pages", file=sys.stderr)
                only = () if options.pages else ("--unmeasured",)
                measured, contradicted = ask_judge(interpreter_with(version, options.cache), pages, *only)
                if version == here:
                    refused = set(contradicted)
            if options.delete and folder.exists():
                shutil.rmtree(folder)
        update(target, version, {code: found for code, found in measured.items() if code not in refused})
    for code in sorted(refused):
        print(f"{code} disagrees with Dynamo: its evidence for torch {here} was not written", file=sys.stderr)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
