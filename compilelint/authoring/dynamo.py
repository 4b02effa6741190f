"""Asks Dynamo what it does with a page's examples, in a process of its own: nothing here imports torch."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, cast

from compilelint.catalog.evidence import outcome_from_json
from compilelint.catalog.model import ModeName, Outcome

_JUDGE = "compilelint.judging"
_LONGEST = 300
_UNREADABLE = 2
"""The judge's exit code where it could not read a page, or the evidence beside it."""
_BEGINNING = '{"torch": '

Outcomes: TypeAlias = Mapping[str, Mapping[ModeName, Outcome]]
"""Example → mode → what Dynamo did."""
Disagreements: TypeAlias = Mapping[str, Mapping[ModeName, Sequence[str]]]
"""Example → mode → why its marks and Dynamo cannot both be right."""


class DynamoError(Exception):
    """Dynamo cannot be asked; the message is one line for the user."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the torch that is installed does with the examples of pages, by the code of their rules."""

    torch: str
    """Its version, without the build."""
    outcomes: Mapping[str, Outcomes]
    disagreements: Mapping[str, Disagreements]


def ask(pages: Sequence[Path]) -> Answer:
    """Run the examples of well-formed pages, from the current directory. Raises DynamoError."""
    if importlib.util.find_spec("torch") is None:
        raise DynamoError(
            "torch is not installed here, and the examples are run by it: install torch where compilelint is "
            "(`pip install 'compilelint[trace]'`)"
        )
    # The directory that this is started from is on the path of `-m`: a project's examples may import the project.
    command = [sys.executable, "-m", _JUDGE, "--json", *map(str, pages)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    answer = _answer(done.stdout) if done.returncode != _UNREADABLE else None
    if answer is None:
        said = done.stderr.strip().splitlines()[-1:] or ["no word"]
        raise DynamoError(f"running the examples failed (exit code {done.returncode}): {said[0][:_LONGEST]}")
    return Answer(
        torch=answer["torch"],
        outcomes={
            code: {
                name: {cast(ModeName, mode): outcome_from_json(entry) for mode, entry in modes.items()}
                for name, modes in examples.items()
            }
            for code, examples in answer["evidence"].items()
        },
        disagreements=answer["disagreements"],
    )


def _answer(output: str) -> dict[str, Any] | None:
    """The document at the end of what was printed: libraries below Python may have printed, too."""
    try:
        answer: dict[str, Any] = json.loads(output[output.rfind(_BEGINNING) :])
    except ValueError:
        return None
    return answer
