"""What is held against the truth: places in source of which somebody says that Dynamo breaks or recompiles there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TARGET = "2.13.0"
"""The torch that the truth was collected on."""
BREAKS = frozenset({"graph-break", "compile-error"})
_OTHER_EFFECTS = {
    "slow-start": "what it costs is time, not a graph",
    "wrong-result": "what it changes is the result, not the graph",
    "not-compiled": "it is about what never reaches Dynamo",
    "none": "it is about a comment",
}


class CheckFailed(Exception):
    """`compilelint check` could not do its work; the message is what it said."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Somebody says that Dynamo does something at these lines."""

    file: str
    """`package/path.py`."""
    line: int
    end_line: int
    rule: str
    effect: str
    severity: str
    confidence: str
    """`high`, `medium`, `low`; empty for what knows no levels."""
    message: str

    @property
    def not_judged(self) -> str:
        """Why the claim is not about what Dynamo does to a graph; empty if it is."""
        if self.severity == "info":
            return "severity info"
        return self.effect if self.effect in _OTHER_EFFECTS else ""

    @property
    def shown(self) -> bool:
        """Whether `check` shows it by default."""
        return self.confidence != "low"


def check(package: Path, *options: str) -> tuple[Claim, ...]:
    """What the real command line says about an installed package, with default settings and these further options.

    Raises CheckFailed.
    """
    command = [sys.executable, "-m", "compilelint", "check", "--isolated", "--format", "json"]
    command += ["--target-torch", TARGET, *options, str(package)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        raise CheckFailed(f"{' '.join(command)}\n{done.stderr}")
    return tuple(_claim(package.name, finding) for finding in json.loads(done.stdout)["findings"])


def _claim(package: str, finding: Mapping[str, Any]) -> Claim:
    return Claim(
        in_package(package, finding["path"]),
        finding["line"],
        finding["end_line"],
        finding["code"],
        finding["effect"],
        finding["severity"],
        finding["confidence"],
        finding["message"],
    )


def in_package(package: str, path: str) -> str:
    """`package/…` for the path of a file in it, whatever directory the path is relative to."""
    parts = path.split("/")
    return "/".join(parts[parts.index(package) :]) if package in parts else f"{package}/{path}"
