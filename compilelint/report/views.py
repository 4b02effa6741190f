"""A report with the paths as they are called from another directory."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from compilelint.report.model import Observation, Problem, Report, Run
from compilelint.report.stack import StackFrame

_CALL = re.compile(r"(.+?)(:\d+ .*)", re.DOTALL)
_STEP = re.compile(r"(.+?\.(?:py|ipynb))(?=:)")


def seen_from(report: Report, root: Path, directory: Path) -> Report:
    """A report whose paths are relative to `root`, with paths relative to `directory`; absolute if they lie outside.

    Both directories may be relative to the current one.
    """
    here = Path(os.path.abspath(directory))
    if here == Path(os.path.abspath(root)):
        return report
    seen = _seen(root, here)

    def step_seen(step: str) -> str:
        place = _STEP.match(step)
        return seen(place[1]) + step[place.end() :] if place else step

    return replace(
        report,
        findings=tuple(
            replace(each, path=seen(each.path), reached_from=tuple(map(step_seen, each.reached_from)))
            for each in report.findings
        ),
        observations=tuple(renamed_observation(each, seen) for each in report.observations),
        errors=problems_seen_from(report.errors, root, here),
        run=replace(renamed_run(report.run, seen), root=str(here)) if report.run else None,
    )


def problems_seen_from(problems: Iterable[Problem], root: Path, directory: Path) -> tuple[Problem, ...]:
    """The same of problems alone."""
    seen = _seen(root, directory)
    return tuple(replace(each, path=seen(each.path)) for each in problems)


def _seen(root: Path, directory: Path) -> Callable[[str], str]:
    top, here = Path(os.path.abspath(root)), Path(os.path.abspath(directory))
    return lambda name: name if name == "-" or name.startswith("<") else _called(top / name, here)


def renamed_observation(observation: Observation, name: Callable[[str], str]) -> Observation:
    """With the names that `name` gives to files."""

    def frame(each: StackFrame) -> StackFrame:
        return replace(each, path=name(each.path))

    return replace(
        observation,
        path=name(observation.path),
        stack=tuple(map(frame, observation.stack)),
        calls=tuple(map(frame, observation.calls)),
        owners=tuple(map(frame, observation.owners)),
        owner=frame(observation.owner) if observation.owner else None,
        frame=frame(observation.frame) if observation.frame else None,
        dropped=tuple(map(frame, observation.dropped)),
        compiled_by=_renamed_call(observation.compiled_by, name),
    )


def renamed_run(run: Run, name: Callable[[str], str]) -> Run:
    """With the names that `name` gives to files."""
    return replace(
        run,
        frames=tuple(replace(each, path=name(each.path)) for each in run.frames),
        timeline=tuple(
            replace(each, path=name(each.path) if each.path else "", compiled_by=_renamed_call(each.compiled_by, name))
            for each in run.timeline
        ),
    )


def _renamed_call(compiled_by: str, name: Callable[[str], str]) -> str:
    """A call of torch.compile, as observations name it, at the file's new name."""
    call = _CALL.match(compiled_by)
    return name(call[1]) + call[2] if call else compiled_by


def _called(path: Path, directory: Path) -> str:
    try:
        return path.relative_to(directory).as_posix()
    except ValueError:
        return path.as_posix()
