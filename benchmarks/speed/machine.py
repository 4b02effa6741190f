"""What a measurement depends on besides the program: machine and versions."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib import metadata
from pathlib import Path

import psutil

import compilelint

_REPOSITORY = Path(__file__).resolve().parents[2]


def machine() -> str:
    """Processor, number of cores that may be used, memory, system, how busy it was. No names."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    memory = psutil.virtual_memory().total / 2**30
    load = psutil.getloadavg()[0]
    return f"{_processor()}, {cores} cores, {memory:.0f} GB, {platform.system()}, load {load:.1f} before it began"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return model or platform.processor() or platform.machine()


def own_versions(*packages: str) -> dict[str, str]:
    """Of Python, compilelint and these packages."""
    return {
        "Python": platform.python_version(),
        "compilelint": f"{compilelint.__version__}{_commit()}",
        **{package: metadata.version(package) for package in packages},
    }


def _commit() -> str:
    """In brackets, with a plus sign where files are changed; empty outside of a repository."""
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--exclude=*", "--dirty=+"],
            cwd=_REPOSITORY,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return f" ({done.stdout.strip()})"


def source_version(package: Path) -> str:
    """The version of a package that was put into a folder with `pip install --target`. Raises LookupError."""
    for found in metadata.distributions(path=[str(package.parent)]):
        if found.name.replace("-", "_").lower() == package.name:
            return found.version
    raise LookupError(f"{package}: not installed there")
