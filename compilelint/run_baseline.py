"""A run held against a baseline: what it knows is not reported, and breaks no budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from compilelint.check.baseline import torch_warning
from compilelint.project.baseline import BaselineError, namer, read_baseline, vanished
from compilelint.project.root import absolute
from compilelint.report.baseline import hold, new_observations
from compilelint.report.model import Finding, Observation
from compilelint.run_options import RunError


@dataclass(frozen=True, slots=True)
class NewInRun:
    """What of a run no baseline knows."""

    findings: tuple[Finding, ...]
    observations: tuple[Observation, ...]
    warnings: tuple[str, ...] = ()


def new_in_run(run: NewInRun, file: Path, root: Path, line: Callable[[str, int], str], torch: str) -> NewInRun:
    """What of a run the baseline in `file` does not know. Raises RunError.

    Paths are relative to `root`; `torch` is what the run is judged for. A run comes to what its inputs lead it to: it
    never tells that an entry is of nothing.
    """
    try:
        baseline = read_baseline(file)
    except BaselineError as error:
        raise RunError(str(error)) from error
    name = namer(absolute(file), root)
    lost = vanished(file, baseline.entries)
    held = hold(run.findings, baseline.entries, name, lost)
    new = new_observations(run.observations, baseline.entries, held.known, name, line, lost)
    return NewInRun(held.new, new, tuple(torch_warning(file, baseline.target_torch, torch)))
